"""What stands around a sentence: its group before and after it, and the other sides of its pairs. Texts only, so
everybody may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q

from annotator.models import Pair, Project, Segment, Unit

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
        rows = Unit.objects.published().filter(segment__in=partners, language=language, is_current=True)
        known |= {unit.segment_id: unit for unit in rows.select_related("segment").defer(*TEXT_ONLY)}
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
    # As two indexed look-ups: an OR over two columns reads the whole table on PostgreSQL.
    rows = Pair.objects.filter(pk__in=Pair.objects.filter(premise__in=segments).values("pk")) | Pair.objects.filter(
        pk__in=Pair.objects.filter(hypothesis__in=segments).values("pk")
    )
    return list(rows.filter(project=project).order_by("position", "pk"))


def _near(project: Project | int, language: str, segments: Iterable[Segment]) -> list[Unit]:
    """What stands at most AROUND places from one of the segments, whatever its group: one index range a stretch."""
    stretches = _stretches(segment.position for segment in segments if segment.group)
    if not stretches:
        return []
    rows = (
        Unit.objects.published()
        .filter(
            reduce(or_, (Q(segment__position__range=stretch) for stretch in stretches)),
            language=language,
            is_current=True,
            segment__project=project,
            segment__kind=Segment.SENTENCE,
        )
        .select_related("segment")
        .defer(*TEXT_ONLY)
    )
    return sorted(rows, key=lambda unit: (unit.segment.position, unit.pk))


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
