"""How far a stage is, for everybody and per person: read from the counters, a few rows a stage.

Counters count what is claimed. What a page holds in advance is nobody's work until something is saved on it: anyone who
tells how much work there is tells `public_progress`.
"""

from __future__ import annotations

from collections import Counter as Numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Q, Sum
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from annotator.core.kind import is_beside, is_open_ended, kind_of
from annotator.core.prepared import fetch
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Assignment, Counter, Project, Stage, User


@dataclass(frozen=True, slots=True)
class Progress:
    """Items of a stage: done (answered or decided), open (somebody has it), in all; `mine`: done by the user; `ahead`:
    those of the open ones that pages hold in advance, and nothing else was done to; `waiting`: where the stage
    adjudicates, items that wait for a decision, as far as MAX_WAITING (only `project_progress` has it).

    Blind answers beside a review are none of these, since they are not items of their own. `blind_open`: those that are
    still to be given, by anybody; `blind`: by the user; `blind_done`: those that are given, `own_blind` by the user.
    `public_progress` counts them in.
    """

    done: int
    open: int
    total: int
    mine: int
    blind: int = 0
    blind_open: int = 0
    blind_done: int = 0
    own_blind: int = 0
    ahead: int = 0
    waiting: int = 0

    def to_json(self) -> dict[str, int]:
        names = ("done", "open", "total", "mine", "blind")
        return {name: getattr(self, name) for name in names}


# The stages of a project in order, each with its progress, as `project_progress` finds them.
Stages = Sequence[tuple[Stage, Progress]]


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """One person's assignments of a stage, by mode."""

    user: User
    mode: str
    done: int
    open: int


_SUMS = {name: Coalesce(Sum(name), 0) for name in ("done", "open", "total")}


# Items that are counted as open, and that pages hold in advance: as `held_ahead` tells them, for one stage.
_AHEAD = """(
    SELECT COUNT(*) FROM annotator_item i
    WHERE i.id IN (
        SELECT item_id FROM annotator_assignment WHERE stage_id = {stage} AND state = %s AND expires_at IS NOT NULL
    ) AND i.state IN (%s, %s) AND i.answers_done = 0 AND i.answers_open = (
        SELECT COUNT(*) FROM annotator_assignment
        WHERE item_id = i.id AND stage_id = {stage} AND state = %s AND expires_at IS NOT NULL
    )
)"""
_AHEAD_STATES = [AssignmentState.OPEN.value, ItemState.FREE.value, ItemState.TAKEN.value, AssignmentState.OPEN.value]
# How many items that wait for a decision are counted, so that the count costs the same however many there are.
MAX_WAITING = 1000
_WAITING = """CASE WHEN "annotator_stage"."kind" = %s THEN (
    SELECT COUNT(*) FROM (
        SELECT 1 FROM annotator_item i WHERE i.stage_id = "annotator_stage"."id" AND i.state = %s LIMIT %s
    ) waiting
) ELSE 0 END"""
# Written by hand: it belongs to the answer to every save.
_SUM = f"""
    SELECT COALESCE(SUM(done), 0), COALESCE(SUM(open), 0), COALESCE(SUM(total), 0),
        COALESCE(SUM(CASE WHEN user_id = %s THEN own_done END), 0),
        COALESCE(SUM(CASE WHEN user_id = %s THEN blind_done END), 0),
        COALESCE(SUM(CASE WHEN user_id = %s THEN blind_open END), 0),
        COALESCE(SUM(blind_open), 0),
        COALESCE(SUM(blind_done), 0),
        {_AHEAD.format(stage="%s")}
    FROM annotator_counter WHERE stage_id = %s"""  # noqa: S608 -- names of our own


def stage_progress(stage: Stage, user: User | None = None) -> Progress:
    """Progress of a stage; `mine` is 0 without a user. One query; two where the stage adjudicates."""
    person = user.pk if user else None
    opened, free, taken, again = _AHEAD_STATES
    ahead = [stage.pk, opened, free, taken, stage.pk, again]
    [row] = fetch(_SUM, [person, person, person, *ahead, stage.pk])
    own = _progress(stage, [int(number) for number in row])
    return _adjudication(stage, own) if stage.adjudicates else own


def public_progress(stage: Stage, numbers: Progress) -> Progress:
    """The numbers as people and programs are told them: what pages hold in advance is no work yet, and blind answers
    are part of the work. Where people write as they like, empty places are nothing to be done either."""
    if stage.adjudicates:
        return numbers
    done, open_ = numbers.done + numbers.blind_done, numbers.open - numbers.ahead + numbers.blind_open
    total = done + open_ if is_open_ended(kind_of(stage)) else numbers.total + numbers.blind_done + numbers.blind_open
    mine = numbers.mine + numbers.own_blind
    return replace(numbers, done=done, open=open_, total=total, mine=mine, blind_done=0, own_blind=0, ahead=0)


def _progress(stage: Stage, sums: Sequence[int]) -> Progress:
    """From what `_SUM` reads. Where nothing is suggested, and in a blind stage, blind answers are the stage's own."""
    done, open_, total, own_done, own_blind, blind, blind_open, blind_done, ahead = sums
    if not stage.adjudicates and not is_beside(stage, Mode.BLIND):
        return Progress(done, open_, total, mine=own_done + own_blind, ahead=ahead)
    return Progress(done, open_, total, own_done, blind, blind_open, blind_done, own_blind, ahead)


