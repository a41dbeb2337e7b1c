"""What stands around a sentence: its group before and after it, and the other sides of its pairs.

How much of it is shown, the stage says (`Stage.context`). Whoever has blind work open on a segment is not shown more of
it than the stage of that work shows, in no stage, on no page, by no call: whatever puts two texts beside each other
asks `apart` here. Both of two texts count: a premise on the page of its hypothesis tells of both.
Guarded by tests/work/test_contexts.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.core.prepared import Prepared, PreparedRows
from annotator.domain.context import Context as Level
from annotator.domain.context import below, least
from annotator.domain.states import AssignmentState
from annotator.models import Assignment, BlindMark, Pair, Project, Segment, Stage, Unit, User

# How far around a sentence its group is shown: a document may have thousands.
AROUND = 10
TEXT_ONLY = ("lemmas", "content_words", "touches")


@dataclass(frozen=True, slots=True)
class Partner:
    """The other side of a pair; `inference` is empty where it is not shown."""

    role: str
    inference: str
    text: str


@dataclass(slots=True)
class Context:
    """Units before and after, in reading order, and the other sides of pairs."""

    before: list[Unit] = field(default_factory=list)
    after: list[Unit] = field(default_factory=list)
    pair: list[Partner] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Apart:
    """How much a person may see of what belongs together: by segment on which they have blind work open, the level of
    the stage of that work, the lowest of several."""

    levels: Mapping[int, Level]

    def level(self, *segments: int) -> Level:
        """How near each other these segments may be shown."""
        return least(Level.INFERENCE, *(self.levels[one] for one in segments if one in self.levels))

    def shows(self, level: Level, *segments: int) -> bool:
        """Whether they may be shown beside each other as `level` shows them."""
        return self.level(*segments).shows(level)


def apart(user: User, project: Project | int, segments: Collection[int]) -> Apart:
    """What the user may see of these segments. One query."""
    if not segments:
        return Apart({})
    levels: dict[int, Level] = {}
    for segment, level in _OPEN_BLIND.rows(project=_id(project), user=user.pk, segments=segments):
        levels[segment] = least(Level(level), levels.get(segment, Level.INFERENCE))
    return Apart(levels)


def kept_apart(user: User, project: Project, here: Segment, others: Iterable[Segment]) -> set[int]:
    """The ids of those of the others that must not be named beside `here`. A query, two where any may be."""
    rows = {one.pk: one for one in others}
    known = apart(user, project, [here.pk, *rows])
    if not known.levels:
        return set()
    partners = {pk for pair in _pairs([here.pk]) for pk in (pair.premise_id, pair.hypothesis_id)}
    return {
        pk
        for pk, one in rows.items()
        if (relation := _relation(here, one, pk in partners)) is not None and not known.shows(relation, here.pk, pk)
    }


def untold_pairs(user: User, project: Project | int, pairs: Collection[Pair]) -> dict[int, Level]:
    """By id of a pair, how much of it the user may see where that is not all: below OTHER_SIDE it is not told that its
    sides belong together, below INFERENCE not its label. One query."""
    known = apart(user, project, {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)})
    levels = {pair.pk: known.level(pair.premise_id, pair.hypothesis_id) for pair in pairs}
    return {pk: level for pk, level in levels.items() if level != Level.INFERENCE}


def of_waiting_pair() -> Exists:
    """Condition on assignments: they are of a pair that is not shown to the person yet, since they have blind work open
    on one of its sides. A few look-ups by index a row."""
    blind = _blind_until_done().filter(
        project=OuterRef(OuterRef("project")),
        user=OuterRef(OuterRef("user")),
        assignment__stage__context__in=below(Level.INFERENCE),
    )
    sides = Exists(blind.filter(segment=OuterRef("premise"))) | Exists(blind.filter(segment=OuterRef("hypothesis")))
    return Exists(Pair.objects.order_by().filter(sides, segment=OuterRef("unit__segment")))


def waiting_pairs(user: User, project: Project | int, units: Iterable[Unit]) -> set[int]:
    """The ids of those of the units that are pairs of which the user is not shown everything. Two queries, where there
    are pairs; one of them where nothing is hidden."""
    segments = {unit.segment_id: unit.pk for unit in units if unit.kind == Segment.PAIR}
    if not segments:
        return set()
    pairs = {pair.pk: pair for pair in Pair.objects.filter(segment__in=segments)}
    return {segments[pairs[pk].segment_id] for pk in untold_pairs(user, project, list(pairs.values()))}


def is_grouped_apart(user: User, project: Project, segment: Segment) -> bool:
    """Whether the user is not told to which group a segment belongs. One query."""
    level = Level.OTHER_SIDE if segment.role else Level.NEIGHBOURS
    return bool(segment.group) and not apart(user, project, [segment.pk]).shows(level, segment.pk)


def _relation(here: Segment, other: Segment, is_partner: bool) -> Level | None:
    """What another segment is to this one; None: nothing that is shown around it."""
    together = bool(here.group) and (here.dataset, here.group) == (other.dataset, other.group)
    if is_partner or (together and here.role != other.role):
        return Level.OTHER_SIDE
    return Level.NEIGHBOURS if together else None


def _blind_until_done() -> QuerySet[BlindMark]:
    """Marks of blind answers that are not finished. Who tags a pair has both of its sides before them."""
    rows = BlindMark.objects.filter(live=True, assignment__state=AssignmentState.OPEN)
    return rows.filter(~Q(assignment__unit__kind=Segment.PAIR))


_OPEN_BLIND = PreparedRows(
    lambda project, user, segments: (
        _blind_until_done()
        .filter(project=project, user=user, segment__in=segments)
        .values_list("segment_id", "assignment__stage__context")
    ),
    project=int,
    user=int,
    segments=list,
)


def item_contexts(rows: Sequence[Assignment], user: User) -> dict[int, Context]:
    """By unit id, what the pages of these assignments of one stage show around their units: what the stage shows now,
    and not more than it did when they were assigned. Assignments come with unit, segment and stage."""
    levels = {row.unit_id: least(Level(row.stage.context), Level(row.context or row.stage.context)) for row in rows}
    return contexts(rows[0].project_id, [row.unit for row in rows], user, levels) if rows else {}


def stage_contexts(stage: Stage, units: Sequence[Unit], user: User) -> dict[int, Context]:
    """The same of units of a stage in which nothing is assigned."""
    return contexts(stage.project_id, units, user, dict.fromkeys((unit.pk for unit in units), Level(stage.context)))


def contexts(
    project: Project | int, units: Sequence[Unit], user: User, levels: Mapping[int, Level]
) -> dict[int, Context]:
    """By unit id, what stands around it, up to its level. Four queries at most, none where nothing is shown. Units come
    with their segment, in one language."""
    found = {unit.pk: Context() for unit in units}
    units = [unit for unit in units if levels[unit.pk] != Level.NOTHING]
    if not units:
        return found
    language = units[0].language
    segments = [unit.segment for unit in units]
    near = _near(project, language, segments)
    pairs = _pairs([segment.pk for segment in segments])
    known = {unit.segment_id: unit for unit in [*near, *units]}
    shows_sides = any(level.shows(Level.OTHER_SIDE) for level in levels.values())
    partners = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)} - known.keys()
    if partners and shows_sides:
        known |= {unit.segment_id: unit for unit in _PARTNERS.rows(segments=partners, language=language)}
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in near:
        groups[unit.segment.dataset, unit.segment.group].append(unit)
    sides: dict[int, list[tuple[Pair, int]]] = defaultdict(list)
    for pair in pairs:
        sides[pair.premise_id].append((pair, pair.hypothesis_id))
        sides[pair.hypothesis_id].append((pair, pair.premise_id))
    limits = apart(user, project, list(known))
    for unit in units:
        here, level = unit.segment, levels[unit.pk]
        context = found[unit.pk]
        others = {segment for _pair, segment in sides[here.pk]}
        for other in groups[here.dataset, here.group] if here.group else ():
            distance = other.segment.position - here.position
            relation = _relation(here, other.segment, other.segment_id in others)
            if other.segment_id == here.pk or abs(distance) > AROUND or relation is None:
                continue
            if least(level, limits.level(here.pk, other.segment_id)).shows(relation):
                (context.before if (distance, other.segment_id) < (0, here.pk) else context.after).append(other)
        for pair, segment in sides[here.pk]:
            other_side = known.get(segment)
            allowed = least(level, limits.level(here.pk, segment))
            if other_side is not None and allowed.shows(Level.OTHER_SIDE):
                inference = pair.inference if allowed.shows(Level.INFERENCE) else ""
                context.pair.append(Partner(other_side.segment.role, inference, other_side.text))
    return found


def _pairs(segments: Sequence[int]) -> list[Pair]:
    rows = _PAIRS.rows(premises=segments, hypotheses=segments)
    return sorted(rows, key=lambda pair: (pair.position, pair.pk))


def _near(project: Project | int, language: str, segments: Iterable[Segment]) -> list[Unit]:
    """What stands at most AROUND places from one of the segments, whatever its group: one index range a stretch."""
    stretches = _stretches(segment.position for segment in segments if segment.group)
    if not stretches:
        return []
    ends: dict[str, int] = {}
    for number, (first, last) in enumerate(stretches):
        ends |= {f"a{number}": first, f"b{number}": last}
    rows = _within(len(stretches)).rows(project=_id(project), language=language, **ends)
    return sorted(rows, key=lambda unit: (unit.segment.position, unit.pk))


def _id(project: Project | int) -> int:
    return project if isinstance(project, int) else project.pk


def _texts(**which: Any) -> QuerySet[Unit]:
    rows = Unit.objects.published().filter(is_current=True, **which)
    return rows.select_related("segment").defer(*TEXT_ONLY)


# Two look-ups by index: with an OR, however it is written, PostgreSQL reads all pairs. And in no order, or SQLite would
# read all pairs in that order, and keep those few.
_PAIRS: Prepared[Pair] = Prepared(
    lambda premises, hypotheses: (
        Pair.objects.order_by()
        .filter(premise__in=premises)
        .union(Pair.objects.order_by().filter(hypothesis__in=hypotheses))
    ),
    premises=list,
    hypotheses=list,
)
_PARTNERS: Prepared[Unit] = Prepared(
    lambda segments, language: _texts(segment__in=segments, language=language), segments=list, language=str
)


@cache
def _within(stretches: int) -> Prepared[Unit]:
    """The sentences of a language in so many ranges of places, from a0 to b0, from a1 to b1, and so on."""

    def build(project: int, language: str, **ends: int) -> QuerySet[Unit]:
        places = [Q(segment__position__range=(ends[f"a{number}"], ends[f"b{number}"])) for number in range(stretches)]
        rows = _texts(language=language, segment__project=project, segment__kind=Segment.SENTENCE)
        return rows.filter(reduce(or_, places))

    return Prepared(build, project=int, language=str, **{f"{end}{n}": int for n in range(stretches) for end in "ab"})


def _stretches(positions: Iterable[int]) -> list[tuple[int, int]]:
    """The ranges of places around the positions, those that touch joined."""
    found: list[tuple[int, int]] = []
    for position in sorted(positions):
        first, last = position - AROUND, position + AROUND
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return found
