"""A stored study as a file: JSON with all of it, CSV with every coefficient, LaTeX with the tables of the page."""

from __future__ import annotations

import json

from annotator.models import AgreementStudy
from annotator.reports.files import tabular
from annotator.reports.queries.agreement import public_name
from annotator.reports.queries.studies.csv_rows import study_csv
from annotator.reports.queries.studies.stored import to_json
from annotator.reports.views.study_tables import (
    Found,
    Table,
    coefficient_tables,
    consistency_tables,
    pair_table,
    stratum_tables,
    suggestion_tables,
    word_tables,
)


def study_file(study: AgreementStudy, file_format: str) -> str:
    """The study in one of `reports.files.FORMATS`. Raises KeyError."""
    return {"json": _json, "csv": study_csv, "tex": _latex}[file_format](study)


def _json(study: AgreementStudy) -> str:
    return json.dumps(to_json(study), ensure_ascii=False, indent=1, default=lambda at: at.isoformat()) + "\n"


def all_tables(found: Found) -> list[Table]:
    """Every table of a study."""
    layer = public_name(found.study.project, found.study.layer)
    others = [one for one in stratum_tables(found) if one.title not in {two.title for two in suggestion_tables(found)}]
    return [
        *coefficient_tables(found), pair_table(found, layer), *others, *suggestion_tables(found),
        *consistency_tables(found), *word_tables(found),
    ]  # fmt: skip


def _latex(study: AgreementStudy) -> str:
    return "\n".join(
        f"% {table.title}\n"
        + tabular(
            "l" + "r" * len(table.headings),
            [table.first, *table.headings],
            [[line.name, *line.cells] for line in table.lines],
        )
        for table in all_tables(Found(study))
    )
