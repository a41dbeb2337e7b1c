"""Counters: how far stages are, kept with each write (guarded by tests/actions/test_counters.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Q

from annotator.domain.states import ItemState
from annotator.models import Counter, Item, Stage, User
from annotator.prepared import execute

Weight = dict[str, int]
"""What items add to their stage's numbers: `total`, `done`, `open`."""

FINISHED = (ItemState.DONE, ItemState.DECIDED)


def add_to_counter(stage: Stage | int, user: User | int | None, *, project: int, **changes: int) -> None:
    """Add `changes` to the counter of a person in a stage (None: that of bulk writes). One statement, as a rule."""
    added = {name: change for name, change in changes.items() if change}
    if not added:
        return
    person = _id(user)
    stage_id = stage.pk if isinstance(stage, Stage) else stage
    if _update(stage_id, person, added):
        return
    try:
        # A savepoint, so that losing the race for the first row leaves the caller's transaction usable.
        with transaction.atomic():
            Counter.objects.create(project_id=project, stage_id=stage_id, user_id=person, **added)
    except IntegrityError:
        _update(stage_id, person, added)


def _update(stage: int, person: int | None, added: Mapping[str, int]) -> int:
    # The names are those of our own columns.
    changes = ", ".join(f"{name} = {name} + %s" for name in added)
    whose = "user_id IS NULL" if person is None else "user_id = %s"
    params = [*added.values(), stage, *(() if person is None else (person,))]
    return execute(f"UPDATE annotator_counter SET {changes} WHERE stage_id = %s AND {whose}", params)  # noqa: S608 -- names of our own


def _id(user: User | int | None) -> int | None:
    return user.pk if isinstance(user, User) else user


def weight(item: Item) -> Weight:
    """What an item adds to its stage's numbers as it is now."""
    if item.state == ItemState.VOID or not item.answers_wanted:
        # An item that is there for blind answers alone is nobody's work in this stage.
        return {"total": 0, "done": 0, "open": 0}
    done = item.state in FINISHED
    return {
        "total": 1,
        "done": int(done),
        "open": int(not done and item.answers_open + item.answers_done > 0),
    }


def total_weight(items: Iterable[Item]) -> Weight:
    """What items of one stage add to its numbers together."""
    sums = {"total": 0, "done": 0, "open": 0}
    for item in items:
        for name, number in weight(item).items():
            sums[name] += number
    return sums


def difference(before: Weight, after: Weight) -> Weight:
    """How `after` differs from `before`."""
    return {name: after[name] - before[name] for name in after}


def recounted(stage: Stage) -> Weight:
    """The stage's numbers counted from its items: what the counters must add up to. For checks, not for requests."""
    items = Item.objects.filter(stage=stage, answers_wanted__gt=0).exclude(state=ItemState.VOID)
    finished = Q(state__in=FINISHED)
    return {
        "total": items.count(),
        "done": items.filter(finished).count(),
        "open": items.exclude(finished).filter(Q(answers_open__gt=0) | Q(answers_done__gt=0)).count(),
    }


def count_items(items: Iterable[Item], *, user: User | None, sign: int = 1) -> None:
    """Add what the items weigh (or take it away) to the counters of their stages: once a stage, for bulk writes."""
    by_stage: dict[tuple[int, int], list[Item]] = {}
    for item in items:
        by_stage.setdefault((item.stage_id, item.project_id), []).append(item)
    for (stage, project), rows in by_stage.items():
        sums = total_weight(rows)
        add_to_counter(stage, user, project=project, **{name: sign * number for name, number in sums.items()})
