"""The charts above the tables of the core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.core.counts import grouped
from annotator.core.kind import dataset_title
from annotator.domain.statistics import ALL
from annotator.reports.queries.reports import Report
from annotator.templatetags.pages import group_name

Row = Mapping[str, Any]


def report_chart(kind: str, report: Report) -> dict[str, Any] | None:
    """Bars for a table: `rows`, the `axis` that they lie over, and what it measures as `title`; None where there is no
    chart."""
    if kind == "detection":
        return {"rows": [_labelled(row) for row in report.rows], "axis": "share", "title": _("of tokens")}
    if kind == "interpretation":
        names = {"relevant": _("Relevant"), "non_relevant": _("Non-relevant"), "no_metaphor": _("No metaphor")}
        rows = _parts(report, names, of="inference", whole="total")
        return {"rows": rows, "axis": "share", "title": _("of pairs")}
    if kind == "correction":
        names = {"removed": pgettext("tokens", "removed"), "added": pgettext("tokens", "added")}
        return {"rows": _parts(report, names, of="role"), "axis": "count", "title": pgettext("axis", "tokens")}
    if kind == "projection":
        names = {"kept": pgettext("spans", "kept"), "shifted": pgettext("spans", "shifted")}
        names |= {"lost": pgettext("spans", "lost"), "gained": pgettext("spans", "gained")}
        return {"rows": _parts(report, names, of="role"), "axis": "count", "title": pgettext("axis", "spans")}
    if kind == "artifacts":
        scores = zip(report.rows, report.cells, strict=True)
        return {
            "rows": [_scored(row, cells) for row, cells in scores if row["macro_f1"] is not None],
            "axis": "share",
            "title": _("Macro-F1"),
        }
    return None


def _scored(row: Row, cells: Sequence[str]) -> dict[str, Any]:
    """A bar for a score. The first cells name it."""
    value, spread = row["macro_f1"], number_format(row["spread"], 1)
    text = f"{number_format(value, 1)} ± {spread}"
    return {
        "label": " · ".join(cells[:4]),
        "value": value,
        "text": text,
        "series": 1 if row["split"] == "random" else 4,
    }


def _labelled(row: Row) -> dict[str, Any]:
    share = 100 * row["labelled_tokens"] / row["tokens"] if row["tokens"] else 0.0
    return {
        "label": f"{row['language']} · {_dataset(row)} · {group_name(row['role'])}",
        "value": share,
        "text": _per_cent(share),
        "series": 1 if row["role"] == ALL else 4,
    }


def _parts(report: Report, names: Mapping[str, str], *, of: str, whole: str = "") -> list[dict[str, Any]]:
    """One bar for each part of the rows that add up the others; as shares of `whole`, where one is named."""
    rows = []
    for row in report.rows:
        for number, part in enumerate(names, start=1):
            if row[of] != ALL or (whole and not row[whole]):
                continue
            share = 100 * row[part] / row[whole] if whole else row[part]
            rows.append(
                {
                    "label": " · ".join(
                        [*([row["language"]] if "language" in row else []), _dataset(row), names[part]]
                    ),
                    "value": share,
                    "text": _per_cent(share) if whole else grouped(row[part]),
                    "series": number,
                }
            )
    return rows


def _per_cent(share: float) -> str:
    return f"{number_format(f'{share:.2f}')} %"


def _dataset(row: Row) -> str:
    """What a row's dataset is called; "All" where it adds up several."""
    return group_name(ALL) if row["dataset"] == ALL else dataset_title(row["dataset"])
