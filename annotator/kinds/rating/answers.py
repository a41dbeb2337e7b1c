"""What people answered in these layers, for tables and releases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from annotator.domain.agreement.best_worst import Picked
from annotator.kinds.rating.tuples import parts_in
from annotator.models import Annotation, AnnotationState, Layer, Project


def layers(project: Project, content_type: str, unit_kind: str) -> list[Layer]:
    """The project's layers with such contents on such units."""
    return [
        layer for layer in project.layers.all() if (layer.content_type, layer.unit_kind) == (content_type, unit_kind)
    ]


def ratings(layer: Layer, language: str) -> dict[int, list[int]]:
    """By segment, which is a sentence's or a marked expression's, all finished ratings of its current text."""
    found: defaultdict[int, list[int]] = defaultdict(list)
    for segment, content in _finished(layer, language, "unit__segment_id", "content"):
        found[segment].append(content["value"])
    return dict(found)


def picked(layer: Layer, language: str) -> list[list[Picked[int]]]:
    """Of each tuple that somebody answered, all finished answers; its items are segments, as above."""
    found: defaultdict[int, list[Picked[int]]] = defaultdict(list)
    for unit, touches, content in _finished(layer, language, "unit_id", "unit__touches", "content"):
        items = tuple(parts_in(touches))
        found[unit].append(Picked(items, items[content["best"]], items[content["worst"]]))
    return list(found.values())


def _finished(layer: Layer, language: str, *fields: str) -> Iterator[tuple[Any, ...]]:
    rows = Annotation.objects.filter(
        layer=layer, state=AnnotationState.DONE, unit__language=language, unit__is_current=True
    )
    return rows.order_by("unit_id", "pk").values_list(*fields).iterator()
