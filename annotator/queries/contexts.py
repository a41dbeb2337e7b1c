"""What stands around a sentence: its group before and after it, and the other sides of its pairs. Texts only, so
everybody may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from annotator.models import Pair, Project, Segment, Unit

# How far around a sentence its group is shown: a document may have thousands.
AROUND = 10


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
    partners: list[Partner] = field(default_factory=list)


def contexts(project: Project, units: Sequence[Unit]) -> dict[int, Context]:
    """By unit id, what stands around it. Units come with their segment and are of one language. Three queries at most."""
    if not units:
        return {}
    language = units[0].language
    segments = [unit.segment for unit in units]
    pairs = _pairs(project, [segment.pk for segment in segments])
    near = _near(project, language, segments)
    known = {unit.segment_id: unit for unit in near}
    partners = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)} - known.keys()
    if partners:
        rows = Unit.objects.filter(segment__in=partners, language=language, is_current=True).select_related("segment")
        known |= {unit.segment_id: unit for unit in rows}
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
                context.partners.append(Partner(other_side.segment.role, pair.inference, other_side.text))
    return found


def _pairs(project: Project, segments: Sequence[int]) -> list[Pair]:
    # As two indexed look-ups: an OR over two columns reads the whole table on PostgreSQL.
    rows = Pair.objects.filter(pk__in=Pair.objects.filter(premise__in=segments).values("pk")) | Pair.objects.filter(
        pk__in=Pair.objects.filter(hypothesis__in=segments).values("pk")
    )
    return list(rows.filter(project=project).order_by("position", "pk"))


def _near(project: Project, language: str, segments: Sequence[Segment]) -> list[Unit]:
    groups = {(segment.dataset, segment.group) for segment in segments if segment.group}
    if not groups:
        return []
    positions = [segment.position for segment in segments]
    rows = (
        Unit.objects.published()
        .filter(
            Q(segment__dataset__in={dataset for dataset, _group in groups}),
            project=project,
            kind=Segment.SENTENCE,
            language=language,
            is_current=True,
            segment__project=project,
            segment__group__in={group for _dataset, group in groups},
            segment__position__range=(min(positions) - AROUND, max(positions) + AROUND),
        )
        .select_related("segment")
        .defer("lemmas", "content_words", "touches")
    )
    return sorted(rows, key=lambda unit: (unit.segment.position, unit.pk))
