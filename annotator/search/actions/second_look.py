"""A second look at pairs with a tag: given to a person again, and the undo of that.

Nothing that was answered is lost. Answers of the person are opened again with what they say; beside answers of others
one more is wanted; gold is reopened, and stands again after the undo. Each pair is written in a transaction of its own,
so that nobody who works beside it waits for the whole act; the last event says what was done, and its undo reads it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.errors import ActionError, NotYoursError
from annotator.core.events import log
from annotator.core.permissions import Permission
from annotator.core.policies import check_open
from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Gold, Item, Stage, User
from annotator.search.queries.pairs import Tagged, act_of, people_of, second_look, tagged
from annotator.work.answering.actions.reopened_answers import finish_again, reopen_answer
from annotator.work.gold.actions.gold import reopen_gold, restore_gold
from annotator.work.queue.actions.assignments import assign_review
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import make_room


@dataclass(slots=True)
class _Act:
    """What is being done, and what came of it so far, as its event tells it."""

    access: Access
    stage: Stage
    user: User
    now: datetime
    operation: uuid.UUID = field(default_factory=uuid.uuid4)
    gold: list[list[Any]] = field(default_factory=list)
    opened: list[list[Any]] = field(default_factory=list)
    given: list[list[Any]] = field(default_factory=list)
    refused: list[list[Any]] = field(default_factory=list)


def give_again(*, access: Access, asked: Tagged, user: User, now: datetime) -> uuid.UUID:
    """Give the pairs with a tag to a person to look at again, as `second_look` counts them. Returns the operation.

    Raises ActionError where nothing can be given, or where the person may not work in the stage.
    """
    check_open(access.project)
    access.require(Permission.MANAGE)
    if user not in people_of(asked.stage):
        raise ActionError(_("%(name)s can't work in this stage.") % {"name": user})
    found = second_look(asked.stage, tagged(access, asked), user)
    if not found.units:
        raise ActionError(_("There are no pairs with this tag that can be assigned to %(name)s.") % {"name": user})
    act = _Act(access, asked.stage, user, now)
    for unit in found.units:
        try:
            _give(act, unit, found.own.get(unit), decided=unit in found.gold)
        except ActionError as error:
            act.refused.append([unit, str(error)])
    log(
        project=access.project,
        actor=access.user,
        verb=Verb.PAIRS_GIVEN_AGAIN,
        subject=access.project,
        after={
            "tag": asked.tag, "stage": asked.stage.pk, "user": user.pk,
            "gold": act.gold, "opened": act.opened, "given": act.given, "refused": act.refused,
        },
        operation=act.operation,
    )  # fmt: skip
    return act.operation


@transaction.atomic
def _give(act: _Act, unit: int, own: int | None, *, decided: bool) -> None:
    """One pair: all of it or nothing."""
    project, layer, by = act.access.project, act.stage.layer, act.access.user
    gold = Gold.objects.get(unit=unit, layer=layer) if decided else None
    if gold is not None:
        reopen_gold(project=project, unit=unit, layer=layer, version=gold.version, by=by)
    if own is not None:
        row = Assignment.objects.select_related("user").get(pk=own)
        saved = reopen_answer(project=project, assignment=row, by=by, now=act.now, operation=act.operation)
        opened, given = [[own, saved.version]], list[list[Any]]()
    else:
        items = Item.objects.select_related("unit", "stage").filter(stage=act.stage, unit=unit)
        for item in items.select_for_update(no_key=True, of=("unit", "self")):
            make_room(item)
        if not assign_review(stage=act.stage, units=[unit], user=act.user, by=by):
            raise ActionError(_("This pair can't be assigned to %(name)s.") % {"name": act.user})
        row = Assignment.objects.select_related("stage").get(stage=act.stage, unit=unit, user=act.user)
        opened, given = [], [[row.pk, _version(row)]]
    # What of an act was written is told once it is all written.
    act.opened += opened
    act.given += given
    if gold is not None:
        act.gold.append([unit, gold.version, gold.decided_by_id])


def undo_give_again(*, access: Access, operation: uuid.UUID, now: datetime) -> tuple[int, int]:
    """Undo `give_again`: answers are finished as they were, what was assigned is taken away, gold stands again. What
    the person has saved something on stays with them. Returns how many pairs were undone, and how many not.

    Raises NotYoursError for an act of somebody else or none, ActionError for one that is undone already.
    """
    check_open(access.project)
    access.require(Permission.MANAGE)
    event, undone = act_of(access, operation)
    if event is None:
        raise NotYoursError(_("There is nothing to undo."))
    if undone is not None:
        raise ActionError(_("This was already undone."))
    told: dict[str, Any] = event.after or {}
    gold = {unit: (version, whose) for unit, version, whose in told["gold"]}
    opened, given = dict(told["opened"]), dict(told["given"])
    rows = Assignment.objects.filter(project=access.project, pk__in=[*opened, *given])
    restored = 0
    for row in rows.select_related("user", "stage__layer", "unit").order_by("pk"):
        row.stage.project = access.project
        try:
            _take_back(access, row, opened.get(row.pk), given.get(row.pk), gold.get(row.unit_id), now, operation)
            restored += 1
        except ActionError:
            continue
    kept = len(opened) + len(given) - restored
    log(
        project=access.project,
        actor=access.user,
        verb=Verb.PAIRS_GIVEN_AGAIN_UNDONE,
        subject=access.project,
        after={"restored": restored, "kept": kept},
        operation=operation,
    )
    return restored, kept


@transaction.atomic
def _take_back(
    access: Access,
    row: Assignment,
    opened: int | None,
    given: int | None,
    gold: tuple[int, int | None] | None,
    now: datetime,
    operation: uuid.UUID,
) -> None:
    """One pair: all of it or nothing. `opened`, `given`: the version of the answer after the act."""
    project, layer, by = access.project, row.stage.layer, access.user
    if opened is not None:
        finish_again(project=project, assignment=row, version=opened, by=by, now=now, operation=operation)
    elif row.state != AssignmentState.OPEN or _version(row) != given:
        raise ActionError(_("The answer was changed in the meantime."))
    else:
        give_back([row.pk], by=by, verb=Verb.ASSIGNMENT_FREED)
    if gold is not None:
        version, whose = gold
        decided_by = User.objects.filter(pk=whose or 0).first()
        restore_gold(project=project, unit=row.unit_id, layer=layer, version=version, decided_by=decided_by, by=by)


def _version(row: Assignment) -> int:
    answers = Annotation.objects.filter(unit=row.unit_id, layer=row.stage.layer_id, user=row.user_id)
    return answers.values_list("version", flat=True).first() or 0
