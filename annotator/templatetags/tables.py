"""Tables of numbers: agreement and reports."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.formats import number_format
from django.utils.translation import pgettext, pgettext_lazy

from annotator.core.counts import grouped
from annotator.core.kind import dataset_title
from annotator.domain.agreement.kappa import Kappa, landis_koch
from annotator.domain.statistics import ALL
from annotator.domain.text.storable import whole_number
from annotator.reports.queries.agreement import AgreementRow
from annotator.reports.queries.reports import NAMES, HeatMap, Report
from annotator.templatetags.pages import group_name, in_words

register = template.Library()

HEAT_STEPS = 6


@register.filter
def strength(value: float | None) -> str:
    """Landis and Koch's word for a kappa, in the language of the page."""
    words = {
        "poor": pgettext("agreement", "poor"),
        "slight": pgettext("agreement", "slight"),
        "fair": pgettext("agreement", "fair"),
        "moderate": pgettext("agreement", "moderate"),
        "substantial": pgettext("agreement", "substantial"),
        "almost perfect": pgettext("agreement", "almost perfect"),
        "undefined": pgettext("agreement", "undefined"),
    }
    return words[landis_koch(value)]


@register.filter
def kappa_step(value: float | None) -> int:
    """The shade of a kappa: 0 where there is none or it is poor, then one more for each of Landis and Koch's words."""
    words = ("slight", "fair", "moderate", "substantial", "almost perfect")
    word = landis_koch(value)
    return words.index(word) + 1 if word in words else 0


@register.filter
def decimal(value: float | None, places: int) -> str:
    """A number with so many decimals and a true minus sign; a dash where there is none."""
    # No zero with a sign: −0.00 would be read as below it.
    return "–" if value is None else number_format(f"{round(value, places) + 0.0:.{places}f}").replace("-", "−")


