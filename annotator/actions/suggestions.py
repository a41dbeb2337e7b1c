"""Storing what machines and other languages say. They never overwrite people, and what was said before stays on record.

Whoever stores first locks the units, then their items: so jobs take turns, and so does a person who saves.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotator.actions.bulk import prepared, reserved, update_rows
from annotator.actions.errors import ActionError
from annotator.actions.events import log_many
from annotator.actions.items import regroup
from annotator.actions.locks import lock_project
from annotator.actions.order import place_units
from annotator.actions.sources import mark_sources
from annotator.domain.content import content_type
from annotator.domain.leaving_out import Skipped
from annotator.domain.projection import Outcome, ProjectionResult, ProjectionRules
from annotator.domain.several_sources import PLACES, projection_score
from annotator.domain.spans import Span
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.verbs import Verb
from annotator.kind import kind_of
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    Gold,
    Import,
    Item,
    Job,
    Layer,
    Project,
    Segment,
    Sentence,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.prepared import PreparedRows
from annotator.queries.prelabel import without_person
from annotator.queries.standing import standing
from annotator.queries.suggestions import shown_in

BATCH = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A detector's answer on one sentence: its spans, and per token the probability of being labelled."""

    sentence: int
    spans: Sequence[Span]
    probabilities: Sequence[float]


@transaction.atomic
def store_predictions(
    *,
    job: Job,
    found: Sequence[Found],
    detector: str,
    revision: str,
    threshold: float,
    mapping: str = "",
    beside_people: bool = False,
) -> dict[str, Any]:
    """Store predictions as the current ones of their sentences; those before them stay on record.

    Left out and counted: sentences that a person began to label, that a newer job labelled or whose text changed
    meanwhile, and answers that do not cover every token. What the same job stored before stays, and is counted. Returns
    counts for the job. `mapping`: that of the scheme by which the detector's label is one of the project's.
    `beside_people`: what people carried over to a fixed text does not count as begun.
    """
    layer = job.project.label_layer
    units = [answer.sentence for answer in found]
    lengths = {unit.pk: unit.token_count for unit in _locked(job.project, layer, units)}
    if beside_people or not units:
        free = set(lengths)
    else:
        free = {pk for (pk,) in _WITHOUT_PERSON.rows(units=units, layer=layer.pk)}
    earlier = _PREDICTED.rows(units=units, layer=layer.pk) if units else []
    newer = {unit for unit, by, is_current in earlier if is_current and (by or 0) > job.pk}
    stored_before = {unit for unit, by, _is_current in earlier if by == job.pk}
    skipped: dict[str, int] = {}
    new: list[Found] = []
    for answer in found:
        if answer.sentence in stored_before:
            continue
        # A better detector may have begun to serve while an older job was still under way.
        reason = Skipped.NEWER_JOB if answer.sentence in newer else _why_not(answer, lengths, free)
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
        else:
            new.append(answer)
    replaced = {unit for unit, _by, is_current in earlier if is_current} & {answer.sentence for answer in new}
    if replaced:
        said = Suggestion.objects.filter(unit__in=replaced, layer=layer, kind=SuggestionKind.PREDICTION)
        said.filter(is_current=True).update(is_current=False)
    rows = [
        Suggestion(
            project_id=job.project_id,
            unit_id=answer.sentence,
            layer=layer,
            kind=SuggestionKind.PREDICTION,
            job=job,
            name=detector,
            revision=revision,
            threshold=threshold,
            content={"spans": [span.to_json() for span in answer.spans]},
            probabilities=[round(float(number), PLACES) for number in answer.probabilities],
            detail={"mapping": mapping} if mapping else {},
        )
        for answer in new
    ]
    prepared(Suggestion, rows).run()
    refresh_items(job.project, layer, [answer.sentence for answer in new])
    stored = [*new, *(answer for answer in found if answer.sentence in stored_before)]
    return {
        "sentences": len(stored),
        "tokens": sum(len(answer.probabilities) for answer in stored),
        "labelled_sentences": sum(bool(answer.spans) for answer in stored),
        "labelled_tokens": sum(len(span.tokens) for answer in stored for span in answer.spans),
        "skipped": skipped,
    }


def _without_person(units: list[int], layer: int) -> QuerySet[Any, Any]:
    return without_person(Sentence.objects.filter(pk__in=units), layer).values_list("pk")


def _predicted(units: list[int], layer: int) -> QuerySet[Any, Any]:
    rows = Suggestion.objects.filter(unit__in=units, layer=layer, kind=SuggestionKind.PREDICTION)
    return rows.values_list("unit_id", "job_id", "is_current")


# Made once: they belong to transactions that whoever saves waits for.
_WITHOUT_PERSON = PreparedRows(_without_person, units=list, layer=int)
_PREDICTED = PreparedRows(_predicted, units=list, layer=int)


def _why_not(answer: Found, lengths: dict[int, int], free: set[int]) -> Skipped | None:
    if answer.sentence not in lengths:
        return Skipped.REPLACED
    if answer.sentence not in free:
        return Skipped.PERSON
    if len(answer.probabilities) != lengths[answer.sentence]:
        return Skipped.NOT_COVERED
    return None


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """The outcome on one pair of sentences; `links` are (source token, target token, score)."""

    source: int
    target: int
    source_spans: list[dict[str, Any]]
    links: Sequence[tuple[int, int, float]]
    result: ProjectionResult


