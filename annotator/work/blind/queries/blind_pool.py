"""What a blind sample can be drawn from: which units can be had by whom, and why not the others.

Seeded and in whole groups, so that a premise is labelled with all its hypotheses, and the same seed draws the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotator.core.kind import kind_of
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, Gold, Item, Project, Segment, Stage, Training, Unit, User
from annotator.work.blind.queries.blind_subset import sentence_stage
from annotator.work.queue.queries.free import barred_units

BATCH = 500


@dataclass(frozen=True, slots=True)
class Reasons:
    """Of some units (ids), those that cannot be had: `decided` by nobody; by person, what they have `seen` with
    suggestions, and what is their `own` or shows what they label blind."""

    decided: set[int] = field(default_factory=set)
    seen: dict[int, set[int]] = field(default_factory=dict)
    own: dict[int, set[int]] = field(default_factory=dict)

    def bars(self, user: User, unit: int) -> bool:
        """Whether a person cannot have a unit."""
        return unit in self.decided or unit in self.seen[user.pk] or unit in self.own[user.pk]


@dataclass(slots=True)
class Pool:
    """How many units there are, how many all of the people can have, how many of these they have already, and how many
    there are of each reason against."""

    total: int = 0
    free: int = 0
    given: int = 0
    decided: int = 0
    seen: int = 0
    own: int = 0


def pool(stage: Stage, users: Sequence[User]) -> Pool:
    """What these people can have of a stage, in numbers. Looks at all of its units, some at a time."""
    found = Pool()
    asks = _Asks(stage, users)
    held = [_held(user, stage) for user in users]
    for units in asks.batches(seed=0):
        reasons = asks.reasons(units)
        for unit in units:
            found.total += 1
            if unit.pk in reasons.decided:
                found.decided += 1
            elif any(unit.pk in reasons.seen[user.pk] for user in users):
                found.seen += 1
            elif any(unit.pk in reasons.own[user.pk] for user in users):
                found.own += 1
            else:
                found.free += 1
                asked = set(unit.touches) - {unit.segment_id} or {unit.segment_id}
                found.given += bool(held) and all(asked <= segments for segments in held)
    return found


def size(stage: Stage, stages: Sequence[Stage], at_most: int) -> int:
    """How many units there are to draw from, for anybody: counted up to `at_most`, however many there are. `stages`:
    all of the project, in order, with their layers. Two statements."""
    return _all_units(stage, of_sentences=stage == sentence_stage(stages, stage.language))[:at_most].count()


def _held(user: User, stage: Stage) -> set[int]:
    """The segments that somebody was given blind in the stage's layer and language, open or answered."""
    rows = Assignment.objects.filter(
        user=user, mode=Mode.BLIND, stage__layer=stage.layer_id, stage__language=stage.language
    )
    return set(rows.exclude(state=AssignmentState.RETURNED).values_list("unit__segment_id", flat=True))


def draw(stage: Stage, users: Sequence[User], count: int, seed: int) -> list[Unit]:
    """A seeded random sample of `count` units in whole groups (the last one cut), in reading order: what all of the
    people can have; where that is too little, what some can, and then what nobody can, which is told of.
    """
    everybodys: list[Unit] = []
    somebodys: list[Unit] = []
    nobodys: list[Unit] = []
    asks = _Asks(stage, users)
    for units in asks.batches(seed):
        reasons = asks.reasons(units)
        for unit in units:
            barred = sum(reasons.bars(user, unit.pk) for user in users)
            if unit.pk in reasons.decided or 0 < barred == len(users):
                nobodys.append(unit)
            else:
                (somebodys if barred else everybodys).append(unit)
        if len(everybodys) >= count:
            break
    drawn = [*everybodys, *somebodys, *nobodys][:count]
    return sorted(drawn, key=lambda unit: (unit.segment.position, unit.pk))


def reasons(stage: Stage, users: Sequence[User], units: Sequence[Unit]) -> Reasons:
    """Why people cannot have some of the units of a stage."""
    return reasons_of(stage, users)(units)


def reasons_of(stage: Stage, users: Sequence[User]) -> Callable[[Sequence[Unit]], Reasons]:
    """What tells `reasons` of units, some at a time: what people have seen is looked up once."""
    return _Asks(stage, users).reasons


def sentences_of(sample: Sequence[Unit], language: str) -> dict[int, Unit]:
    """The sentences that units are made of, or are, by segment."""
    rows = Unit.objects.filter(
        segment__in={segment for unit in sample for segment in unit.touches},
        language=language,
        kind=Segment.SENTENCE,
        is_current=True,
    )
    return {row.segment_id: row for row in rows.select_related("segment")}


