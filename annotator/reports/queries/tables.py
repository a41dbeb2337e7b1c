"""Which tables there are: the core's (`core_tables/`) and those that packages of kinds bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from annotator.core.installed import Brought, cached
from annotator.core.permissions import Permission
from annotator.models import Project
from annotator.reports.queries.core_tables import CORE_TABLES
from annotator.reports.queries.core_tables import EVALUATIONS as _EVALUATIONS
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec

# The core's, which every release has.
REPORTS: Mapping[str, ReportSpec] = {table.name: table for table in CORE_TABLES}
# The core's on decisions and machines, which releases do not have.
EVALUATIONS: Mapping[str, ReportSpec] = {table.name: table for table in _EVALUATIONS}
# Of kinds: shown and released where they have rows.
FURTHER: Mapping[str, ReportSpec] = Brought("reports", key="name")


@cached
def all_figures() -> Mapping[str, Figures]:
    """What tables are made from, by name."""
    return {
        table.figures.name: table.figures for table in (*REPORTS.values(), *EVALUATIONS.values(), *FURTHER.values())
    }


def further_reports(project: Project) -> Iterator[tuple[str, Report]]:
    """The tables of kinds by name, counted now, where there is anything to count; figures that several are made from
    are counted once."""
    counted: dict[str, Json | None] = {}
    for name, table in FURTHER.items():
        figures = table.figures
        if figures.name not in counted:
            counted[figures.name] = figures.count(project) if figures.applies(project) else None
        if (found := counted[figures.name]) is not None:
            yield name, table.show(found)


def report_named(name: str) -> ReportSpec:
    """The table of this name. Raises LookupError."""
    return next(tables for tables in (FURTHER, EVALUATIONS, REPORTS) if name in tables or tables is REPORTS)[name]


def permission_for(name: str) -> Permission:
    """What somebody must be permitted to see a table."""
    return report_named(name).needs if is_report(name) else Permission.VIEW


def is_report(name: str) -> bool:
    """Whether there is a table of this name."""
    return any(name in tables for tables in (FURTHER, EVALUATIONS, REPORTS))
