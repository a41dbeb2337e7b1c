"""Blind work in any stage: the same random sample of its items for several people, whatever is answered there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.actions.blind import BlindSummary, assign_blind, draw_from
from annotator.actions.deadlocks import again_on_deadlock
from annotator.actions.errors import ActionError
from annotator.actions.events import log
from annotator.actions.handing_blind import check_people, hand_out, hold_units
from annotator.actions.locks import hold_memberships, lock_project
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.kind import kind_of
from annotator.models import Annotation, Assignment, Item, Stage, Unit, User
from annotator.queries.blind_subset import no_subset, sentence_stage
from annotator.queries.free import barred_units


def assign_blind_items(
    *, stage: Stage, users: Sequence[User], count: int, seed: int, by: User | None
) -> list[BlindSummary]:
    """Give each of `users` the same random sample of about `count` items of a stage to answer blind.

    Each of them is then wanted of so many people, of two at least; the others as before. Groups and seed are as
    `assign_blind` says, which is called for the stage in which sentences are labelled. Left out is what is decided or
    has gone on to the next stage, and for a person what they wrote or have seen with suggestions.
    Raises ActionError where people's answers are not compared, and where there is nothing to draw from.
    """
    stages = list(stage.project.stages.select_related("layer"))
    if stage == sentence_stage(stages, stage.language):
        return assign_blind(project=stage.project, language=stage.language, users=users, pairs=count, seed=seed, by=by)
    if refusal := no_subset(stage, stages):
        raise ActionError(refusal)
    if count < 1:
        raise ActionError(_("Say how many items to draw: at least 1."))
    check_people(stage, users)
    return _assign(stage, users, count, seed, by)


@again_on_deadlock
@transaction.atomic
def _assign(stage: Stage, users: Sequence[User], count: int, seed: int, by: User | None) -> list[BlindSummary]:
    lock_project(stage.project)
    hold_memberships(stage.project_id, users)
    sample = _draw(stage, count, seed)
    if not sample and kind_of(stage).supply(stage, users[0], count):
        sample = _draw(stage, count, seed)
    if not sample:
        raise ActionError(kind_of(stage).lacks(stage) or _("There is nothing in this stage yet."))
    hold_units(sample)
    decided = _decided(stage, sample)
    left = [unit for unit in sample if unit.pk not in decided]
    summaries = [_assign_to(user, stage, left, len(decided), by) for user in users]
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ASSIGNMENT_SAMPLE,
        subject=stage,
        after={"language": stage.language, "seed": seed, "units": [unit.pk for unit in sample]},
    )
    return summaries


def _draw(stage: Stage, count: int, seed: int) -> list[Unit]:
    items = Item.objects.filter(stage=stage).exclude(state=ItemState.VOID)
    return draw_from(Unit.objects.published().filter(pk__in=items.values("unit"), is_current=True), count, seed)


def _decided(stage: Stage, sample: Sequence[Unit]) -> Collection[int]:
    """Those of the units (ids) on which another answer comes too late."""
    kind = kind_of(stage)
    over = [ItemState.DECIDED, *([ItemState.DONE] if kind.follows and kind.goes_on else [])]
    rows = Item.objects.filter(stage=stage, unit__in=sample, state__in=over)
    return set(rows.values_list("unit_id", flat=True))


def _assign_to(user: User, stage: Stage, units: Sequence[Unit], decided: int, by: User | None) -> BlindSummary:
    seen = _seen(user, stage, units) if kind_of(stage).suggests else set()
    unseen = [unit for unit in units if unit.pk not in seen]
    own = barred_units(stage, user, unseen)
    new, old = hand_out(user, stage, [unit for unit in unseen if unit.pk not in own], by)
    return BlindSummary(user=user, items=new, already=old, seen=len(seen), own=len(own), decided=decided)


def _seen(user: User, stage: Stage, units: Sequence[Unit]) -> set[int]:
    """Those of the units (ids) on which the user has worked in the layer with suggestions in sight, in any language."""
    segments = {unit.segment_id for unit in units}
    claimed = Assignment.objects.filter(
        user=user, mode=Mode.REVIEW, stage__layer=stage.layer_id, unit__segment__in=segments
    ).exclude(state=AssignmentState.RETURNED)
    written = Annotation.objects.filter(user=user, mode=Mode.REVIEW, layer=stage.layer_id, unit__segment__in=segments)
    worked = {pk for rows in (claimed, written) for pk in rows.values_list("unit__segment_id", flat=True)}
    return {unit.pk for unit in units if unit.segment_id in worked}
