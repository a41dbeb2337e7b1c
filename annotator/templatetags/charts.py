"""Charts drawn by the server: bars and lines over labelled axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, log10
from typing import Any

from django import template
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from annotator.core.counts import grouped
from annotator.machines.queries.training import LearningCourse
from annotator.reports.queries.agreement import AgreementRow
from annotator.reports.queries.agreement_course import CoursePoint
from annotator.templatetags.tables import decimal, row_name, strength

register = template.Library()

# The height of a line chart in pixels. Widths are shares of what the page has.
HEIGHT = 160
# How many steps an axis of counts has, about.
_STEPS = 4


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of a chart, and the values of its ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]
    unit: str = ""

    def share(self, value: float) -> float:
        """The position of a value on the axis, in %; values beyond an end are at the end."""
        return max(0.0, min(100.0, 100 * (value - self.low) / (self.high - self.low)))

    def label(self, tick: float) -> str:
        """A tick in the language of the page, with the unit where it is a per cent sign."""
        written = grouped(int(tick)) if tick == int(tick) else str(number_format(f"{tick:g}"))
        return written.replace("-", "−") + (" %" if self.unit == "%" else "")


KAPPA = Axis(-1, 1, (-1, -0.5, 0, 0.5, 1))
PER_CENT = Axis(0, 100, (0, 25, 50, 75, 100), "%")
_NAMED = {"kappa": KAPPA, "share": PER_CENT}


def count_axis(largest: float) -> Axis:
    """From 0 to a round number that is at least the largest one, in steps of 1, 2 or 5 times a power of ten."""
    rough = max(1.0, largest / _STEPS)
    power = 10 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    number = max(1, ceil(largest / step))
    return Axis(0, number * step, tuple(step * tick for tick in range(number + 1)))


@register.inclusion_tag("includes/bars.html")
def bars(rows: Sequence[Mapping[str, Any]], axis: str = "count", title: str = "") -> dict[str, Any]:
    """Horizontal bars over an axis: `kappa` (−1 to 1), `share` (0 to 100 %), or `count` (from 0 to a round number).

    `rows`: `label`, `value` (None: nothing to draw), `text`; `title`: what the axis measures.
    """
    over = _NAMED.get(axis) or count_axis(max((row["value"] or 0 for row in rows), default=0))
    zero = over.share(0)
    drawn = []
    for row in rows:
        end = over.share(row["value"]) if row["value"] is not None else zero
        drawn.append({**row, "x": f"{min(zero, end):.2f}%", "width": f"{abs(end - zero):.2f}%"})
    return {"rows": drawn, "ticks": ticks_along(over), "title": title}


@register.inclusion_tag("includes/bars.html")
def kappa_bars(rows: Sequence[AgreementRow]) -> dict[str, Any]:
    """Kappa of the rows of an agreement, from −1 to 1."""
    shown = [
        {
            "label": row_name(row),
            "value": row.kappa.value,
            "text": decimal(row.kappa.value, 2),
            "note": strength(row.kappa.value),
        }
        for row in rows
    ]
    return bars(shown, "kappa", "κ")


def ticks_along(axis: Axis) -> list[dict[str, str]]:
    """The ticks of a horizontal axis. The first and the last one stand inside, so that they are not cut off."""
    anchors = {axis.ticks[0]: "start", axis.ticks[-1]: "end"}
    return [
        {"x": f"{axis.share(tick):.2f}%", "label": axis.label(tick), "anchor": anchors.get(tick, "middle")}
        for tick in axis.ticks
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """A line: points of what lies along the horizontal and what the vertical axis measures. `dotted`: points that
    stand out."""

    points: Sequence[tuple[float, float]]
    dotted: Sequence[tuple[float, float]] = ()


def _lines(lines: Sequence[Line], along: Axis, up: Axis) -> dict[str, Any]:
    """What `includes/chart.html` draws: lines in a plane of 1,000 by `HEIGHT`, stretched to the width of the page."""

    def place(x: float, y: float) -> str:
        return f"{10 * along.share(x):.0f},{HEIGHT * (1 - up.share(y) / 100):.1f}"

    heights = [(tick, f"{HEIGHT * (1 - up.share(tick) / 100):.1f}") for tick in up.ticks]
    return {
        "height": HEIGHT,
        "lines": [" ".join(place(*point) for point in line.points) for line in lines],
        # Strokes without length and with round ends stay round however the figure is stretched.
        "dots": " ".join(f"M{place(*point)}h0" for line in lines for point in line.dotted),
        "grid": "".join(f"M0 {y}H1000" for _tick, y in heights),
        "up": [{"y": y, "label": up.label(tick)} for tick, y in heights],
        "along": ticks_along(along),
    }


@register.inclusion_tag("reports/includes/course.html")
def course_chart(points: Sequence[CoursePoint], layer: str) -> dict[str, Any]:
    """Kappa as the common work grew, as a line; nothing where fewer than two points are defined."""
    drawn = [(point.units, point.kappa) for point in points if point.kappa is not None]
    if len(drawn) < 2:
        return {}
    units = {"tokens": _("Sentences in common"), "pairs": _("Pairs in common")}.get(layer, _("Items in common"))
    return {
        "points": points,
        "units": units,
        "chart": _lines([Line(drawn)], count_axis(points[-1].units), KAPPA) | {"y": "κ", "x": units},
    }


@register.inclusion_tag("dashboard/includes/learning_chart.html")
def learning_chart(course: LearningCourse) -> dict[str, Any]:
    """F1 of each trained detector and of the one in use then, one training after the other; bars when it is one."""
    rows = course.detectors
    first, last = rows[0], rows[-1]
    if len(rows) == 1:
        measured = [(_("new detector"), first.f1), (_("active detector"), first.baseline_f1)]
        shown = [
            {"label": label, "value": f1, "text": f"{number_format(f'{f1:.1f}')} %", "series": number}
            for number, (label, f1) in enumerate(measured, start=1)
            if f1 is not None
        ]
        return {"rows": shown, "first": first}
    values = [f1 for row in rows for f1 in (row.f1, row.baseline_f1) if f1 is not None]
    # The tens around all values: what matters is often a few points.
    low = 10 * int(min(values) // 10)
    high = max(10 * int(-(-max(values) // 10)), low + 10)
    numbered = list(enumerate(rows, start=1))
    lines = [
        Line(
            [(number, row.f1) for number, row in numbered],
            dotted=[(number, row.f1) for number, row in numbered if row.active],
        ),
        Line([(number, row.baseline_f1) for number, row in numbered if row.baseline_f1 is not None]),
    ]
    along = Axis(1, len(rows), (1, len(rows)) if len(rows) > 6 else tuple(range(1, len(rows) + 1)))
    chart = _lines(lines, along, Axis(low, high, tuple(range(low, high + 1, 10)), "%"))
    return {"chart": chart | {"y": "F1", "x": _("Training")}, "first": first, "last": last}


@register.inclusion_tag("dashboard/includes/done_chart.html")
def done_chart(days: Sequence[tuple[date, int]]) -> dict[str, Any]:
    """How many answers were done by each day, up to today, as a line."""
    low = 1 - len(days)
    line = Line([(low + place, number) for place, (_day, number) in enumerate(days)])
    along = Axis(low, 0, tuple(tick for tick in range(-90, 1, 10) if tick >= low))
    chart = _lines([line], along, count_axis(days[-1][1])) | {"y": _("Done"), "x": _("Days from today")}
    return {"chart": chart, "days": [(date_format(day, "SHORT_DATE_FORMAT"), number) for day, number in days]}