@register.filter
def heat_rows(kappa: Kappa) -> list[dict[str, Any]]:
    """The contingency table for a page: per row its label, its cells (count, step of heat, agree), its sum.

    A cell's heat is its share of its row, so that rare labels show beside the many unlabelled tokens.
    """
    rows = []
    for i, counts in enumerate(kappa.table):
        total = sum(counts)
        cells = [
            {
                "label": kappa.labels[j],
                "count": count,
                "heat": -(-HEAT_STEPS * count // total) if total else 0,
                "agree": i == j,
            }
            for j, count in enumerate(counts)
        ]
        rows.append({"label": kappa.labels[i], "cells": cells, "total": total})
    return rows


# Pixels of a heat map: a cell, the space between two, the labels beside and above.
_CELL, _ROW, _GAP, _BESIDE, _ABOVE = 64, 36, 2, 72, 28


@register.inclusion_tag("reports/includes/heat_map.html")
def heat_map(heat: HeatMap, kind: str) -> dict[str, Any]:
    """The numbers of every two as a picture. A cell's heat is its share of the largest number."""
    largest = max((cell for cells in heat.cells for cell in cells if cell is not None), default=0.0)

    def left(column: int) -> int:
        return _BESIDE + column * (_CELL + _GAP)

    def top(row: int) -> int:
        return _ABOVE + row * (_ROW + _GAP)

    cells = [
        {
            "x": left(column),
            "y": top(row),
            "width": _CELL,
            "height": _ROW,
            "text_x": left(column) + _CELL // 2,
            "text_y": top(row) + _ROW // 2 + 4,
            "text": "–" if cell is None else number_format(f"{cell:.3f}"),
            "heat": math.ceil(HEAT_STEPS * (cell / largest)) if cell and largest else 0,
        }
        for row, cells in enumerate(heat.cells)
        for column, cell in enumerate(cells)
    ]
    count = len(heat.names)
    return {
        "kind": kind,
        "names": heat.names,
        "width": left(count),
        "height": top(count),
        "columns": [
            {"name": name, "x": left(column) + _CELL // 2, "y": _ABOVE - 8} for column, name in enumerate(heat.names)
        ],
        "rows": [
            {"name": name, "x": _BESIDE - 8, "y": top(row) + _ROW // 2 + 4} for row, name in enumerate(heat.names)
        ],
        "cells": cells,
    }


@register.filter
def row_name(row: AgreementRow) -> str:
    """What a row of an agreement pools: a role, an inference label, or everything."""
    return group_name(row.group)


# Where a report means spans by a word that elsewhere names a setting or the outcome of one of them.
_COLUMN_WORDS = {
    "source": pgettext_lazy("spans", "Source"),
    "projected": pgettext_lazy("spans", "Projected"),
    "unaligned": pgettext_lazy("spans", "Unaligned"),
    "dropped": pgettext_lazy("spans", "Dropped"),
    "kept": pgettext_lazy("spans", "Kept"),
    "shifted": pgettext_lazy("spans", "Shifted"),
    "lost": pgettext_lazy("spans", "Lost"),
    "lost_not_projected": pgettext_lazy("spans", "Lost, not projected"),
    "gained": pgettext_lazy("spans", "Gained"),
    "target": pgettext_lazy("spans", "Target"),
}


@register.filter
def column_name(column: str) -> str:
    """The heading of a report's column."""
    return str(_COLUMN_WORDS.get(column) or in_words(column))


_DECIMAL = re.compile(r"\d+\.\d+")


GROUP_COLUMNS = frozenset({"role", "inference"})


@register.filter
def column_class(column: str) -> str:
    """Numbers stand to the right."""
    return "" if column in NAMES else "n"


@register.filter
def report_rows(report: Report) -> list[dict[str, Any]]:
    """The cells of a report with their classes, and the value whose sentences they lead to, or what the list of
    sentences is filtered by for them; rows that add up others are marked."""
    return [
        {
            "cells": [
                {
                    "text": cell if column == report.leading else _cell_text(column, cell),
                    "css": column_class(column),
                    "leads": _leads(report, column, cells),
                    "listed": _listed(report, column, cells),
                }
                for column, cell in zip(report.columns, cells, strict=True)
            ],
            "total": any(
                cell == ALL and column in NAMES and column != report.leading
                for column, cell in zip(report.columns, cells, strict=True)
            ),
        }
        for cells in report.cells
    ]


def shown_cells(report: Report) -> list[list[str]]:
    """The texts of a report's cells, as a page has them."""
    return [[cell["text"] for cell in row["cells"]] for row in report_rows(report)]


def _leads(report: Report, column: str, cells: Sequence[str]) -> str:
    """The value whose sentences a cell leads to: the value itself does, and how many sentences have it."""
    if column not in (report.leading, "sentences") or not report.leading:
        return ""
    value = cells[report.columns.index(report.leading)]
    return value if value in report.behind else ""


# Columns whose value the list of sentences can be filtered by, under the same name.
_FILTERED = ("language", "dataset", "role")


def _listed(report: Report, column: str, cells: Sequence[str]) -> dict[str, str]:
    """The filters of the list for a cell that counts sentences: those of its column, and what its row is of."""
    if column not in report.listed:
        return {}
    row = {name: cell for name, cell in zip(report.columns, cells, strict=True) if name in _FILTERED and cell != ALL}
    return {**row, **report.listed[column]}


def _cell_text(column: str, cell: str) -> str:
    if column in GROUP_COLUMNS or (cell == ALL and column in NAMES):
        return group_name(cell)
    if column == "dataset":
        return dataset_title(cell)
    if column in NAMES:
        return cell
    number = whole_number(cell)
    return decimals(cell) if number is None else grouped(number)


def decimals(text: str) -> str:
    """Numbers as files write them, such as the two of an interval, with the decimal sign of the page's language."""
    return _DECIMAL.sub(lambda found: number_format(found[0]), text)
