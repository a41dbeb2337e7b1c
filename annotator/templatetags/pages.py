"""Small pieces that several pages show: bars, heat cells, states, numbers."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotator.domain.agreement import Kappa, landis_koch
from annotator.models import Tag

register = template.Library()

HEAT_STEPS = 6


@register.filter
def percent(part: float, whole: float) -> float:
    """Share of `whole` in percent, 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


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
def reason(kappa: Kappa) -> str:
    """Why kappa is undefined, in the language of the page; empty when it is defined."""
    if kappa.value is not None:
        return ""
    if kappa.n == 0:
        return _("There is nothing that both have done.")
    return _("Both gave every item the same label, so agreement by chance is 1 and kappa would divide by zero.")


@register.filter
def heat_rows(kappa: Kappa) -> list[dict[str, Any]]:
    """The contingency table for a page: per row its label, its cells (count, step of heat, agree), its sum.

    A cell's heat is its share of its row, so that rare labels show beside the many unlabelled tokens.
    """
    rows = []
    for i, counts in enumerate(kappa.table):
        total = sum(counts)
        cells = [
            {"count": count, "heat": -(-HEAT_STEPS * count // total) if total else 0, "agree": i == j}
            for j, count in enumerate(counts)
        ]
        rows.append({"label": kappa.labels[i], "cells": cells, "total": total})
    return rows


@register.filter
def duration(seconds: float | None) -> str:
    """A duration in words short enough for a table."""
    if seconds is None:
        return ""
    seconds = round(seconds)
    if seconds < 60:
        return _("%(seconds)d s") % {"seconds": seconds}
    minutes, rest = divmod(seconds, 60)
    if minutes < 60:
        return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}
    hours, minutes = divmod(minutes, 60)
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}


@register.filter
def state_class(state: str) -> str:
    """The badge of a job's or an item's state."""
    return {
        "running": "badge-info",
        "open": "badge-info",
        "done": "badge-good",
        "failed": "badge-bad",
        "cancelled": "badge-warn",
    }.get(state, "")


@register.inclusion_tag("includes/bars.html")
def bars(rows: list[dict[str, Any]], top: float = 0, unit: str = "") -> dict[str, Any]:
    """Horizontal bars. `rows`: `label`, `value` (None: nothing to draw), `text`; `top`: what fills the width."""
    largest = top or max((row["value"] or 0 for row in rows), default=0) or 1
    drawn = [{**row, "width": f"{max(0.0, min(100.0, 100 * (row['value'] or 0) / largest)):.2f}%"} for row in rows]
    return {"rows": drawn, "unit": unit}


@register.simple_tag
def kappa_bars(rows: Any) -> list[dict[str, Any]]:
    """Rows of an agreement for `bars`."""
    return [
        {
            "label": row_name(row),
            "value": row.kappa.value,
            "text": "–" if row.kappa.value is None else f"{row.kappa.value:.2f}",
            "note": strength(row.kappa.value),
        }
        for row in rows
    ]


@register.filter
def row_name(row: Any) -> str:
    """What a row of an agreement pools: a role, an inference label, or everything."""
    names = {
        "prem": _("Premises"),
        "hyp": _("Hypotheses"),
        "entailment": _("Entailment"),
        "neutral": _("Neutral"),
        "contradiction": _("Contradiction"),
        "all": _("All"),
    }
    key = row.role if row.role != "all" else row.inference
    return names.get(key, key)


@register.filter
def label_name(label: str) -> str:
    """A label of tokens as it is; a pair tag in the language of the page."""
    return str(dict(Tag.choices).get(label, label))