@transaction.atomic
def store_projections(
    *, job: Job, carried: Sequence[CarriedOver], aligner: str, revision: str, rules: ProjectionRules, labels: str
) -> dict[str, Any]:
    """Store alignments and projections as the current ones of their target sentences; earlier ones stay on record.

    All come from one source language; what other languages say of the same sentences stays as it is. What a person
    reviewed stays current, so that their screen keeps showing what they decided on: the new projection is then stored
    beside it, and counted as `kept_for_people`. A source whose labels were all taken away voids its earlier
    projection, counted as `withdrawn`. Stored before by the same job: nothing happens.
    Sentences that were reached, or are no longer, go to the stages that now hold them. Returns counts for the job.
    """
    project, layer = job.project, job.project.label_layer
    current = {
        unit.pk: unit for unit in _locked(project, layer, {pk for one in carried for pk in (one.source, one.target)})
    }
    source_language = next((current[one.source].language for one in carried if one.source in current), "")
    said = Suggestion.objects.filter(
        unit__in=[one.target for one in carried],
        layer=layer,
        kind=SuggestionKind.PROJECTION,
        source_language=source_language,
    )
    stored_before = set(said.filter(job=job).values_list("unit_id", flat=True))
    earlier = {row.unit_id: row for row in said.filter(is_current=True)}
    reviewed = _seen_by_people(earlier.values(), layer)
    counts: dict[str, Any] = {
        "sentences": 0,
        "source_spans": 0,
        "target_spans": 0,
        "outcomes": {outcome.value: 0 for outcome in Outcome},
        "kept_for_people": 0,
        "withdrawn": 0,
        "skipped": {},
    }
    new: list[tuple[CarriedOver, bool]] = []
    replaced: list[Suggestion] = []
    for one in carried:
        if one.target in stored_before:
            continue
        if not current.keys() >= {one.source, one.target}:
            counts["skipped"][Skipped.REPLACED] = counts["skipped"].get(Skipped.REPLACED, 0) + 1
            continue
        before = earlier.get(one.target)
        keep = before is not None and before.pk in reviewed
        counts["kept_for_people"] += keep
        if before is not None and not keep:
            replaced.append(before)
        if not one.source_spans:
            counts["withdrawn"] += before is not None and not keep
            continue
        new.append((one, not keep))
        counts["sentences"] += 1
        counts["source_spans"] += len(one.source_spans)
        counts["target_spans"] += len(one.result.spans)
        for outcome in one.result.outcomes:
            counts["outcomes"][outcome.outcome.value] += 1
    _supersede(replaced)
    _write_projections(job, layer, source_language, new, aligner, revision, rules, labels)
    touched = {row.unit_id for row in replaced} | {one.target for one, is_current in new if is_current}
    mark_sources(layer, touched)
    for language in sorted({current[pk].language for pk in touched}):
        regroup(project, touched, language=language)
    refresh_items(project, layer, touched)
    return counts


def projections_from(imported: Import) -> QuerySet[Suggestion]:
    """Projections, current or not, that carried labels from the import's sentences to those of others."""
    rows = Suggestion.objects.filter(source__imported=imported, kind=SuggestionKind.PROJECTION)
    return rows.exclude(unit__imported=imported)


def withdraw_projections(project: Project, imported: Import) -> None:
    """The import's sentences are about to go: nothing is suggested from them any more, and items go where they belong.

    Nobody's answer began from them (`actions/take_back.py` asks before).
    """
    rows = projections_from(imported)
    layer = project.label_layer
    touched = sorted(set(rows.filter(is_current=True).values_list("unit_id", flat=True)))
    if not touched:
        return
    current = _locked(project, layer, touched)
    Assignment.objects.filter(suggestion__in=rows).update(suggestion=None, shown=[])
    rows.update(is_current=False)
    mark_sources(layer, touched)
    for language in sorted({unit.language for unit in current}):
        regroup(project, touched, language=language)
    refresh_items(project, layer, touched)


def _seen_by_people(suggestions: Iterable[Suggestion], layer: Layer) -> set[int]:
    """The ids of those suggestions that somebody's answer began from, or that were shown with it."""
    units = {row.unit_id for row in suggestions}
    seen: set[int] = set()
    answers = Annotation.objects.filter(unit__in=units, layer=layer).values_list("suggestion_id", "shown")
    for suggestion, shown in answers:
        seen |= {suggestion or 0, *shown}
    return seen


def _supersede(rows: Collection[Suggestion]) -> None:
    Suggestion.objects.filter(pk__in=[row.pk for row in rows]).update(is_current=False)
    Alignment.objects.filter(pk__in=[row.alignment_id for row in rows if row.alignment_id]).update(is_current=False)


