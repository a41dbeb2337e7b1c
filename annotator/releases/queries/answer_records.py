"""The finished answers of layers without gold, as releases have them in JSON Lines, under names that are nobody's.

What is counted of such answers (ratings, scores, repeated words, agreement) can be counted again from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from annotator.domain.batches import batches
from annotator.domain.content import Written, content_type
from annotator.models import Annotation, AnnotationState, Gold, Layer, Project, Stage, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.queries.gold_records import (
    TOGETHER,
    answer_record,
    answers_to,
    by_name,
    further_layers,
    parents_of,
    unit_record,
)
from annotator.work.gold.queries.withheld import repeats_withheld, withheld


def answered_layers(project: Project) -> list[Layer]:
    """The layers whose answers stand as they are: nobody decides there, and none of them becomes a text."""
    layers = [layer for layer in further_layers(project) if not isinstance(content_type(layer.content_type), Written)]
    decided = {
        *Gold.objects.filter(layer__in=layers, unit__is_current=True).values_list("layer_id", flat=True).distinct(),
        *Stage.objects.filter(layer__in=layers, kind=Stage.ADJUDICATE).values_list("layer_id", flat=True),
    }
    return [layer for layer in layers if layer.pk not in decided]


def answer_records(
    layer: Layer, names: Mapping[int, str], *, comments: bool = False, words: bool = True
) -> Iterator[dict[str, Any]]:
    """Every unit of the layer that somebody answered, as `layer_records` has it, with its answers by name.

    `parents` of a tuple are its parts in their order: those that the numbers of an answer count.
    """
    kept_back = withheld(layer.project) if words else ()
    units = Unit.objects.published().filter(pk__in=_finished(layer).order_by().values("unit"))
    rows = units.select_related("segment").order_by("segment__position", "language", "pk")
    for some in batches(rows.iterator(chunk_size=TOGETHER), TOGETHER):
        answers, parents = answers_to(layer, some), parents_of(some)
        for unit in some:
            if repeats_withheld(unit, kept_back):
                continue
            yield {
                **unit_record(unit, _in_place(unit, parents[unit.pk]), words=words),
                "annotations": by_name(answer_record(one, names, comments) for one in answers[unit.pk]),
            }


def _finished(layer: Layer) -> QuerySet[Annotation]:
    """People's finished answers on current texts."""
    return Annotation.objects.filter(
        PUBLISHED, layer=layer, state=AnnotationState.DONE, unit__is_current=True
    ).order_by("unit_id", "pk")


def _in_place(unit: Unit, parents: Sequence[tuple[int, str]]) -> list[str]:
    """The uids of a unit's parts in their order."""

    def place(parent: tuple[int, str]) -> int:
        return unit.touches.index(parent[0]) if parent[0] in unit.touches else len(unit.touches)

    return [uid for _segment, uid in sorted(parents, key=place)]