class _Asks:
    """What a stage is drawn from: pairs with their sentences, or sentences; where none are labelled, items."""

    def __init__(self, stage: Stage, users: Sequence[User]) -> None:
        self.stage, self.users = stage, users
        stages = list(Stage.objects.filter(project=stage.project_id).select_related("layer").order_by("position", "pk"))
        self.of_sentences = stage == sentence_stage(stages, stage.language)
        self.seen = {user.pk: seen_segments(user, stage.project) for user in users} if self.of_sentences else {}
        self.trained = {user.pk: trained_units(user, stage.project_id) for user in users}

    def batches(self, seed: int) -> Iterator[list[Unit]]:
        """All items, in the order in which they are drawn."""
        order = _seeded(_all_units(self.stage, of_sentences=self.of_sentences), seed)
        for start in range(0, len(order), BATCH):
            ids = order[start : start + BATCH]
            found = Unit.objects.select_related("segment").in_bulk(ids)
            yield [found[pk] for pk in ids if pk in found]

    def reasons(self, units: Sequence[Unit]) -> Reasons:
        return self._of_sentences(units) if self.of_sentences else self._of_items(units)

    def _of_sentences(self, units: Sequence[Unit]) -> Reasons:
        involved = [*units, *sentences_of(units, self.stage.language).values()]
        decided = set(Gold.objects.filter(unit__in=involved).values_list("unit__segment_id", flat=True))
        over = {unit.pk for unit in units if not decided.isdisjoint((unit.segment_id, *unit.touches))}
        seen = {
            user: {unit.pk for unit in units if unit.pk in self.trained[user] or not segments.isdisjoint(unit.touches)}
            for user, segments in self.seen.items()
        }
        return Reasons(over, seen, {user.pk: set() for user in self.users})

    def _of_items(self, units: Sequence[Unit]) -> Reasons:
        kind = kind_of(self.stage)
        # Another answer comes too late where what all said continued to the next stage.
        closes = kind.outcome is not None and kind.outcome.closes_on_answer
        over = [ItemState.DECIDED, *([ItemState.DONE] if closes else [])]
        rows = Item.objects.filter(stage=self.stage, unit__in=units, state__in=over)
        return Reasons(
            set(rows.values_list("unit_id", flat=True)),
            {
                user.pk: (_seen(user, self.stage, units) if kind.suggestions else set())
                | self.trained[user.pk].intersection(unit.pk for unit in units)
                for user in self.users
            },
            {user.pk: barred_units(self.stage, user, units) for user in self.users},
        )


def _all_units(stage: Stage, *, of_sentences: bool) -> QuerySet[Unit]:
    current = Unit.objects.published().filter(project=stage.project_id, is_current=True)
    if not of_sentences:
        items = Item.objects.filter(stage=stage).exclude(state=ItemState.VOID)
        return current.filter(pk__in=items.values("unit"))
    spoken = current.filter(language=stage.language)
    pairs = spoken.filter(kind=Segment.PAIR)
    return pairs if pairs.exists() else spoken.filter(kind=Segment.SENTENCE)


def _seeded(units: QuerySet[Unit], seed: int) -> list[int]:
    groups: dict[tuple[str, str], list[int]] = {}
    rows = units.order_by("segment__position", "pk")
    for pk, dataset, group, uid in rows.values_list("pk", "segment__dataset", "segment__group", "segment__uid"):
        groups.setdefault((dataset, group or uid), []).append(pk)
    order = list(groups)
    random.Random(seed).shuffle(order)  # noqa: S311 -- a sample that can be drawn again, not a secret
    return [pk for group in order for pk in groups[group]]


def trained_units(user: User, project: int) -> set[int]:
    """Units (ids) whose gold the user was shown in training."""
    rows = Training.objects.filter(project=project, user=user).values_list("items", flat=True)
    return {one["unit"] for items in rows for one in items}


def seen_segments(user: User, project: Project) -> set[int]:
    """Segments on which the user has worked, in any language, with machine labels or others' labels in sight."""
    reviewed = Assignment.objects.filter(project=project, user=user, mode=Mode.REVIEW).exclude(
        state=AssignmentState.RETURNED
    )
    written = Annotation.objects.filter(project=project, user=user, mode=Mode.REVIEW)
    seen: set[int] = set()
    for rows in (reviewed, written):
        for touches in rows.order_by().values_list("unit__touches", flat=True):
            seen.update(touches)
    return seen


def _seen(user: User, stage: Stage, units: Sequence[Unit]) -> set[int]:
    """Those of the units (ids) on which the user has worked in the layer with suggestions in sight, in any language."""
    segments = {unit.segment_id for unit in units}
    claimed = Assignment.objects.filter(
        user=user, mode=Mode.REVIEW, stage__layer=stage.layer_id, unit__segment__in=segments
    ).exclude(state=AssignmentState.RETURNED)
    written = Annotation.objects.filter(user=user, mode=Mode.REVIEW, layer=stage.layer_id, unit__segment__in=segments)
    worked = {pk for rows in (claimed, written) for pk in rows.values_list("unit__segment_id", flat=True)}
    return {unit.pk for unit in units if unit.segment_id in worked}
