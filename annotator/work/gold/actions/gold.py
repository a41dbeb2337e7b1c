"""Gold: what adjudicators decide, and taking a decision back. Whatever the content type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.counters import FINISHED, add_to_counter
from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError, ConflictError, translate
from annotator.core.events import log
from annotator.core.kind import fitted
from annotator.domain.choosing import Chosen
from annotator.domain.content import Content, ContentError, content_type
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, BlindMark, Gold, GoldSource, Item, Layer, Project, Stage, Unit, User
from annotator.work.answering.actions.policies import (
    check_can_decide,
    check_may_judge,
    check_not_aside,
    check_not_written,
)
from annotator.work.derivation.actions.changes import labels_changed
from annotator.work.derivation.actions.filling import after_gold
from annotator.work.derivation.actions.sources import is_source_changed, see_sources, unsee_sources
from annotator.work.gold.actions.adjudication import (
    close_adjudication,
    redecide_adjudication,
    refresh_adjudication,
    reopen_adjudication,
)
from annotator.work.gold.actions.chosen_from import check_chosen_from, finished, kept
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.lexicon.actions.terms import know_terms
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.actions.order import refresh_order

BATCH = 500


@again_on_deadlock
@transaction.atomic
def decide_gold(  # noqa: PLR0913 -- a decision, what it was chosen from, and who decides, by name
    *,
    project: Project,
    unit: int,
    layer: Layer,
    version: int,
    content: Any,
    chosen: Chosen | None = None,
    reason: str = "",
    by: User | None,
    source: GoldSource = GoldSource.ADJUDICATED,
) -> Gold:
    """Decide the gold of a unit in a layer over the version that was seen (0: none yet). `source`: who decides.

    `chosen`: what it was chosen from, without which no person decides; None where all answers decide together.

    Raises ConflictError when `version` is no longer the newest, ActionError when the content does not fit the layer,
    or what it was chosen from, the layer holds written texts, somebody still works on the unit, its text was replaced,
    or `by` may not judge it.
    """
    check_not_written(layer)
    row, items, standing = held_for_gold(project, unit, layer)
    check_can_decide(row, layer, items, by)
    checked = _checked(row, layer, content)
    before = gold_content(standing)
    # Said once more by a person, it is decided from what stands on its source now.
    is_again = by is not None and before is not None and before["version"] == version and is_source_changed(row, layer)
    if before is not None and (before["content"], before["reason"]) == (checked, reason) and not is_again:
        return _decided(standing)
    seen = {"version": version, "content": checked, "reason": reason}
    _check_version(version, before, seen, layer)
    answers = finished(row, layer)
    if by is not None or chosen is not None:
        check_chosen_from(layer, row, checked, chosen, answers)
    gold = standing or Gold(project=project, unit=row, layer=layer, version=0)
    whose = gold.decided_by_id
    gold.content, gold.reason, gold.reopened = checked, reason, False
    gold.chosen = kept(chosen, answers)
    gold.source, gold.decided_by = source, by
    gold.version += 1
    gold.save()
    log(project=project, actor=by, verb=Verb.GOLD_DECIDED, subject=row, before=before, after=gold_content(gold))
    if before is None:
        _decide_item(project, row, layer, items, user=by)
    else:
        redecide_adjudication(project=project, unit=row, layer=layer, by=by.pk if by else None, before=whose)
    mark_places(row, layer, (), checked)
    labels_changed(layer, [row], by=by)
    if by is not None:
        see_sources(layer, [row.pk])
    know_terms(layer, checked)
    after_gold(layer, [row], by=by)
    return gold


@again_on_deadlock
@transaction.atomic
def reopen_gold(*, project: Project, unit: int, layer: Layer, version: int, by: User | None) -> None:
    """Take a gold decision back, so that the unit can be worked on again.

    Raises ActionError when there is none, ConflictError when `version` is no longer the newest.
    """
    row, items, standing = held_for_gold(project, unit, layer)
    before = gold_content(standing)
    if standing is None or before is None:
        raise ActionError(_("Gold has not been decided here."))
    check_not_aside(row)
    check_may_judge(row, layer, by)
    _check_version(version, before, {"version": version}, layer)
    take_back(row, layer, items, standing, by=by)
    if by is not None:
        # It is theirs to decide again: answers do not by themselves (`gold_of_answers`).
        Gold.all_rows.filter(pk=standing.pk).update(decided_by=by)
        refresh_adjudication(project=project, unit=row, layer=layer)


@again_on_deadlock
@transaction.atomic
def restore_gold(
    *, project: Project, unit: int, layer: Layer, version: int, decided_by: User | None, by: User | None
) -> None:
    """Let gold stand again that `reopen_gold` had taken back, as it was: the decision of `decided_by`.

    Raises ActionError where somebody works on the unit, where something else was decided or answered since, or where
    `by` may not judge it.
    """
    row, items, gold = held_for_gold(project, unit, layer)
    if gold is None or not gold.reopened or gold.version != version:
        raise ActionError(_("Someone else decided on this item after you opened it. Nothing was overwritten."))
    check_can_decide(row, layer, items, by)
    gold.reopened, gold.decided_by = False, decided_by
    gold.version += 1
    gold.save()
    log(project=project, actor=by, verb=Verb.GOLD_DECIDED, subject=row, after=gold_content(gold))
    _decide_item(project, row, layer, items, user=decided_by)
    mark_places(row, layer, (), gold.content)
    labels_changed(layer, [row], by=by)
    after_gold(layer, [row], by=by)


def _decide_item(project: Project, unit: Unit, layer: Layer, items: Iterable[Item], *, user: User | None) -> None:
    """Gold stands on a unit where none stood: its held items are decided, and counted for the person who decided."""
    for item in items:
        change_item(item, user=user, decided=True)
    end_blind([unit.pk], layer)
    close_adjudication(
        project=project, units=[unit.pk], layer=layer, language=unit.language, by=user.pk if user else None
    )
    refresh_order(project, [unit])


def take_back(unit: Unit, layer: Layer, items: Iterable[Item], gold: Gold, *, by: User | None) -> None:
    """Let the gold of a unit, both held with the unit's items in the layer, stand no longer."""
    before = gold_content(gold)
    gold.reopened = True
    gold.save(update_fields=["reopened", "updated_at"])
    before_and_layer = {**(before or {}), "layer": layer.pk}
    log(project=unit.project, actor=by, verb=Verb.GOLD_REOPENED, subject=unit, before=before_and_layer)
    for item in items:
        change_item(item, user=by, decided=False)
    BlindMark.objects.filter(assignment__unit=unit, layer=layer).update(live=True)
    reopen_adjudication(
        project=unit.project,
        unit=unit,
        layer=layer,
        by=by.pk if by else None,
        decided_by=gold.decided_by_id,
        counted=unit.is_current,
    )
    mark_places(unit, layer, _answers(unit, layer))
    labels_changed(layer, [unit], by=by)
    unsee_sources(layer, unit)
    refresh_order(unit.project, [unit])


