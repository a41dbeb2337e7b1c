"""Many items of a stage given to people at once; taken back or moved where nobody has started them.

Each chunk is a transaction of its own, so that nobody who works beside it waits for the whole; one operation holds them
together. What was saved on an item keeps it with its person.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import hold_memberships, lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.batches import batches
from annotator.domain.dealing.deal import Order, Plan
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Assignment, Item, Stage, Unit, User
from annotator.work.blind.actions.handing_blind import check_people, hand_out, hold_units
from annotator.work.queue.actions.assignments import assign_review
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import change_item, make_room
from annotator.work.queue.queries.dealing import (
    Wanted,
    assigned_by,
    barring,
    blind_refusal,
    dealing_event,
    preview,
    refusal,
    unstarted,
)
from annotator.work.queue.queries.progress import held_in_advance

CHUNK = 200


def deal_items(*, stage: Stage, wanted: Wanted, by: User, operation: uuid.UUID) -> dict[int, int]:
    """Assign items as `queries.dealing.preview` says it now. Returns by person how many they got.

    `operation` is the name of this assignment: one that was made already is not made twice. What somebody took
    meanwhile, or must not have any more, is left out.
    Raises ActionError where nothing of the stage can be assigned so, or to these people, or where nothing is left.
    """
    check_wanted(stage, wanted)
    plan = _begin(stage, wanted, by, operation)
    given = dict.fromkeys((user.pk for user in wanted.users), 0)
    if plan is not None:
        for units in batches(dict.fromkeys(unit for items in plan.given.values() for unit in sorted(items)), CHUNK):
            for user, number in _assign(stage, wanted, plan, units, by, operation).items():
                given[user] += number
    return given


def check_wanted(stage: Stage, wanted: Wanted) -> None:
    """Whether items of the stage can be assigned so, and to these people. Raises ActionError."""
    check_open(stage.project)
    why = refusal(stage) or (blind_refusal(stage) if wanted.blind else "")
    if why:
        raise ActionError(why)
    if not wanted.users:
        raise ActionError(_("Choose at least one person."))
    check_people(stage, wanted.users)
    if wanted.order.shared and wanted.order.sharers > len(wanted.users):
        raise ActionError(
            _("Shared items can't go to more people than you chose (%(number)d).") % {"number": len(wanted.users)}
        )


@again_on_deadlock
@transaction.atomic
def _begin(stage: Stage, wanted: Wanted, by: User, operation: uuid.UUID) -> Plan | None:
    """Say that the assignment is made; None where it was made already."""
    lock_project(stage.project)
    if dealing_event(stage, operation) is not None:
        return None
    found = preview(stage, wanted)
    if not found.given:
        raise ActionError(_("There is nothing to assign: these people can't be given any of the items that are left."))
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ASSIGNMENT_DEALT,
        subject=stage,
        after={
            "user": [user.pk for user in wanted.users], "order": asdict(wanted.order), "strata": list(wanted.strata),
            "blind": wanted.blind, "items": found.given, "shared": found.shared,
        },
        operation=operation,
    )  # fmt: skip
    return found.plan


@again_on_deadlock
@transaction.atomic
def _assign(
    stage: Stage, wanted: Wanted, plan: Plan, chunk: Sequence[int], by: User, operation: uuid.UUID
) -> dict[int, int]:
    """Give these units to the people who are to have them. Whether they still can is asked under the lock."""
    hold_memberships(stage.project_id, wanted.users)
    units = Unit.objects.select_related("segment").filter(pk__in=chunk, is_current=True).in_bulk()
    hold_units(units.values())
    why = barring(stage, wanted)(list(units.values()))
    blind_by_name = wanted.blind and stage.mode != Mode.BLIND
    if not blind_by_name:
        _want_sharers(stage, plan.shared.intersection(units), wanted.order.sharers)
    given: dict[int, int] = {}
    for user in wanted.users:
        planned = set(plan.given[user.pk])
        mine = [unit for pk, unit in units.items() if pk in planned and not why.bars(user, pk)]
        if blind_by_name:
            given[user.pk], _had = hand_out(user, stage, mine, by, operation)
        elif mine:
            ids = [unit.pk for unit in mine]
            given[user.pk] = assign_review(stage=stage, units=ids, user=user, by=by, operation=operation)
    return given


def _want_sharers(stage: Stage, units: frozenset[int], sharers: int) -> None:
    """Want so many answers of the held units' items, where nobody has begun them."""
    rows = Item.objects.filter(stage=stage, unit__in=units, state=ItemState.FREE, answers_open=0, answers_done=0)
    for item in rows.exclude(answers_wanted=sharers).select_for_update(no_key=True).order_by("unit"):
        change_item(item, user=None, answers_wanted=sharers)