def _write_projections(
    job: Job,
    layer: Layer,
    source_language: str,
    carried: Sequence[tuple[CarriedOver, bool]],
    aligner: str,
    revision: str,
    rules: ProjectionRules,
    labels: str,
) -> None:
    ids = reserved(Alignment, len(carried))
    alignments = [
        Alignment(
            pk=pk,
            project_id=job.project_id,
            job=job,
            source_id=one.source,
            target_id=one.target,
            aligner=aligner,
            revision=revision,
            links=[[source, target, round(float(score), PLACES)] for source, target, score in one.links],
            is_current=is_current,
        )
        for pk, (one, is_current) in zip(ids, carried, strict=True)
    ]
    prepared(Alignment, alignments).run()
    suggestions = [
        Suggestion(
            project_id=job.project_id,
            unit_id=one.target,
            layer=layer,
            kind=SuggestionKind.PROJECTION,
            source_language=source_language,
            source_id=one.source,
            job=job,
            alignment=alignment,
            name=aligner,
            revision=revision,
            content={"spans": [span.to_json() for span in one.result.spans]},
            detail={
                "labels": labels,
                "rules": asdict(rules),
                "source_spans": one.source_spans,
                "outcomes": [outcome.to_json() for outcome in one.result.outcomes],
            },
            score=projection_score(one.result.outcomes, one.links),
            span_sources=[[source_language] for _span in one.result.spans],
            is_current=is_current,
        )
        for (one, is_current), alignment in zip(carried, alignments, strict=True)
    ]
    prepared(Suggestion, suggestions).run()


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
                _("The project has no language “%(language)s”; it has %(languages)s.")
                % {"language": language, "languages": ", ".join(project.languages)}
            )
    if source == target:
        raise ActionError(_("Source and target must be two languages."))
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
    units = _locked(project, layer, targets.values())
    content = standing(project, layer, language=source, units=sources.values(), reviewed_only=True)
    reviewed = set(
        Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE).values_list(
            "unit_id", flat=True
        )
    ) | set(Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", flat=True))
    silver = {
        row.unit_id: row
        for row in Suggestion.objects.filter(
            unit__in=units, layer=layer, kind=SuggestionKind.TRANSFER, source_language=source, is_current=True
        )
    }
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
    _supersede([silver[row.unit_id] for row in new if row.unit_id in silver])
    Suggestion.objects.bulk_create(new)
    log_many(
        project=project,
        actor=by,
        verb=Verb.SUGGESTION_TRANSFERRED,
        operation=operation,
        changes=[(row, _silver(silver.get(row.unit_id)), _silver(row)) for row in new],
    )
    refresh_items(project, layer, [row.unit_id for row in new])
    return counts


def _silver(row: Suggestion | None) -> dict[str, Any] | None:
    """A transfer as events tell it."""
    if row is None:
        return None
    return {"unit": row.unit_id, "content": row.content, "source_language": row.source_language}


def refresh_items(project: Project, layer: Layer, units: Collection[int]) -> None:
    """Bring what the units' items in the layer know of suggestions in line with what their stages now show.

    That is: whether something is suggested, and the keys of the orders "most uncertain first" and "labelled first".
    """
    if not units:
        return
    of_content = content_type(layer.content_type)
    items = (
        Item.objects.filter(unit__in=list(units), stage__layer=layer)
        .exclude(state=ItemState.VOID)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .select_related("stage")
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    by_stage: dict[Stage, list[Item]] = {}
    for item in items:
        by_stage.setdefault(item.stage, []).append(item)
    for stage, rows in by_stage.items():
        kind = kind_of(stage)
        shown = shown_in(project, layer, kind, [row.unit_id for row in rows])
        changed: list[Item] = []
        for row in rows:
            suggestions = shown.get(row.unit_id, [])
            suggested = any(of_content.is_labelled(suggestion.content) for suggestion in suggestions)
            new = (suggested, uncertainty(suggestions[0].probabilities if suggestions else ()), int(not suggested))
            if new != (row.suggested, row.uncertainty, row.unlabelled):
                row.suggested, row.uncertainty, row.unlabelled = new
                changed.append(row)
        update_rows(Item, changed, ["suggested", "uncertainty", "unlabelled"])
        if stage.order == Stage.Order.LABELLED:
            place_units(project, Unit.objects.filter(pk__in=[row.unit_id for row in rows]), kind=kind)


def uncertainty(probabilities: Collection[float]) -> float:
    """The place in the order "most uncertain first", 0 to 1: how far from an even chance the closest token is.

    1.0 where no probabilities are known.
    """
    return min((abs(number - 0.5) * 2 for number in probabilities), default=1.0)


def _locked(project: Project, layer: Layer, units: Iterable[int]) -> list[Unit]:
    """Those of the units whose text stands, locked with their items in the layer until the transaction ends."""
    ids = list(units)
    # Without their texts: whoever saves waits for this transaction.
    rows = Unit.objects.only("language", "token_count", "is_current").filter(project=project, pk__in=ids)
    rows = rows.select_for_update(no_key=True).order_by("pk")
    current = [row for row in rows if row.is_current]
    if connection.features.has_select_for_update:
        items = Item.objects.filter(unit__in=ids, stage__layer=layer).order_by("pk")
        list(items.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    return current
