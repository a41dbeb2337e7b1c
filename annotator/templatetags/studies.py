"""Intervals as a chart: each a line from its lower to its upper end, with its value as a point, over an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

from annotator.templatetags.charts import KAPPA, Axis, ticks_along

register = template.Library()

_AXES = {"kappa": KAPPA, "difference": Axis(-100, 100, (-100, -50, 0, 50, 100), "%")}


@register.inclusion_tag("reports/includes/intervals.html")
def intervals(rows: Sequence[Mapping[str, Any]], axis: str, title: str) -> dict[str, Any]:
    """`rows`: `label`, `value`, `low`, `high` (None where undefined), `text`; `title`: what the axis measures."""
    over = _AXES[axis]
    scale = 100 if over.unit == "%" else 1

    def place(value: float | None) -> str:
        return "" if value is None else f"{over.share(scale * value):.2f}%"

    drawn = [{**row, **{end: place(row[end]) for end in ("value", "low", "high")}} for row in rows]
    return {"rows": drawn, "ticks": ticks_along(over), "title": title}