def _adjudication(stage: Stage, own: Progress) -> Progress:
    """Done: units with gold. Open: those that are answered and not decided. In all: every unit of the other stages."""
    others = Counter.objects.filter(stage__in=answering_stages(stage)).aggregate(**_SUMS)
    return Progress(
        done=own.done, open=max(0, others["done"] - own.done), total=max(others["total"], own.done), mine=own.mine
    )


def answering_stages(stage: Stage) -> Iterable[Stage]:
    """The stages whose answers an adjudicating stage decides on."""
    return Stage.objects.filter(project=stage.project_id, layer=stage.layer_id, language=stage.language).exclude(
        kind=Stage.ADJUDICATE
    )


def people_progress(stages: Sequence[Stage]) -> dict[int, list[PersonProgress]]:
    """By stage, what each person has done and has open, review and blind work apart, by name. One query."""
    found: dict[int, list[PersonProgress]] = {stage.pk: [] for stage in stages}
    for row in Counter.objects.filter(stage__in=stages, user__isnull=False).select_related("user"):
        for mode, done, open_ in (
            (Mode.REVIEW, row.own_done, row.own_open),
            (Mode.BLIND, row.blind_done, row.blind_open),
        ):
            if row.user is not None and (done or open_):
                found[row.stage_id].append(PersonProgress(row.user, mode.value, done, open_))
    for people in found.values():
        people.sort(key=lambda person: (str(person.user), person.mode != Mode.REVIEW))
    return found


@dataclass(frozen=True, slots=True)
class HeldAhead:
    """Items of a stage that pages hold in advance and nobody has touched: how many, and how many each person has.

    `items` leaves out those on which somebody else is at work or done.
    """

    items: int = 0
    people: Mapping[int, int] = field(default_factory=dict)


def held_in_advance() -> Q:
    """Condition on assignments: a page holds the item in advance, and nothing was saved on it."""
    return Q(state=AssignmentState.OPEN, expires_at__isnull=False)


def held_ahead(stages: Sequence[Stage]) -> dict[int, HeldAhead]:
    """By stage. One query, by the index of what expires: at most a page's stock for each person."""
    # Counters do not have what left its stage.
    rows = Assignment.objects.filter(held_in_advance(), stage__in=stages).exclude(item__state=ItemState.VOID)
    people: dict[int, dict[int, int]] = {stage.pk: {} for stage in stages}
    untouched: dict[tuple[int, int], int] = {}
    alone: set[tuple[int, int]] = set()
    for stage, user, item, open_, done, state in rows.values_list(
        "stage_id", "user_id", "item_id", "item__answers_open", "item__answers_done", "item__state"
    ):
        people[stage][user] = people[stage].get(user, 0) + 1
        held = untouched[stage, item] = untouched.get((stage, item), 0) + 1
        # An item that is decided is not counted as open anyway.
        if held == open_ and not done and state in (ItemState.FREE, ItemState.TAKEN):
            alone.add((stage, item))
    items = Numbers(stage for stage, _item in alone)
    return {stage.pk: HeldAhead(items[stage.pk], people[stage.pk]) for stage in stages}


def project_progress(project: Project, user: User | None = None) -> list[tuple[Stage, Progress]]:
    """The project's stages in order, each with its progress. Two queries."""
    waiting = RawSQL(_WAITING, [Stage.ADJUDICATE, ItemState.FREE.value, MAX_WAITING])  # noqa: S611 -- a constant
    stages = list(project.stages.select_related("layer").annotate(waiting=waiting).order_by("position", "pk"))
    own = {
        name: Coalesce(Sum(column, filter=Q(user=user)), 0)
        for name, column in (("own_done", "own_done"), ("own_blind", "blind_done"), ("blind", "blind_open"))
    }
    # Under other names than those of the columns, which the sums above read.
    blind_sums = {
        "all_blind_open": Coalesce(Sum("blind_open"), 0),
        "all_blind_done": Coalesce(Sum("blind_done"), 0),
    }
    rows: dict[int, Any] = {
        row["stage"]: row
        for row in Counter.objects.filter(stage__in=stages)
        .values("stage")
        .annotate(
            **_SUMS,
            **own,
            **blind_sums,
            ahead=RawSQL(_AHEAD.format(stage='"annotator_counter"."stage_id"'), _AHEAD_STATES),  # noqa: S611 -- a constant; values are parameters
        )
        .order_by()
    }
    nothing = dict.fromkeys((*_SUMS, *own, *blind_sums, "ahead"), 0)
    found: list[tuple[Stage, Progress]] = []
    for stage in stages:
        stage.project = project
        row = rows.get(stage.pk, nothing)
        numbers = _progress(stage, [row[name] for name in nothing])
        if stage.adjudicates:
            others = [
                rows.get(other.pk, nothing)
                for other in stages
                if not other.adjudicates and (other.layer_id, other.language) == (stage.layer_id, stage.language)
            ]
            numbers = replace(
                numbers,
                open=max(0, sum(other["done"] for other in others) - numbers.done),
                total=max(sum(other["total"] for other in others), numbers.done),
                waiting=stage.waiting,
            )
        if user is None:
            numbers = replace(numbers, mine=0, blind=0, own_blind=0)
        found.append((stage, numbers))
    return found
