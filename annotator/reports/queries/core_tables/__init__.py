"""The tables of labels, tags, corrections and projections, which a project may have whatever kinds are installed."""

from __future__ import annotations

from annotator.reports.queries.core_tables import correction, detection, interpretation, projection
from annotator.reports.queries.reports import REPORTS, register_figures

_TABLES = {
    detection.NAME: (detection.COUNTED, detection.TABLE),
    interpretation.NAME: (interpretation.COUNTED, interpretation.TABLE),
    correction.NAME: (correction.COUNTED, correction.TABLE),
    projection.NAME: (projection.COUNTED, projection.TABLE),
}


def register_core_tables() -> None:
    """Make them known under their names, in the order in which the page has them."""
    for name, (figures, table) in _TABLES.items():
        register_figures(table.figures, figures)
        REPORTS[name] = table
