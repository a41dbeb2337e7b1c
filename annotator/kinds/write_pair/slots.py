"""Empty pairs: the units that people write on who write from nothing."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import hold_memberships
from annotator.core.errors import ActionError
from annotator.domain.states import AssignmentState
from annotator.models import Annotation, Assignment, Segment, Stage, Unit, User
from annotator.work.queue.actions.assignments import assign_review, own_open
from annotator.work.queue.actions.items import enter
from annotator.work.queue.queries.progress import held_in_advance

SLOT = "pair-slot"
DATASET = "written"


def available(stage: Stage, user: User) -> int:
    """How many more pairs the user writes: up to the layer's target for each person."""
    target: int = stage.layer.scheme_data.get("target", 0)
    if not target:
        return 1
    return max(0, target - _own(stage, user).exclude(held_in_advance()).count())


def quota(stage: Stage, user: User, count: int) -> int:
    """How many of `count` empty pairs the user may be given."""
    target: int = stage.layer.scheme_data.get("target", 0)
    return min(count, max(0, target - _own(stage, user).count())) if target else count


def create(stage: Stage, user: User, count: int) -> bool:
    """Make empty pairs for the user, up to the target."""
    count = quota(stage, user, count)
    if count <= 0:
        return False
    new_slots(stage, count)
    return True


def _own(stage: Stage, user: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(stage=stage, user=user).exclude(state=AssignmentState.RETURNED)


def new_slots(stage: Stage, count: int) -> list[Unit]:
    """So many more empty pairs, free in the stage."""
    slots = stage.project.slots.filter(kind=SLOT)
    last = slots.aggregate(last=Max("position"))["last"] or 0
    units = []
    for more in range(1, count + 1):
        segment = Segment.objects.create(
            project_id=stage.project_id,
            # No id of a stage or person: a restored archive has others.
            uid=f"{DATASET}:{uuid.uuid4().hex[:12]}",
            kind=SLOT,
            dataset=DATASET,
            position=last + more,
        )
        units.append(
            Unit.objects.create(
                project_id=stage.project_id, segment=segment, kind=SLOT, language=stage.language, touches=[segment.pk]
            )
        )
    enter(stage, units)
    return units


@again_on_deadlock
@transaction.atomic
def own_slot(*, stage: Stage, user: User) -> Assignment:
    """One more empty pair of the user's: they filled another one in two windows at once, and both must be kept.

    With a target it may be one that they have and did not begin. Raises ActionError where there is none.
    """
    # Two windows at once: both would count the same ones.
    hold_memberships(stage.project_id, [user])
    if available(stage, user) and quota(stage, user, 1):
        [unit] = new_slots(stage, 1)
        assign_review(stage=stage, units=[unit.pk], user=user, by=user)
        return own_open(stage, user).get(unit=unit)
    begun = Annotation.objects.filter(layer=stage.layer_id, user=user).values("unit")
    untouched = own_open(stage, user).exclude(unit__in=begun).last()
    if untouched is None:
        raise ActionError(_("You have written as many pairs as you were asked for. Thank you."))
    return untouched
