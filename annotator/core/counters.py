"""Counters: how far stages are, kept with each write (guarded by tests/work/test_counters.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from annotator.core.prepared import execute
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Assignment, Counter, Gold, Item, Project, Stage, User

Weight = dict[str, int]
"""What items add to their stage's numbers: `total`, `done`, `open`."""

FINISHED = (ItemState.DONE, ItemState.DECIDED)

OWN = {Mode.REVIEW: "own", Mode.BLIND: "blind"}
"""How the names of a person's own numbers begin: `own_open`, `own_done`, `blind_open`, `blind_done`."""


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


def count_people(items: Iterable[Item], *, sign: int = 1) -> None:
    """Add what people have of locked items, open and done, to their own numbers, or take it away: once for each person
    in a stage. For items that come back to their stage, or leave it; what nobody has started costs nothing."""
    begun = [row.pk for row in items if row.answers_open or row.answers_done or row.extra_open or row.extra_done]
    if not begun:
        return
    found: dict[tuple[int, int, int], dict[str, int]] = {}
    for stage, project, user, name, number in _held(Assignment.objects.filter(item__in=begun)):
        found.setdefault((stage, user, project), {})[name] = sign * number
    # Always in this order: two that count the same people at once would otherwise wait for each other.
    for (stage, user, project), changes in sorted(found.items()):
        add_to_counter(stage, user, project=project, **changes)


def _held(rows: QuerySet[Assignment]) -> Iterable[tuple[int, int, int, str, int]]:
    """How many of the assignments each person holds in a stage: its id, the project's, the person's, the name of the
    counter's column, the number."""
    held = rows.exclude(state=AssignmentState.RETURNED).order_by()
    names = ("stage_id", "project_id", "user_id", "mode", "state")
    for stage, project, user, mode, state, number in held.values_list(*names).annotate(Count("pk")):
        yield stage, project, user, f"{OWN[Mode(mode)]}_{state}", number


def count_decisions(stage: Stage, units: Iterable[int], *, sign: int = 1) -> None:
    """Add the decisions on units (ids) to the numbers of the stage that adjudicates them, or take them away."""
    golds = Gold.objects.filter(unit__in=list(units), layer=stage.layer_id, unit__language=stage.language)
    for user, number in _deciders(golds):
        own = sign * number if user is not None else 0
        add_to_counter(stage, user, project=stage.project_id, done=sign * number, own_done=own)


def _deciders(golds: QuerySet[Gold]) -> list[tuple[int | None, int]]:
    """Who decided, None where nobody did by name, and how many; by id."""
    rows = golds.order_by().values_list("decided_by").annotate(Count("pk"))
    return sorted(rows, key=lambda row: row[0] or 0)


def recounted_people(stage: Stage) -> dict[int, Weight]:
    """The people's own numbers in a stage by person, counted from what they hold and decided: what their counters must
    say. Numbers that are 0 are left out. For checks and for archives, not for requests."""
    if stage.adjudicates:
        return {user: {"own_done": number} for user, number in _deciders(_decided(stage)) if user is not None}
    found: dict[int, Weight] = {}
    rows = Assignment.objects.filter(stage=stage).exclude(item__state=ItemState.VOID)
    for _stage, _project, user, name, number in _held(rows):
        found.setdefault(user, {})[name] = number
    return found


def recounted_decisions(stage: Stage) -> int:
    """How many decisions stand in a stage that adjudicates: what its `done` must add up to. For checks."""
    return _decided(stage).count()


def _decided(stage: Stage) -> QuerySet[Gold]:
    return Gold.objects.filter(layer=stage.layer_id, unit__language=stage.language, unit__is_current=True)


def recount(project: Project) -> None:
    """Bring the numbers of the project's stages, and the people's own, in line with what is there. For archives: those
    of earlier versions have what was done on texts that were replaced, and a stranger's may say anything."""
    names = [f"{own}_{state}" for own in OWN.values() for state in ("open", "done")]
    for stage in project.stages.all():
        right = recounted_people(stage)
        for row in stage.counters.filter(user__isnull=False):
            mine = right.get(row.user_id or 0, {})
            changes = {name: mine.get(name, 0) - getattr(row, name) for name in names}
            add_to_counter(stage, row.user_id, project=project.pk, **changes)
        counted = stage.counters.aggregate(**{name: Coalesce(Sum(name), 0) for name in ("total", "done", "open")})
        wanted = {**counted, "done": recounted_decisions(stage)} if stage.adjudicates else recounted(stage)
        add_to_counter(stage, None, project=project.pk, **{name: wanted[name] - counted[name] for name in counted})