def undo_dealing(*, stage: Stage, operation: uuid.UUID, by: User) -> tuple[int, int]:
    """Take back what an assignment gave and nobody has started. Returns how many items that were, and how many stay.

    Raises ActionError where there was no such assignment in the stage.
    """
    check_open(stage.project)
    if dealing_event(stage, operation) is None:
        raise ActionError(_("There is nothing to undo."))
    returned = 0
    rows = unstarted(assigned_by(stage, operation)).exclude(held_in_advance())
    for ids in batches(list(rows.values_list("pk", flat=True)), CHUNK):
        returned += _take_back(ids, by)
    kept = assigned_by(stage, operation).exclude(state=AssignmentState.RETURNED).count()
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ASSIGNMENT_DEALT_UNDONE,
        subject=stage,
        after={"returned": returned, "kept": kept},
        operation=operation,
    )
    return returned, kept


@again_on_deadlock
@transaction.atomic
def _take_back(ids: Sequence[int], by: User) -> int:
    rows = _held_unstarted(ids)
    return give_back([row.pk for row in rows], by=by, verb=Verb.ASSIGNMENT_FREED) if rows else 0


def _held_unstarted(ids: Sequence[int]) -> list[Assignment]:
    """Those of the assignments that nobody has started, with their units held: a save waits, or came before."""
    found = Assignment.objects.filter(pk__in=ids).select_related("unit")
    hold_units([row.unit for row in found])
    return list(unstarted(Assignment.objects.filter(pk__in=ids)).select_related("unit__segment").order_by("unit"))


def move_unstarted(
    *, stage: Stage, user: User, mode: str, to: User | None, count: int | None, by: User
) -> tuple[int, int]:
    """Move up to `count` items (None: all) that a person has not started to somebody else, or back to the queue where
    `to` is None; the last in order first. Returns how many were moved, and how many stay since `to` cannot have them.

    Raises ActionError where `to` cannot be given work of the stage.
    """
    check_open(stage.project)
    if why := refusal(stage):
        raise ActionError(why)
    if to is not None:
        if to == user:
            raise ActionError(_("Choose someone else: %(name)s already has these items.") % {"name": to})
        check_people(stage, [to])
    rows = unstarted(Assignment.objects.filter(stage=stage, user=user, mode=mode)).exclude(held_in_advance())
    operation = uuid.uuid4()
    moved = refused = 0
    ids = list(rows.order_by("-reading", "-pk").values_list("pk", flat=True))
    for chunk in batches(ids, CHUNK):
        left = None if count is None else count - moved
        if left == 0:
            break
        went, stayed = _move(stage, chunk, to, left, mode, by, operation)
        moved, refused = moved + went, refused + stayed
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ASSIGNMENT_MOVED,
        subject=stage,
        after={
            "user": user.pk,
            "mode": mode,
            "to": {"user": to.pk} if to else None,
            "moved": moved,
            "refused": refused,
        },
        operation=operation,
    )
    return moved, refused


@again_on_deadlock
@transaction.atomic
def _move(
    stage: Stage, ids: Sequence[int], to: User | None, most: int | None, mode: str, by: User, operation: uuid.UUID
) -> tuple[int, int]:
    if to is not None:
        hold_memberships(stage.project_id, [to])
    found = {row.pk: row for row in _held_unstarted(ids)}
    rows = [found[pk] for pk in ids if pk in found]
    refused = 0
    if to is not None:
        blind = mode == Mode.BLIND
        why = barring(stage, Wanted([to], Order(), blind=blind))([row.unit for row in rows])
        can = [row for row in rows if not why.bars(to, row.unit_id)]
        refused, rows = len(rows) - len(can), can
    rows = rows[:most]
    if not rows:
        return 0, refused
    give_back([row.pk for row in rows], by=by, verb=Verb.ASSIGNMENT_FREED)
    if to is None:
        return len(rows), refused
    if mode == Mode.BLIND and stage.mode != Mode.BLIND:
        moved, _had = hand_out(to, stage, [row.unit for row in rows], by, operation)
        return moved, refused
    units = [row.unit_id for row in rows]
    for item in Item.objects.filter(stage=stage, unit__in=units).select_for_update(no_key=True).order_by("unit"):
        make_room(item)
    return assign_review(stage=stage, units=units, user=to, by=by, operation=operation), refused
