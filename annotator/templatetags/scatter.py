"""Points of several groups in a plane, told apart by colour and by shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from annotator.queries.sentence_map import MapPoint

register = template.Library()

# Around a point, in a plane whose longer side is some 1,000.
_SHAPES = (
    "m-8 -3v6l5 5h6l5 -5v-6l-5 -5h-6z",  # a circle, nearly
    "m-7 -7h14v14h-14z",
    "m0 -9l9 16h-18z",
    "m0 -10l10 10l-10 10l-10 -10z",
    "m-9 -7h18l-9 16z",
    "m-3 -9h6v6h6v6h-6v6h-6v-6h-6v-6h6z",
)
# As many colours as charts have (tokens.css).
_COLOURS = 4
_MARGIN = 20


@register.inclusion_tag("includes/scatter.html")
def scatter(points: Sequence[MapPoint]) -> dict[str, Any]:
    """A chart of points, a group a language, in the order in which the languages first turn up."""
    by_language: dict[str, list[MapPoint]] = {}
    for point in points:
        by_language.setdefault(point.language, []).append(point)
    groups = [
        {
            "language": language,
            "count": len(some),
            "series": number % _COLOURS + 1,
            "shape": f"M0 0{_SHAPES[number % len(_SHAPES)]}",
            "path": "".join(f"M{point.x} {point.y}{_SHAPES[number % len(_SHAPES)]}" for point in some),
        }
        for number, (language, some) in enumerate(by_language.items())
    ]
    left, right = min(point.x for point in points), max(point.x for point in points)
    top, bottom = min(point.y for point in points), max(point.y for point in points)
    box = (left - _MARGIN, top - _MARGIN, right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN)
    return {"groups": groups, "box": " ".join(map(str, box))}
