"""Texts that may not be published, and what repeats them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from annotator.domain.content import content_type
from annotator.domain.content.several_texts import SeveralTexts
from annotator.models import Project, Segment, Unit
from annotator.work.answering.queries.own import ANYBODYS


def withheld(
    project: Project, dataset: str = "", *, segments: Collection[int] | None = None
) -> frozenset[tuple[str, int]]:
    """Language and segment of texts that came with an import which may not be published, whatever was fixed in them
    since, and of what was made from such texts; of one dataset (sentences alone), of some segments, or of all."""
    if not project.imports.filter(publishable=False).exists():
        return frozenset()
    units = Unit.objects.published().filter(project=project)
    if segments is not None:
        units = units.filter(segment__in=segments)
    found = units.filter(imported__publishable=False).exclude(kind=Segment.PAIR)
    if dataset:
        found = found.filter(segment__dataset=dataset)
    else:
        # What is made of a definition repeats it, though it touches only the sentence in which the definition stands.
        written = _written_elsewhere(project)
        found = found.union(units.filter(pk__in=written), units.filter(parents__in=written))
    return frozenset(found.values_list("language", "segment_id"))


def _written_elsewhere(project: Project) -> QuerySet[Unit]:
    """Units other than sentences and pairs of which the text, or a text that says what they mean, came with an import
    that may not be published."""
    layers = [layer.pk for layer in project.layers.all() if isinstance(content_type(layer.content_type), SeveralTexts)]
    units = Unit.objects.published().filter(project=project).exclude(kind__in=ANYBODYS)
    closed = units.filter(imported__publishable=False).values("segment")
    condition = Q()
    for contents in ("annotations", "golds", "suggestions"):
        condition |= Q(**{f"{contents}__layer__in": layers, f"{contents}__imported__publishable": False})
    about = units.filter(condition).values("segment") if layers else Unit.objects.none().values("segment")
    return units.filter(Q(segment__in=closed) | Q(segment__in=about))


def repeats_withheld(unit: Unit, kept_back: Collection[tuple[str, int]]) -> bool:
    """Whether a unit is, or was made from, a text that is kept back (`withheld`)."""
    return any((unit.language, segment) in kept_back for segment in unit.touches)