def write_gold(golds: Sequence[Gold], *, reopened: dict[int, Gold]) -> None:
    """Insert decisions in bulk; where one was reopened, its row is written over."""
    replaced = [reopened[gold.unit_id].pk for gold in golds if gold.unit_id in reopened]
    Gold.all_rows.filter(pk__in=replaced).delete()
    Gold.all_rows.bulk_create(golds, batch_size=BATCH)


def decide_items(items: Sequence[Item], *, by: User | None) -> None:
    """Set locked items decided, and count them once a stage."""
    finished: dict[int, dict[str, int]] = {}
    for item in items:
        sums = finished.setdefault(item.stage_id, {"done": 0, "open": 0})
        if item.state in (*FINISHED, ItemState.VOID) or not item.answers_wanted:
            continue
        sums["done"] += 1
        sums["open"] -= int(item.answers_open + item.answers_done > 0)
    Item.objects.filter(pk__in=[item.pk for item in items]).exclude(state=ItemState.VOID).update(
        state=ItemState.DECIDED
    )
    for stage, sums in finished.items():
        add_to_counter(stage, by, project=items[0].project_id, **sums)


def gold_content(gold: Gold | None) -> dict[str, Any] | None:
    """A gold decision as events and conflicts tell it; None where none stands."""
    if gold is None or gold.reopened:
        return None
    return {
        "version": gold.version,
        "layer": gold.layer_id,
        "content": gold.content,
        "chosen": gold.chosen,
        "reason": gold.reason,
        "source": str(gold.source),
    }


def held_for_gold(project: Project, unit: int, layer: Layer) -> tuple[Unit, list[Item], Gold | None]:
    """The unit and its items in the layer's stages, held until the transaction ends, and its gold, reopened or not."""
    # The unit first, as everybody else: in another stage of the layer it may be assigned blind.
    found = Unit.objects.published().select_related("segment").filter(pk=unit, project=project)
    row = found.select_for_update(no_key=True, of=("self",)).first()
    if row is None:
        raise ActionError(_("There is no such item in this project."))
    row.project = project
    items = list(
        Item.objects.filter(unit=row, stage__layer=layer)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .exclude(state=ItemState.VOID)
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    return row, items, Gold.all_rows.filter(unit=row, layer=layer).select_for_update(no_key=True).first()


def _checked(row: Unit, layer: Layer, content: Any) -> Content:
    """The content as the layer holds it. Raises ActionError when it does not fit there."""
    try:
        checked = content_type(layer.content_type).check(
            content, scheme=layer.scheme_data, tokens=row.tokens, done=True
        )
        return fitted(layer.content_type, row, checked, done=True)
    except ContentError as error:
        raise ActionError(translate(error)) from error


def _check_version(version: int, before: dict[str, Any] | None, mine: dict[str, Any], layer: Layer) -> None:
    if version != (before["version"] if before else 0):
        raise ConflictError(
            _("Someone else decided on this item after you opened it. Nothing was overwritten."),
            theirs={"version": 0, "content": None, "reason": "", "source": "", **(before or {}), "layer": layer.slug},
            mine=mine,
        )


def _decided(gold: Gold | None) -> Gold:
    if gold is None:
        raise ValueError("There is no gold.")
    return gold


def end_blind(units: Iterable[int], layer: Layer) -> None:
    """Gold is decided on the units: nobody is blind there any more."""
    BlindMark.objects.filter(assignment__unit__in=list(units), layer=layer, live=True).update(live=False)


def _answers(unit: Unit, layer: Layer) -> list[Answer]:
    rows = Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE).order_by("pk")
    return [Answer(mode, content, user) for mode, content, user in rows.values_list("mode", "content", "user_id")]
