"""Tables of reports as files: JSON and CSV with the numbers, LaTeX with the table as the page has it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from annotator.formats.tables.formulas import guarded
from annotator.reports.queries.reports import NAMES, Report

# By format: the ending of the file, and its content type.
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "tex": "application/x-tex; charset=utf-8",
}
# How pages call them.
FORMAT_NAMES = {"csv": "CSV", "json": "JSON", "tex": "LaTeX"}
_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "–": "--", "−": "$-$", "·": r"$\cdot$", "α": r"$\alpha$", "κ": r"$\kappa$", "\n": " ",
    }
)  # fmt: skip


def report_file(report: Report, file_format: str, headings: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table in one of `FORMATS`. `headings`, `cells`: as the page has them. Raises KeyError."""
    if file_format == "tex":
        return _latex(report, headings, cells)
    return {"csv": _csv, "json": _json}[file_format](report)


def _json(report: Report) -> str:
    return json.dumps(report.rows, ensure_ascii=False, indent=2) + "\n"


def _csv(report: Report) -> str:
    """The numbers of the JSON, one row per line; columns in order of appearance."""
    columns = list(dict.fromkeys(name for row in report.rows for name in row))
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(name, row.get(name, "")) for name in columns] for row in report.rows)
    return file.getvalue()


def _cell(column: str, value: object) -> str:
    """A cell. Names come from imported files, and must not become a formula."""
    text = " ".join(str(value).split())
    return guarded(text) if column in NAMES else text


def _latex(report: Report, headings: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """Names to the left and numbers to the right."""
    columns = "".join("l" if column in NAMES else "r" for column in report.columns)
    return tabular(columns, headings, cells)


def tabular(columns: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A `tabular` with the lines of the package booktabs; `columns` as LaTeX names them, "lr"."""
    lines = [" & ".join(cell.translate(_TEX) for cell in row) + r" \\" for row in (headings, *rows)]
    return "\n".join(
        [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule",
         r"\end{tabular}", ""]
    )  # fmt: skip
