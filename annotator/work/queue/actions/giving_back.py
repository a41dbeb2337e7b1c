"""Items go back from people to the queue: by a lease that ends, by themselves, or taken away."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import connection, transaction

from annotator.core.counters import OWN
from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.events import log_many
from annotator.core.kind import is_beside, is_open_ended, kind_of, on_change
from annotator.core.prepared import fetch
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Stage, User
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.queue.actions.items import change_item

EXPIRED_PER_CHUNK = 100


def return_expired(*, stage: Stage, now: datetime, keep: Collection[int] = (), user: User | None = None) -> int:
    """Give back what was claimed and not worked on in time. Returns how many; a later claim returns the rest."""
    time = connection.ops.adapt_datetimefield_value(now)
    expired = fetch(_EXPIRED, [stage.pk, time, AssignmentState.OPEN.value])
    # What a page still holds is claimed again with this very call.
    rows = [pk for pk, owner in expired if user is None or owner != user.pk or pk not in keep]
    return give_back(rows, by=None, verb=Verb.ASSIGNMENT_EXPIRED, expired_at=now) if rows else 0


# In the order of their index, which holds what is held ahead alone: by id, PostgreSQL walks through all assignments.
_EXPIRED = f"""
SELECT id, user_id FROM annotator_assignment WHERE stage_id = %s AND expires_at < %s AND state = %s
ORDER BY expires_at LIMIT {EXPIRED_PER_CHUNK}"""  # noqa: S608 -- a number of our own


def give_back(assignments: Collection[int], *, by: User | None, verb: Verb, expired_at: datetime | None = None) -> int:
    """Return open assignments, so that others can have their items. What was saved on them stays on record.

    Where more answers were wanted than the stage wants, and one is taken away, one less is; what follows from the
    others is done if all of them are there. `expired_at`: only those whose time is over then, asked under the lock: a
    save may have come in between.
    """
    found = (
        Assignment.objects.select_for_update(no_key=True, of=("unit", "self", "item"))
        .select_related("item", "stage__layer", "project", "unit__segment")
        .filter(pk__in=assignments, state=AssignmentState.OPEN)
        .order_by("unit", "item", "pk")
    )
    rows = list(found if expired_at is None else found.filter(expires_at__lt=expired_at))
    # Two answers to one item change the same counts.
    items = {row.item_id: row.item for row in rows}
    for row in rows:
        row.item = items[row.item_id]
        extra = is_beside(row.stage, row.mode)
        change_item(
            row.item,
            user=row.user_id,
            answers_open=0 if extra else -1,
            extra_open=-1 if extra else 0,
            answers_wanted=None if extra else _wanted_without(row, verb),
            own={f"{OWN[Mode(row.mode)]}_open": -1},
        )
    Assignment.objects.filter(pk__in=[row.pk for row in rows]).update(state=AssignmentState.RETURNED, expires_at=None)
    log_many(
        project=rows[0].project if rows else None,
        actor=by,
        verb=verb,
        changes=[
            (row, {"stage": row.stage_id, "unit": row.unit_id, "user": row.user_id, "mode": row.mode}, None)
            for row in rows
        ],
    )
    # A blind answer that is taken away blinds no more.
    for row in rows:
        if row.mode == Mode.BLIND:
            row.blind_marks.all().delete()
    # Where others have answered, in whichever stage, theirs may be the last that was waited for.
    done = Annotation.objects.filter(unit__in=[row.unit_id for row in rows], state=AnnotationState.DONE)
    answered = set(done.values_list("unit_id", "layer_id"))
    for row in {row.item_id: row for row in rows if (row.unit_id, row.stage.layer_id) in answered}.values():
        refresh_adjudication(project=row.project, unit=row.unit, layer=row.stage.layer)
        if row.item.state == ItemState.DONE and kind_of(row.stage).outcome is not None:
            on_change(row.stage, row.unit, by)
    return len(rows)


def _wanted_without(row: Assignment, verb: Verb) -> int:
    """How many answers an item wants once an open one is given back: what the stage wants, and where it wants more, no
    more than people have it or answered it. The next person may answer in the place of the person who hands it back."""
    item = row.item
    has_substitute = verb in (Verb.ASSIGNMENT_HANDED_BACK, Verb.ASSIGNMENT_EXPIRED)
    if has_substitute and not is_open_ended(kind_of(row.stage)):
        return item.answers_wanted
    return min(item.answers_wanted, max(row.stage.answers_wanted, item.answers_open + item.answers_done - 1))


@again_on_deadlock
@transaction.atomic
def free_open(*, stage: Stage, user: User, mode: str, by: User, ids: Collection[int] | None = None) -> int:
    """Take the person's open items of the stage away from them, so that others can have them. Returns how many.

    `ids`: only these assignments. Finished items stay theirs, and what was saved on open ones stays on record: the
    person finds it again on claiming the item again.
    """
    unfinished = Assignment.objects.filter(stage=stage, user=user, mode=mode, state=AssignmentState.OPEN)
    if ids is not None:
        unfinished = unfinished.filter(pk__in=ids)
    verb = Verb.ASSIGNMENT_HANDED_BACK if by == user else Verb.ASSIGNMENT_FREED
    return give_back(list(unfinished.values_list("pk", flat=True)), by=by, verb=verb)
