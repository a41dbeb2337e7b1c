"""Who works on what: claiming items of a stage, and handing them out."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import cache

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotator.core.counters import OWN, add_to_counter
from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import hold_memberships
from annotator.core.errors import ActionError
from annotator.core.events import log_many
from annotator.core.kind import create_units, is_open_ended, kind_of, quota
from annotator.core.prepared import Prepared, run_listed
from annotator.domain.states import ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Counter, Item, Stage, User
from annotator.work.answering.actions.policies import check_can_claim
from annotator.work.answering.actions.trials import check_trial
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.blind.queries.blind_subset import is_free_text
from annotator.work.gold.actions.adjudication import waiting_items, withdraw_adjudication
from annotator.work.queue.actions.giving_back import return_expired
from annotator.work.queue.actions.items import make_room
from annotator.work.queue.queries.free import NARROWED, at_hand, free_items, free_rows, hidden_units
from annotator.work.queue.queries.orphaned_answers import to_mend

MAX_CLAIM = 20
# A claimed item that nobody has worked on goes back after this long.
LEASE = timedelta(minutes=30)
# How many more than wanted are looked at when some of them may be hidden from the person.
SPARE = 5


@again_on_deadlock
@transaction.atomic
def claim(
    *, stage: Stage, user: User, held: Collection[int] = (), count: int = 1, only: str = "", now: datetime
) -> list[Assignment]:
    """Up to `count` (at most 20) items for the user, next first: their own open ones, then free ones in the order.

    `held` are ids of assignments that the user's screen already holds; they are kept for them and not assigned
    again. `only` filters the queue to one of NARROWED. What was claimed and not worked on goes back after LEASE.
    Raises ActionError for a stage where nothing is claimed.
    """
    check_can_claim(stage)
    check_trial(stage, user)
    if not 1 <= count <= MAX_CLAIM:
        raise ActionError(_("You can claim between 1 and %(most)d items at once.") % {"most": MAX_CLAIM})
    known = narrowed_to(stage)
    if only and not known:
        raise ActionError(
            _("The queue of a blind stage can't be filtered, because that would reveal other people's answers.")
        )
    if only and only not in known:
        raise ActionError(
            _("The queue can't be filtered by “%(only)s”. Available filters: %(known)s.")
            % {"only": only, "known": ", ".join(known)}
        )
    # Before any item is held, as where items are assigned.
    hold_memberships(stage.project_id, [user])
    return_expired(stage=stage, now=now, keep=held, user=user)
    found = _own_open(stage, user, held, only)[:count]
    _suggest_anew(stage, found)
    mine = [*held, *(row.pk for row in found)]
    if mine:
        run_listed(_KEEP, [connection.ops.adapt_datetimefield_value(now + LEASE), user.pk], mine)
    if len(found) < count and not only and is_open_ended(kind_of(stage)):
        found += _claim_sent_back(stage, user, count - len(found))
    if len(found) < count:
        found += _claim_free(stage, user, count - len(found), only, now)
    return found


# This statement and those below are written by hand: they belong to every claim.
_KEEP = "UPDATE annotator_assignment SET expires_at = %s WHERE user_id = %s AND expires_at IS NOT NULL AND id IN IDS"


def narrowed_to(stage: Stage) -> list[str]:
    """What the queue of a stage can be filtered by. Nothing in a blind one: it would tell of suggestions and others."""
    if stage.mode == Mode.BLIND:
        return []
    suggests = bool(kind_of(stage).suggestions)
    return [name for name in NARROWED if suggests or name not in ("suggested", "unsuggested")]


def own_open(stage: Stage | int, user: User | int, only: str = "") -> QuerySet[Assignment]:
    """The user's open assignments of the stage that can be answered: blind ones first, in reading order."""
    rows = (
        at_hand(Assignment.objects.filter(stage=stage, user=user))
        .select_related("item", "unit__segment")
        # "blind" sorts before "review".
        .order_by("mode", "reading", "pk")
    )
    if only:
        # Blind work beside a review is not filtered either: what others said of its items must not show.
        rows = rows.filter(mode=Mode.REVIEW, item__in=Item.objects.filter(NARROWED[only], stage=stage))
    return rows


def _own_open(stage: Stage, user: User, held: Collection[int], only: str) -> list[Assignment]:
    """The first of the person's open assignments that their screen does not hold, as many as a claim gives at most."""
    if only:
        return list(_with_begun(own_open(stage, user, only)).exclude(pk__in=held)[:MAX_CLAIM])
    return _OPEN.rows(stage=stage.pk, user=user.pk, held=held or [0])


