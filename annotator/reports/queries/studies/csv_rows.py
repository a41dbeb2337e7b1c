"""The coefficients of a stored study as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from annotator.formats.tables.formulas import guarded
from annotator.models import AgreementStudy
from annotator.reports.queries.studies.stored import names_of

COLUMNS = (
    "dimension", "stratum", "population", "coefficient", "label", "first", "second",
    "value", "low", "high", "undefined",
)  # fmt: skip


def study_csv(study: AgreementStudy) -> str:
    """A row for each coefficient; of two people, `first` and `second` are who they are."""
    names = names_of(study)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in study.results["rows"]:
        first, second = [names[number] for number in row["pair"]] or ("", "")
        shown = {**row, "first": first, "second": second}
        writer.writerow(_cell(shown[name]) for name in COLUMNS)
    return file.getvalue()


def _cell(value: Any) -> Any:
    return guarded(value) if isinstance(value, str) else "" if value is None else value
