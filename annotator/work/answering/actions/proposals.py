"""Suggestions of a person on items of others: adding or removing a label. They do not change any answer.

They are shown like other suggestions, with the name of the person, and never in blind work. People who have not started
begin from them. Others see them beside their answer, and in the list of sentences.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError, translate
from annotator.core.events import log
from annotator.core.kind import kind_of
from annotator.domain.content import ContentError, content_type
from annotator.domain.labels.label_words import with_label, without_label
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Layer, Project, Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.answering.actions.suggestions import locked, refresh_items
from annotator.work.answering.queries.suggestions import shown_in

Change = tuple[str, frozenset[int], bool]


@again_on_deadlock
@transaction.atomic
def propose(
    *,
    project: Project,
    stage: Stage,
    unit: Unit,
    label: str,
    words: Collection[int],
    remove: bool,
    by: User,
    operation: uuid.UUID,
) -> tuple[Suggestion, int | None] | None:
    """Suggest `label` on these words (tokens) of the unit, or with `remove` that it goes. Returns it, and the earlier
    one (id) that it follows.

    None: the same is suggested already. Raises ActionError when the text was replaced or the labels do not fit.
    """
    layer = stage.layer
    if not locked(project, layer, [unit.pk]):
        raise ActionError(_("The text has changed. Continue with its new revision."))
    begins = next(iter(shown_in(project, layer, kind_of(stage), [unit.pk]).get(unit.pk, ())), None)
    before = current_proposal(layer, unit.pk)
    base = before or begins
    spans = spans_from_json(base.content["spans"]) if base is not None else []
    changed = without_label(spans, words, label) if remove else with_label(spans, words, label)
    if before is not None and _says(before) == (label, frozenset(words), remove):
        return None
    try:
        content = content_type(layer.content_type).check(
            {"spans": [span.to_json() for span in changed]}, scheme=layer.scheme_data, tokens=unit.tokens, done=False
        )
    except ContentError as error:
        raise ActionError(translate(error)) from error
    if before is not None:
        Suggestion.objects.filter(pk=before.pk).update(is_current=False)
    made = Suggestion.objects.create(
        project=project,
        unit=unit,
        layer=layer,
        kind=SuggestionKind.PROPOSAL,
        name=str(by)[:200],
        content=content,
        # How likely each word is stays what a detector said.
        probabilities=base.probabilities if base is not None else [],
        threshold=base.threshold if base is not None else None,
        detail={"label": label, "words": sorted(words), "remove": remove},
    )
    refresh_items(project, layer, [unit.pk])
    replaced = before.pk if before is not None else None
    after = {"unit": unit.pk, "layer": layer.pk, "replaces": replaced, **made.detail}
    log(project=project, actor=by, verb=Verb.SUGGESTION_PROPOSED, subject=made, after=after, operation=operation)
    return made, replaced


@again_on_deadlock
@transaction.atomic
def withdraw_proposal(*, project: Project, proposal: int, replaces: int | None, by: User, operation: uuid.UUID) -> bool:
    """Withdraw a suggestion, and restore the one before it. Returns False without a change if another one followed it,
    or if somebody has started from it."""
    row = Suggestion.objects.filter(project=project, pk=proposal).select_related("layer").first()
    if row is None or not locked(project, row.layer, [row.unit_id]):
        return False
    if Annotation.objects.filter(suggestion=row).exists():
        return False
    if not Suggestion.objects.filter(pk=row.pk, is_current=True).update(is_current=False):
        return False
    if replaces is not None:
        Suggestion.objects.filter(project=project, unit=row.unit_id, layer=row.layer_id, pk=replaces).update(
            is_current=True
        )
    refresh_items(project, row.layer, [row.unit_id])
    log(project=project, actor=by, verb=Verb.SUGGESTION_WITHDRAWN, subject=row, before=row.detail, operation=operation)
    return True


def current_proposal(layer: Layer, unit: int) -> Suggestion | None:
    """What is suggested on a unit by a person now."""
    rows = Suggestion.objects.filter(unit=unit, layer=layer, kind=SuggestionKind.PROPOSAL, is_current=True)
    return rows.first()


def _says(proposal: Suggestion) -> Change:
    detail = proposal.detail
    return detail.get("label", ""), frozenset(detail.get("words", ())), bool(detail.get("remove"))
