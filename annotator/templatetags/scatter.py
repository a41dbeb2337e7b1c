"""Points of several groups in a plane, told apart by colour and by shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from annotator.search.queries.sentence_map import MapPoint

register = template.Library()

# Around a point, in a plane whose longer side is some 1,000: where each begins, and the lines that follow.
_SHAPES = (
    ((-8, -3), (0, 6), (5, 5), (6, 0), (5, -5), (0, -6), (-5, -5), (-6, 0)),  # a circle, nearly
    ((-7, -7), (14, 0), (0, 14), (-14, 0)),
    ((0, -9), (9, 16), (-18, 0)),
    ((0, -10), (10, 10), (-10, 10), (-10, -10)),
    ((-9, -7), (18, 0), (-9, 16)),
    ((-3, -9), (6, 0), (0, 6), (6, 0), (0, 6), (-6, 0), (0, 6), (-6, 0), (0, -6), (-6, 0), (0, -6), (6, 0)),
)
# Many points are drawn smaller, and else would hide each other.
_MANY, _SMALLER = 500, 0.6
# As many colours as charts have (tokens.css).
_COLOURS = 4
_MARGIN = 20


@register.inclusion_tag("search/includes/scatter.html")
def scatter(points: Sequence[MapPoint]) -> dict[str, Any]:
    """A chart of points, a group a language, in the order in which the languages first turn up."""
    by_language: dict[str, list[MapPoint]] = {}
    for point in points:
        by_language.setdefault(point.language, []).append(point)
    size = 1 if len(points) <= _MANY else _SMALLER
    groups = [
        {
            "language": language,
            "count": len(some),
            "series": number % _COLOURS + 1,
            "shape": f"M0 0{_shape(number, 1)}",
            "path": "".join(f"M{point.x} {point.y}{shape}" for point in some),
        }
        for number, (language, some) in enumerate(by_language.items())
        for shape in [_shape(number, size)]
    ]
    left, right = min(point.x for point in points), max(point.x for point in points)
    top, bottom = min(point.y for point in points), max(point.y for point in points)
    box = (left - _MARGIN, top - _MARGIN, right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN)
    return {"groups": groups, "box": " ".join(map(str, box))}


def _shape(number: int, size: float) -> str:
    """The shape of a group, from the point on, as SVG writes paths."""
    (x, y), *lines = [(f"{dx * size:.3g}", f"{dy * size:.3g}") for dx, dy in _SHAPES[number % len(_SHAPES)]]
    return f"m{x} {y}{''.join(f'l{dx} {dy}' for dx, dy in lines)}z"
