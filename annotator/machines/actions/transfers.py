"""Carrying the tags of pairs from one language over to another, as silver."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log_many
from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Gold, Layer, Project, Segment, Suggestion, SuggestionKind, Unit, User
from annotator.work.answering.actions.suggestions import locked, refresh_items, supersede
from annotator.work.derivation.actions.sources import settle_sources
from annotator.work.gold.queries.effective_content import effective_content

BATCH = 500


@dataclass(frozen=True)
class TransferSummary:
    """What `transfer_tags` did to each pair of the project; the numbers add up to all pairs."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    reviewed: int = 0  # kept: a person or gold has tagged the pair in the target language
    untagged: int = 0  # nothing to carry over: neither gold nor a reviewer's tag in the source language
    without_text: int = 0  # the pair has no sentences in the target language


def transfer_tags(*, project: Project, source: str, target: str, by: User | None) -> TransferSummary:
    """Carry the pair tags of one language over to another as silver, open to review.

    Gold is carried over, or where there is none the reviewing person's tag. Silver that somebody has reviewed stays as
    it is. Doing it again changes nothing. Written in batches, each whole in itself, under one operation.
    """
    for language in (source, target):
        if language not in project.languages:
            raise ActionError(
                _("The project has no language “%(language)s”. Available: %(languages)s.")
                % {"language": language, "languages": ", ".join(project.languages)}
            )
    if source == target:
        raise ActionError(_("Source and target must be different languages."))
    counts = dict.fromkeys(TransferSummary.__dataclass_fields__, 0)
    layer = project.tag_layer
    if layer is None:
        return TransferSummary()
    slots = Segment.objects.published().filter(project=project, kind=layer.unit_kind).order_by("position", "pk")
    ids = list(slots.values_list("pk", flat=True))
    operation = uuid.uuid4()
    for start in range(0, len(ids), BATCH):
        done = _transfer(project, layer, source, target, ids[start : start + BATCH], by, operation)
        for name, number in done.items():
            counts[name] += number
    return TransferSummary(**counts)


@transaction.atomic
def _transfer(
    project: Project,
    layer: Layer,
    source: str,
    target: str,
    segments: Sequence[int],
    by: User | None,
    operation: uuid.UUID,
) -> dict[str, int]:
    # A button pressed twice must not do it twice.
    lock_project(project)
    current = Unit.objects.published().filter(segment__in=segments, is_current=True)
    sources = dict(current.filter(language=source).values_list("segment_id", "pk"))
    targets = dict(current.filter(language=target).values_list("segment_id", "pk"))
    # The sources, too: nobody changes what is carried over meanwhile.
    units = [unit for unit in locked(project, layer, [*targets.values(), *sources.values()]) if unit.language == target]
    content = effective_content(project, layer, language=source, units=sources.values(), reviewed_only=True)
    reviewed = _reviewed(units, layer)
    before_now = Suggestion.objects.filter(kind=SuggestionKind.TRANSFER, source_language=source, is_current=True)
    silver = {row.unit_id: row for row in before_now.filter(unit__in=units, layer=layer)}
    counts = dict.fromkeys(TransferSummary.__dataclass_fields__, 0)
    new: list[Suggestion] = []
    for segment in segments:
        unit, origin = targets.get(segment), sources.get(segment)
        before = silver.get(unit or 0)
        if unit is None:
            counts["without_text"] += 1
        elif unit in reviewed:
            counts["reviewed"] += 1
        elif origin not in content:
            counts["untagged"] += 1
        elif before is not None and before.content == content[origin]:
            counts["unchanged"] += 1
        else:
            counts["created" if before is None else "updated"] += 1
            new.append(
                Suggestion(
                    project=project,
                    unit_id=unit,
                    layer=layer,
                    kind=SuggestionKind.TRANSFER,
                    source_language=source,
                    source_id=origin,
                    content=content[origin],
                )
            )
    supersede([silver[row.unit_id] for row in new if row.unit_id in silver])
    Suggestion.objects.bulk_create(new)
    settle_sources(layer, [row.unit_id for row in new])
    log_many(
        project=project,
        actor=by,
        verb=Verb.SUGGESTION_TRANSFERRED,
        operation=operation,
        changes=[(row, _silver(silver.get(row.unit_id)), _silver(row)) for row in new],
    )
    refresh_items(project, layer, [row.unit_id for row in new])
    return counts


def _reviewed(units: Sequence[Unit], layer: Layer) -> set[int]:
    """Those of the units that a person answered, or that have gold."""
    done = Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE)
    decided = Gold.objects.filter(unit__in=units, layer=layer)
    return set(done.values_list("unit_id", flat=True)) | set(decided.values_list("unit_id", flat=True))


def _silver(row: Suggestion | None) -> dict[str, Any] | None:
    """A transfer as events tell it."""
    if row is None:
        return None
    return {"unit": row.unit_id, "content": row.content, "source_language": row.source_language}
