"""What stands around a sentence: its group before and after it, and the other sides of its pairs. Texts only, so
everybody may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from annotator.models import Pair, Project, Segment, Unit
from annotator.prepared import Prepared

# How far around a sentence its group is shown: a document may have thousands.
AROUND = 10
TEXT_ONLY = ("lemmas", "content_words", "touches")


@dataclass(frozen=True, slots=True)
class Partner:
    """The other side of a pair."""

    role: str
    inference: str
    text: str


@dataclass(slots=True)
class Context:
    """Units before and after, in reading order, and the other sides of pairs."""

    before: list[Unit] = field(default_factory=list)
    after: list[Unit] = field(default_factory=list)
    pair: list[Partner] = field(default_factory=list)


def contexts(project: Project | int, units: Sequence[Unit]) -> dict[int, Context]:
    """By unit id, what stands around it. Three queries at most. Units come with their segment, in one language."""
    if not units:
        return {}
    language = units[0].language
    segments = [unit.segment for unit in units]
    near = _near(project, language, segments)
    pairs = _pairs(project, [segment.pk for segment in segments])
    known = {unit.segment_id: unit for unit in [*near, *units]}
    partners = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)} - known.keys()
    if partners:
        known |= {unit.segment_id: unit for unit in _PARTNERS.rows(segments=partners, language=language)}
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in near:
        groups[unit.segment.dataset, unit.segment.group].append(unit)
    sides: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        sides[pair.premise_id].append(pair)
        sides[pair.hypothesis_id].append(pair)
    found = {}
    for unit in units:
        here = unit.segment
        context = found[unit.pk] = Context()
        for other in groups[here.dataset, here.group] if here.group else ():
            distance = other.segment.position - here.position
            if other.segment_id != here.pk and abs(distance) <= AROUND:
                (context.before if (distance, other.segment_id) < (0, here.pk) else context.after).append(other)
        for pair in sides[here.pk]:
            other_side = known.get(pair.hypothesis_id if pair.premise_id == here.pk else pair.premise_id)
            if other_side is not None:
                context.pair.append(Partner(other_side.segment.role, pair.inference, other_side.text))
    return found


def _pairs(project: Project | int, segments: Sequence[int]) -> list[Pair]:
    return _PAIRS.rows(project=_id(project), premises=segments, hypotheses=segments)


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


# Two look-ups by index whose ids are put together: with an OR, however it is written, PostgreSQL reads all pairs.
_PAIRS: Prepared[Pair] = Prepared(
    lambda project, premises, hypotheses: Pair.objects.filter(
        pk__in=Pair.objects.order_by()
        .filter(premise__in=premises)
        .values("pk")
        .union(Pair.objects.order_by().filter(hypothesis__in=hypotheses).values("pk")),
        project=project,
    ).order_by("position", "pk"),
    project=int,
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
