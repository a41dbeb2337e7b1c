"""Tables for a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotator.domain.agreement.kappa import landis_koch
from annotator.reports.queries.agreement import ALL, Agreement, units_word
from annotator.reports.queries.reports import NAMES, Report
from annotator.templatetags.words import undefined_name


def aligned(rows: Sequence[Sequence[str]], *, text_columns: Collection[int] = (0,)) -> str:
    """The rows as lines: columns as wide as their widest cell, `text_columns` to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if number in text_columns else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def report_text(report: Report) -> str:
    """A report, and below it what it does not count."""
    named = [number for number, column in enumerate(report.columns) if column in NAMES]
    return "\n".join([aligned([report.columns, *report.cells], text_columns=named), *report.notes])


def agreement_text(agreement: Agreement) -> str:
    """Kappa row by row, with the word for its strength and what it was computed from."""
    by_role = any(row.role != ALL for row in agreement.rows)
    has_spans = any(row.spans for row in agreement.rows)
    header = [
        "role" if by_role else "inference", "kappa", "strength",
        "observed", "expected", *(("exact F1", "overlap F1") if has_spans else ()),
        agreement.layer, units_word(agreement.layer), "blind", "",
    ]  # fmt: skip
    rows = [
        [
            row.role if by_role else row.inference,
            _number(row.kappa.value),
            landis_koch(row.kappa.value),
            _number(row.kappa.observed),
            _number(row.kappa.expected),
            *((_number(row.spans.exact_f1), _number(row.spans.overlapping_f1)) if row.spans else ()),
            str(row.kappa.n),
            str(row.units),
            str(row.blind),
            undefined_name(row.kappa.reason or ""),
        ]
        for row in agreement.rows
    ]
    counted = f" ({agreement.dimension})" if agreement.dimension not in ("", agreement.layer) else ""
    title = f"Agreement of {agreement.a} and {agreement.b} on {agreement.layer}{counted}, language {agreement.language}"
    return f"{title}\n{aligned([header, *rows], text_columns=(0, 2, len(header) - 1))}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
