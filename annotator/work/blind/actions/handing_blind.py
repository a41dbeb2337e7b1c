"""Giving people items to answer blind, by name."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from annotator.core.counters import add_to_counter
from annotator.core.errors import ActionError
from annotator.core.events import log_many
from annotator.core.kind import is_beside, kind_of
from annotator.core.permissions import GRANTS, works_in
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Item, Membership, Stage, Unit, User
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.gold.actions.adjudication import withdraw_adjudication
from annotator.work.queue.actions.items import change_item, place_of
from annotator.work.queue.queries.free import answered_elsewhere

# One answer is compared with nothing.
FEWEST = 2


def check_people(stage: Stage, users: Sequence[User]) -> None:
    """Whether these people can be given work of a stage. Raises ActionError."""
    if not users:
        raise ActionError(_("Choose at least one person for the blind sample."))
    members = {row.user_id: row for row in Membership.objects.filter(project=stage.project_id, user__in=users)}
    for user in users:
        member = members.get(user.pk)
        if member is None:
            raise ActionError(_("%(name)s is not a member of this project.") % {"name": user})
        if not user.is_active:
            raise ActionError(_("The account of %(name)s is deactivated. Choose someone else.") % {"name": user})
        if kind_of(stage).needs not in GRANTS[member.role]:
            raise ActionError(_("The role of %(name)s does not allow work in this stage.") % {"name": user})
        if not works_in(member.languages, stage.language):
            raise ActionError(
                _("%(name)s is not assigned work in “%(language)s”. The members page shows everyone's languages.")
                % {"name": user, "language": stage.language}
            )


def hold_units(units: Iterable[Unit]) -> None:
    """Anyone who saves, claims or decides on these units waits until the transaction ends. What was seen, answered or
    decided is asked after it."""
    rows = Unit.objects.select_for_update(no_key=True).filter(pk__in={unit.pk for unit in units})
    list(rows.order_by("pk").values_list("pk"))


def hand_out(
    user: User, stage: Stage, units: Iterable[Unit], by: User | None, operation: uuid.UUID | None = None
) -> tuple[int, int]:
    """Give a person those of the held units that they do not have: how many these are, and how many they had."""
    wanted = list(units)
    items = _items(stage, wanted)
    mine = {
        row.item_id: row
        for row in Assignment.objects.filter(stage=stage, user=user, item__in=[item.pk for item in items.values()])
    }
    elsewhere = answered_elsewhere(stage, user, wanted)
    # Saved since the sample was drawn, on an item that had gone back.
    reviewed = Annotation.objects.filter(layer=stage.layer, user=user, unit__in=wanted, mode=Mode.REVIEW)
    theirs = elsewhere | set(reviewed.values_list("unit_id", flat=True))
    new: list[Assignment] = []
    old = 0
    for unit in wanted:
        item = items[unit.pk]
        row = mine.get(item.pk)
        if unit.pk in theirs or (row is not None and row.state != AssignmentState.RETURNED):
            old += 1
            continue
        if row is None:
            row = Assignment(project_id=stage.project_id, stage=stage, item=item, user=user, reading=item.reading)
        row.unit, row.mode, row.state, row.expires_at = unit, Mode.BLIND, AssignmentState.OPEN, None
        row.suggestion, row.shown, row.context = None, [], stage.shown_context
        row.save()
        new.append(row)
        if is_beside(stage, Mode.BLIND):
            change_item(item, user=None, extra_open=1)
        else:
            # An answer that is asked for by name comes beside those that the stage wants, where these are taken.
            fewest = FEWEST if item.answers_wanted else 0
            wants = max(item.answers_wanted, item.answers_open + item.answers_done + 1, fewest)
            change_item(item, user=None, answers_open=1, answers_wanted=wants)
    if new:
        add_to_counter(stage, user, project=stage.project_id, blind_open=len(new))
    mark_blind(new, stage)
    withdraw_adjudication([row.unit_id for row in new], stage.layer_id)
    log_many(
        project=stage.project_id,
        actor=by,
        verb=Verb.ASSIGNMENT_BLIND,
        operation=operation,
        changes=[(row, None, {"stage": stage.pk, "unit": row.unit_id, "user": user.pk}) for row in new],
    )
    return len(new), old


def _items(stage: Stage, units: Sequence[Unit]) -> dict[int, Item]:
    """The locked items of the units in the stage; one that another stage holds gets an item for blind answers alone."""
    rows = Item.objects.filter(stage=stage, unit__in=[unit.pk for unit in units]).exclude(state=ItemState.VOID)
    found = {item.unit_id: item for item in rows.select_for_update(no_key=True).order_by("pk")}
    missing = [
        Item(
            project_id=stage.project_id,
            stage=stage,
            unit=unit,
            reading=place_of(unit),
            answers_wanted=0,
            state=ItemState.DONE,
        )
        for unit in units
        if unit.pk not in found
    ]
    return found | {item.unit_id: item for item in Item.objects.bulk_create(missing, batch_size=500)}
