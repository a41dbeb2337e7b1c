"""Small pieces that several pages show: bars, heat cells, states, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import get_language_info, pgettext
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from annotator.domain.agreement import Kappa, landis_koch
from annotator.domain.tokens import text_of
from annotator.models import Job, Role, Tag
from annotator.queries.agreement import AgreementRow
from annotator.queries.agreement_course import CoursePoint
from annotator.queries.progress import Progress
from annotator.queries.reports import Report

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
def kappa_bars(rows: Sequence[AgreementRow]) -> list[dict[str, Any]]:
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


_GROUPS = {
    "prem": _l("Premises"),
    "hyp": _l("Hypotheses"),
    "entailment": _l("Entailment"),
    "neutral": _l("Neutral"),
    "contradiction": _l("Contradiction"),
    "all": _l("All"),
}


@register.filter
def group_name(group: str) -> str:
    """A role, an inference label, or "all"; anything else as it is."""
    return str(_GROUPS.get(group, group))


@register.filter
def row_name(row: AgreementRow) -> str:
    """What a row of an agreement pools: a role, an inference label, or everything."""
    return group_name(row.role if row.role != "all" else row.inference)


@register.filter
def label_name(label: str) -> str:
    """A label of tokens as it is; a pair tag in the language of the page."""
    return str(dict(Tag.choices).get(label, label))


@register.filter
def language(code: str) -> str:
    """The name of a language on this page with its code; the code alone where no name is known."""
    try:
        return f"{get_language_info(code)['name_translated']} ({code})"
    except KeyError:
        return code


_RESULT_WORDS = {
    "sentences": _l("Sentences"),
    "tokens": _l("Tokens"),
    "labelled_sentences": _l("Sentences with a label"),
    "labelled_tokens": _l("Labelled tokens"),
    "skipped": _l("Left out"),
    "with a person's labels": _l("with a person's labels"),
    "text replaced meanwhile": _l("text replaced meanwhile"),
    "labels or text changed meanwhile": _l("labels or text changed meanwhile"),
    "detector": _l("Detector"),
    "aligner": _l("Aligner"),
    "revision": _l("Revision"),
    "language": _l("Language"),
    "only_unprojected": _l("Only sentences without a projection"),
    "source": _l("From"),
    "target": _l("To"),
    "labels": _l("Labels"),
    "partial": _l("Partial"),
    "dataset": _l("Dataset"),
    "number": _l("Release"),
    "file": _l("File"),
    "size": _l("Bytes"),
    "role": _l("Role"),
    "inference": _l("Inference label"),
    "relevant": _l("Relevant"),
    "non_relevant": _l("Non-relevant"),
    "no_metaphor": _l("No metaphor"),
    "total": _l("Total"),
    "predicted": _l("Predicted"),
    "removed": _l("Removed"),
    "added": _l("Added"),
    "revised": _l("Revised"),
    "lost": _l("Lost"),
    "gained": _l("Gained"),
    "left_out": _l("Left out"),
    "pairs": _l("Pairs"),
    "segments": _l("Segments"),
    "datasets": _l("Datasets"),
    "gold labels": _l("Gold labels"),
    "gold pair tags": _l("Gold tags of pairs"),
    "gold_sentences": _l("Sentences with gold"),
}


@register.filter
def in_words(name: str) -> str:
    """The name of a column, setting or count as people read it; "outer: inner" part by part, "word es" by its word."""

    def known(part: str) -> str:
        if part in _RESULT_WORDS:
            return str(_RESULT_WORDS[part])
        word, _space, rest = part.rpartition(" ")
        return f"{_RESULT_WORDS[word]} ({rest})" if word in _RESULT_WORDS else part.replace("_", " ")

    return ": ".join(known(part) for part in str(name).split(": "))


@register.inclusion_tag("includes/stage_bar.html")
def stage_bar(progress: Progress) -> dict[str, str]:
    """Done and open items of a stage as one bar; its numbers stand beside it in words."""
    done = percent(progress.done, progress.total)
    return {"done": f"{done}%", "open": f"{percent(progress.open, progress.total)}%"}


@register.filter
def job_seconds(job: Job) -> float | None:
    """How long a finished job took."""
    if job.started_at is None or job.finished_at is None:
        return None
    return (job.finished_at - job.started_at).total_seconds()


@register.filter
def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


GROUP_COLUMNS = frozenset({"role", "inference"})
NAME_COLUMNS = GROUP_COLUMNS | {"language", "dataset"}


@register.filter
def column_class(column: str) -> str:
    """Numbers stand to the right."""
    return "" if column in NAME_COLUMNS else "n"


@register.filter
def report_rows(report: Report) -> list[dict[str, Any]]:
    """The cells of a report with their classes; rows that add up others are marked."""
    return [
        {
            "cells": [
                {"text": group_name(cell) if column in GROUP_COLUMNS else cell, "css": column_class(column)}
                for column, cell in zip(report.columns, cells, strict=True)
            ],
            "total": "all" in cells,
        }
        for cells in report.cells
    ]


@register.filter
def joined(tokens: list[str] | None) -> str:
    """The text of a sentence from its tokens."""
    return text_of(tokens or [])


@register.filter
def role_name(role: str) -> str:
    """A role in the language of the page."""
    return str(Role(role).label)


@register.inclusion_tag("includes/course.html")
def course_chart(points: Sequence[CoursePoint], layer: str) -> dict[str, Any]:
    """Kappa as the common work grew, as a line; nothing where fewer than two points are defined."""
    drawn = [point for point in points if point.kappa is not None]
    last = points[-1].units if points else 0
    return {
        "line": " ".join(f"{1000 * p.units / last:.0f},{200 * (1 - max(0.0, p.kappa or 0)):.1f}" for p in drawn),
        "from": drawn[0] if drawn else None,
        "to": drawn[-1] if drawn else None,
        "shown": len(drawn) > 1,
        "layer": layer,
    }
