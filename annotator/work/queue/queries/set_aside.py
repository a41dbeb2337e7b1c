"""Sentences that somebody set aside: in no stage, no agreement and no release, and listed as left out."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotator.models import Pair, Project, Segment, Unit

SHOWN = 50


@dataclass(frozen=True, slots=True)
class Aside:
    """A sentence that is set aside, and one of its texts."""

    segment: Segment
    unit: Unit


def can_be_set_aside(segment: Segment) -> bool:
    """Whether it is a sentence, or a text that came with files; pairs of sentences are discarded by a tag."""
    came_in = segment.imported_id is not None and segment.kind != Segment.PAIR
    return segment.kind == Segment.SENTENCE or came_in


def segments_aside(project: Project) -> QuerySet[Segment]:
    """In reading order. By an index of their own."""
    rows = Segment.objects.published().filter(project=project)
    return rows.exclude(set_aside_reason="").order_by("position", "pk")


def listed_aside(project: Project) -> tuple[list[Aside], bool]:
    """The first SHOWN, each with its text in the first language that it has one in, and whether there are more."""
    segments = list(segments_aside(project).select_related("set_aside_by")[: SHOWN + 1])
    rows = Unit.objects.filter(set_aside_with__in=segments).select_related("segment").order_by("pk")
    order = {language: number for number, language in enumerate(project.languages)}
    texts: dict[int, Unit] = {}
    for unit in sorted(rows, key=lambda one: order.get(one.language, len(order))):
        if unit.segment_id == unit.set_aside_with_id:
            texts.setdefault(unit.segment_id, unit)
    found = [Aside(one, texts[one.pk]) for one in segments[:SHOWN] if one.pk in texts]
    return found, len(segments) > SHOWN


def standing_pairs(project: Project) -> QuerySet[Pair]:
    """The project's pairs, without those with a sentence that is set aside."""
    rows = Pair.objects.published().filter(project=project)
    return rows.filter(Q(premise__set_aside_reason="") & Q(hypothesis__set_aside_reason=""))
