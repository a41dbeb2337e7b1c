"""Small pieces that several pages show: bars, heat cells, states, numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from annotator.core.counts import grouped
from annotator.core.kind import counted_units, dataset_title, unit_title
from annotator.domain.agreement.kappa import Kappa, landis_koch
from annotator.domain.statistics import ALL
from annotator.domain.text.storable import whole_number
from annotator.machines.queries.training import LearningCourse
from annotator.models import Job, Segment
from annotator.reports.queries.agreement import AgreementRow
from annotator.reports.queries.agreement_course import CoursePoint
from annotator.reports.queries.reports import NAMES, HeatMap, Report
from annotator.templatetags.words import SKIPPED
from annotator.work.queue.queries.progress import Progress

register = template.Library()

HEAT_STEPS = 6


@register.filter
def when(at: datetime | None, style: str) -> str:
    """A time in one of Django's styles, which scripts bring to the reader's own zone; until then it says the server's
    (`static/js/logic/times.js`)."""
    if at is None:
        return ""
    return format_html('<time datetime="{}" data-when="{}">{}</time>', at.isoformat(), style, when_said(at, style))


@register.filter
def when_said(at: datetime, style: str) -> str:
    """The same as plain text: with the zone, where it has a time of the day."""
    local = timezone.localtime(at)
    name = local.tzname() or ""
    # Some zones have no name but their distance.
    zone = f"UTC{name}" if name[:1] in ("+", "-") else name
    return f"{date_format(local, style)} {zone}" if "TIME" in style else date_format(local, style)


@register.filter
def percent(part: float, whole: float) -> float:
    """Share of `whole` in percent, 0 of nothing."""
    return round(100 * part / whole, 2) if whole else 0.0


@register.filter
def get_item(numbers: Mapping[str, int], name: str) -> int:
    """The number under a name; 0 where there is none."""
    return numbers.get(name, 0)


@register.filter
def value_name(value: str, names: Mapping[str, str]) -> str:
    """What a value is called; itself where it has no name."""
    return names.get(value, value)


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


# Pixels of a heat map: a cell, the space between two, the labels beside and above.
_CELL, _ROW, _GAP, _BESIDE, _ABOVE = 64, 36, 2, 72, 28


@register.inclusion_tag("includes/heat_map.html")
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
            "text": "–" if row.kappa.value is None else number_format(f"{row.kappa.value:.2f}"),
            "note": strength(row.kappa.value),
        }
        for row in rows
    ]


_GROUPS = {
    "prem": gettext_lazy("Premises"),
    "hyp": gettext_lazy("Hypotheses"),
    "entailment": gettext_lazy("Entailment"),
    "neutral": gettext_lazy("Neutral"),
    "contradiction": gettext_lazy("Contradiction"),
    "all": gettext_lazy("All"),
}


@register.filter
def group_name(group: str) -> str:
    """A role, an inference label, or "all"; anything else as it is."""
    return str(_GROUPS.get(group, group))


@register.filter
def row_name(row: AgreementRow) -> str:
    """What a row of an agreement pools: a role, an inference label, or everything."""
    return group_name(row.role if row.role != "all" else row.inference)


_RESULT_WORDS = {
    **SKIPPED,
    "sentences": gettext_lazy("Sentences"),
    "tokens": gettext_lazy("Tokens"),
    "labelled_sentences": gettext_lazy("Sentences with a label"),
    "labelled_tokens": gettext_lazy("Labelled tokens"),
    "skipped": gettext_lazy("Left out"),
    "detector": gettext_lazy("Detector"),
    "mapping": gettext_lazy("Labels taken for"),
    "aligner": gettext_lazy("Aligner"),
    "unit": gettext_lazy("Unit"),
    "projections": gettext_lazy("Projections"),
    "revision": gettext_lazy("Revision"),
    "language": gettext_lazy("Language"),
    "only_unprojected": gettext_lazy("Only sentences without a projection"),
    "source": gettext_lazy("From"),
    "target": gettext_lazy("To"),
    "labels": gettext_lazy("Labels"),
    "uses": gettext_lazy("What each label marks"),
    "partial": gettext_lazy("Partial"),
    "dataset": gettext_lazy("Dataset"),
    "number": gettext_lazy("Release"),
    "file": gettext_lazy("File"),
    "size": gettext_lazy("Bytes"),
    "sha256": "SHA-256",
    "pseudonyms": gettext_lazy("People by pseudonym"),
    "role": gettext_lazy("Role"),
    "inference": gettext_lazy("Inference label"),
    "relevant": gettext_lazy("Relevant"),
    "non_relevant": gettext_lazy("Non-relevant"),
    "no_metaphor": gettext_lazy("No metaphor"),
    "total": gettext_lazy("Total"),
    "predicted": gettext_lazy("Predicted"),
    "removed": gettext_lazy("Removed"),
    "added": gettext_lazy("Added"),
    "revised": gettext_lazy("Revised"),
    "left_out": gettext_lazy("Left out"),
    "pairs": gettext_lazy("Pairs"),
    "expressions": gettext_lazy("Expressions"),
    "units": gettext_lazy("Units"),
    "segments": gettext_lazy("Segments"),
    "datasets": gettext_lazy("Datasets"),
    "gold labels": gettext_lazy("Gold labels"),
    "gold categories": gettext_lazy("Gold categories"),
    "gold pair tags": gettext_lazy("Gold tags of pairs"),
    "gold_sentences": gettext_lazy("Sentences with gold"),
    "source_spans": gettext_lazy("Labels in the source"),
    "target_spans": gettext_lazy("Projected labels"),
    "outcomes": gettext_lazy("Outcomes"),
    "projected": gettext_lazy("projected"),
    "unaligned": gettext_lazy("unaligned"),
    "dropped": gettext_lazy("dropped"),
    "kept_for_people": gettext_lazy("Earlier projections kept, as people work on them"),
    "withdrawn": gettext_lazy("Withdrawn, as the source has no labels any more"),
    "sentence": gettext_lazy("Sentence"),
    "pair": gettext_lazy("Pair"),
    "discarded": gettext_lazy("Discarded"),
    "notes": gettext_lazy("Notes"),
    "figures": gettext_lazy("Figures"),
    "tokens that the tokenizer made nothing of": gettext_lazy("tokens that the tokenizer made nothing of"),
    "tokens cut, longer than half the model's window": gettext_lazy("tokens cut, longer than half the model's window"),
    "sentences longer than the model's window": gettext_lazy("sentences longer than the model's window"),
    "pairs with more than 1023 words in a sentence, which eflomal cannot align": gettext_lazy(
        "pairs with more than 1023 words in a sentence, which eflomal cannot align"
    ),
    "engine": gettext_lazy("Engine"),
    "label": gettext_lazy("Label"),
    "learnt_from": gettext_lazy("Sentences learnt from"),
    "held_out": gettext_lazy("Sentences held out to measure on"),
    "f1": gettext_lazy("F1"),
    "f1_of_the_one_in_use": gettext_lazy("F1 of the one in use"),
    "active": gettext_lazy("Took over"),
    "of": gettext_lazy("Sentences in all"),
    "model": gettext_lazy("Model"),
    "method": gettext_lazy("Method"),
    "seed": gettext_lazy("Seed"),
    "pre_labelled_again_by_job": gettext_lazy("Pre-labels again with it: job"),
    "finished_sentences": gettext_lazy("Sentences finished when it began"),
    "annotations changed": gettext_lazy("Annotations changed"),
    "gold changed": gettext_lazy("Gold changed"),
    "gold reopened": gettext_lazy("Gold reopened"),
    "stage": gettext_lazy("Stage"),
    "layer": gettext_lazy("Layer"),
    "sample": gettext_lazy("Sample of literal uses"),
    "comments": gettext_lazy("Comments of annotators"),
}


@register.filter
def left_out_name(kind: str) -> str:
    """What a release leaves out: a sentence, a pair, a label, or a unit of another kind."""
    return in_words(kind) if kind in _RESULT_WORDS else unit_title(kind)


@register.filter
def in_words(name: str) -> str:
    """The name of a column, setting or count as people read it; "outer: inner" part by part, "word es" by its word."""

    def known(part: str) -> str:
        if part in _RESULT_WORDS:
            return str(_RESULT_WORDS[part])
        word, _space, rest = part.rpartition(" ")
        return f"{_RESULT_WORDS[word]} ({rest})" if word in _RESULT_WORDS else part.replace("_", " ")

    return ": ".join(known(part) for part in str(name).split(": "))


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


_DECIMAL = re.compile(r"\d+\.\d+")
GROUP_COLUMNS = frozenset({"role", "inference"})


@register.filter
def column_class(column: str) -> str:
    """Numbers stand to the right."""
    return "" if column in NAMES else "n"


@register.filter
def report_rows(report: Report) -> list[dict[str, Any]]:
    """The cells of a report with their classes, and whether they lead to sentences; rows that add up others are
    marked."""
    return [
        {
            "cells": [
                {
                    "text": cell if column == report.leading else _cell_text(column, cell),
                    "css": column_class(column),
                    "leads": column == report.leading and cell in report.behind,
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


@register.inclusion_tag("includes/learning_chart.html")
def learning_chart(course: LearningCourse) -> dict[str, Any]:
    """F1 of each trained detector and of the one in use then, one training after the other; bars when it is one."""
    rows = course.detectors
    first, last = rows[0], rows[-1]
    values = [f1 for row in rows for f1 in (row.f1, row.baseline_f1) if f1 is not None]
    # The tens around all values: what matters is often a few points.
    low, high = 10 * int(min(values) // 10), 10 * int(-(-max(values) // 10))
    high = max(high, low + 10)

    def height(f1: float) -> float:
        return round(200 * (high - f1) / (high - low), 1)

    def point(number: int, f1: float) -> str:
        return f"{1000 * number / max(1, len(rows) - 1):.0f},{height(f1)}"

    measured = [(_("new detector"), first.f1), (_("the one in use"), first.baseline_f1)]
    return {
        "line": " ".join(point(number, row.f1) for number, row in enumerate(rows)) if len(rows) > 1 else "",
        "baseline_line": " ".join(
            point(number, row.baseline_f1) for number, row in enumerate(rows) if row.baseline_f1 is not None
        ),
        # Strokes without length and with round ends stay round however the figure is stretched.
        "dots": " ".join(f"M{point(number, row.f1)}h0" for number, row in enumerate(rows) if row.active),
        "rows": [
            {"label": label, "value": f1, "text": number_format(f"{f1:.1f}"), "series": number}
            for number, (label, f1) in enumerate(measured, start=1)
            if f1 is not None
        ],
        "first": first,
        "last": last,
        "low": low,
        "high": high,
        "grid": [str(height(ten)) for ten in range(low, high + 1, 10)],
    }


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


@register.filter
def unit_numbers(kinds: Mapping[str, int]) -> str:
    """How many units of each kind, "" for sentences: "12 sentences, 6 figurative pairs"."""
    return ", ".join(counted_units(kind or Segment.SENTENCE, number) for kind, number in kinds.items())