def _with_begun(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """With `begun`: whether the person has saved anything on the item."""
    answer = Annotation.objects.filter(unit=OuterRef("unit"), layer=OuterRef("stage__layer"), user=OuterRef("user"))
    return rows.annotate(begun=Exists(answer))


_OPEN: Prepared[Assignment] = Prepared(
    lambda stage, user, held: _with_begun(own_open(stage, user)).exclude(pk__in=held)[:MAX_CLAIM],
    stage=int,
    user=int,
    held=list,
)


def _suggest_anew(stage: Stage, rows: Sequence[Assignment]) -> None:
    """Items that are assigned once more, and that nobody has worked on, come with what is suggested now.

    What a screen holds keeps what it shows: the answer is compared with what the person saw.
    """
    fresh = [row for row in rows if row.mode == Mode.REVIEW and not row.begun]  # type: ignore[attr-defined]  # annotated
    kind = kind_of(stage)
    if not fresh or not kind.suggestions:
        return
    shown = shown_in(stage.project, stage.layer, kind, [row.unit_id for row in fresh])
    for row in fresh:
        suggestions = shown.get(row.unit_id, [])
        ids = [one.pk for one in suggestions]
        if ids != row.shown:
            row.suggestion, row.shown = next(iter(suggestions), None), ids
            Assignment.objects.filter(pk=row.pk).update(suggestion=row.suggestion, shown=ids)


def _held(rows: QuerySet[Item], layer: int) -> QuerySet[Item]:
    """Items that two people who ask at the same moment never both get, and for which neither waits."""
    # Whether an adjudicator could decide on the unit until now: rarely, so a claim knows without asking again.
    # As a range: of what is equal, PostgreSQL would rather read all items once into a table of its own.
    of_unit = {"unit__gte": OuterRef("unit"), "unit__lte": OuterRef("unit")}
    rows = rows.annotate(waits=Exists(waiting_items(layer).filter(**of_unit)))
    # Units, too: in another stage of the layer somebody may save, and ask whether anybody is at work on one.
    return rows.select_related("unit__segment").select_for_update(
        no_key=True, of=("unit", "self"), skip_locked=connection.features.has_select_for_update_skip_locked
    )


@cache
def _first_free(order: str, most: int) -> Prepared[Item]:
    """The first `most` free items from a place in reading order on."""

    def build(stage: int, project: int, layer: int, user: int, reading: int) -> QuerySet[Item]:
        rows = free_rows(order, stage=stage, project=project, user=user)
        return _held(rows.filter(reading__gte=reading), layer)[:most]

    return Prepared(build, stage=int, project=int, layer=int, user=int, reading=int)


def _claim_sent_back(stage: Stage, user: User, wanted: int) -> list[Assignment]:
    """What was sent back to the person and is in nobody's hands: theirs for good, as it was when it came back. What
    somebody writes in its place meanwhile, from nothing, is wanted beside it."""
    units = [answer.unit_id for answer in to_mend(stage, user)[:wanted]]
    if not units:
        return []
    rows = Item.objects.filter(stage=stage, unit__in=units).exclude(state__in=[ItemState.DECIDED, ItemState.VOID])
    items = list(
        rows.select_related("unit__segment").select_for_update(no_key=True, of=("unit", "self")).order_by("unit", "pk")
    )
    for item in items:
        make_room(item)
    return _take(stage, user, items, by=user, verb=Verb.ASSIGNMENT_CLAIMED) if items else []


def _claim_free(stage: Stage, user: User, wanted: int, only: str, now: datetime) -> list[Assignment]:
    wanted = quota(stage, user, wanted)
    cursor = _cursor(stage, user)
    # Behind the cursor lie the person's own answers, as many as they have given: the search begins after them.
    chosen = _visible(stage, user, wanted, only, begin=cursor)
    if cursor and len(chosen) < wanted:
        chosen += _visible(stage, user, wanted - len(chosen), only, without=[item.pk for item in chosen])
    if len(chosen) < wanted and not only and create_units(stage, user, wanted - len(chosen)):
        chosen += _visible(stage, user, wanted - len(chosen), only, without=[item.pk for item in chosen])
    if not chosen:
        return []
    if stage.answers_wanted > 1:
        Counter.objects.filter(stage=stage, user=user).update(cursor=chosen[-1].reading)
    return _take(stage, user, chosen, by=user, verb=Verb.ASSIGNMENT_CLAIMED, expires_at=now + LEASE)


def _cursor(stage: Stage, user: User) -> int:
    if stage.answers_wanted == 1 or stage.order != Stage.Order.READING:
        return 0
    return Counter.objects.filter(stage=stage, user=user).values_list("cursor", flat=True).first() or 0


def _visible(
    stage: Stage, user: User, wanted: int, only: str, *, begin: int = 0, without: Sequence[int] = ()
) -> list[Item]:
    """The first `wanted` of the free items from the reading `begin` on that hide nothing from the user."""
    found: list[Item] = []
    seen, size = list(without), wanted + SPARE
    while len(found) < wanted:
        if seen or only:
            # By what was seen and not by an offset: items that others let go meanwhile would shift it.
            rows = free_items(stage, user, only).filter(reading__gte=begin).exclude(pk__in=seen)
            page = list(_held(rows, stage.layer_id)[:size])
        else:
            page = _first_free(stage.order, size).rows(
                stage=stage.pk, project=stage.project_id, layer=stage.layer_id, user=user.pk, reading=begin
            )
        if not page:
            break
        hidden = hidden_units(stage, user, [item.unit for item in page])
        found += [item for item in page if item.unit_id not in hidden]
        seen += [item.pk for item in page]
        size *= 4
    return found[:wanted]


def _take(
    stage: Stage,
    user: User,
    items: Sequence[Item],
    *,
    by: User | None,
    verb: Verb,
    expires_at: datetime | None = None,
    operation: uuid.UUID | None = None,
) -> list[Assignment]:
    """Give locked free items to a person. A fixed number of statements, however many."""
    kind = kind_of(stage)
    modes = {item.pk: _answered_in(stage, item) for item in items}
    review = [item.unit_id for item in items if modes[item.pk] == Mode.REVIEW]
    suggestions = shown_in(stage.project, stage.layer, kind, review) if review else {}
    begun = sum(item.answers_open + item.answers_done == 0 for item in items)
    taken = run_listed(_TAKE, [ItemState.TAKEN.value, ItemState.FREE.value], [item.pk for item in items])
    if taken != len(items):
        raise RuntimeError("An item that was held was taken by somebody else.")
    rows = Assignment.objects.bulk_create(
        [
            Assignment(
                project_id=stage.project_id,
                stage=stage,
                item=item,
                unit=item.unit,
                user=user,
                mode=modes[item.pk],
                reading=item.reading,
                suggestion=next(iter(suggestions.get(item.unit_id, ())), None),
                shown=[row.pk for row in suggestions.get(item.unit_id, ())],
                context=stage.shown_context,
                expires_at=expires_at,
            )
            for item in items
        ],
        # One that had gone back is taken up again.
        update_conflicts=True,
        unique_fields=["item", "user"],
        update_fields=["state", "mode", "suggestion", "shown", "context", "expires_at"],
    )
    blind = [row for row in rows if row.mode == Mode.BLIND]
    if blind:
        mark_blind(blind, stage)
    withdraw_adjudication([item.unit_id for item in items if getattr(item, "waits", True)], stage.layer_id)
    log_many(
        project=stage.project_id,
        actor=by,
        verb=verb,
        operation=operation,
        changes=[
            (row, None, {"stage": stage.pk, "unit": row.unit_id, "user": user.pk, "mode": row.mode}) for row in rows
        ],
    )
    own = {f"{OWN[Mode.BLIND]}_open": len(blind), f"{OWN[Mode.REVIEW]}_open": len(rows) - len(blind)}
    add_to_counter(stage, user, project=stage.project_id, open=begun, **own)
    return rows


def _answered_in(stage: Stage, item: Item) -> str:
    """The mode in which an item is claimed: one that several people answer for comparison is answered blind, also in a
    stage that is not blind, unless it is there to review suggestions. Texts of several people are not compared."""
    compared = item.answers_wanted > stage.answers_wanted and not kind_of(stage).suggestions
    return Mode.BLIND.value if compared and not is_free_text(stage.layer) else stage.mode


_TAKE = """
UPDATE annotator_item SET answers_open = answers_open + 1,
    state = CASE WHEN answers_wanted <= answers_open + answers_done + 1 THEN %s ELSE state END
WHERE state = %s AND id IN IDS"""


@again_on_deadlock
@transaction.atomic
def assign_review(
    *, stage: Stage, units: Collection[int], user: User, by: User | None, operation: uuid.UUID | None = None
) -> int:
    """Give `user` those of the stage's units (ids) to answer that are free for them, for good. Returns how many.

    Raises ActionError for a stage where nothing is assigned, and for people who are not members.
    """
    check_can_claim(stage)
    if not stage.project.memberships.filter(user=user).exists():
        raise ActionError(_("%(name)s is not a member of this project.") % {"name": user})
    hold_memberships(stage.project_id, [user])
    rows = list(
        free_items(stage, user)
        .filter(unit__in=list(units))
        .select_related("unit__segment")
        .order_by("unit")
        .select_for_update(no_key=True, of=("unit", "self"))
    )
    hidden = hidden_units(stage, user, [item.unit for item in rows])
    visible = [item for item in rows if item.unit_id not in hidden]
    if not visible:
        return 0
    return len(_take(stage, user, visible, by=by, verb=Verb.ASSIGNMENT_GIVEN, operation=operation))
