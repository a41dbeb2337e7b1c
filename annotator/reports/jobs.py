"""The job that counts what the tables of reports are made from."""

from __future__ import annotations

from typing import Any

from annotator.core.database.snapshot import snapshot
from annotator.jobs import running as jobs
from annotator.models import Job
from annotator.reports.queries.report_lists import countable
from annotator.reports.queries.tables import all_figures


class CountFigures(jobs.Handler):
    """Count what tables on pages are made from. A chunk for each figures that the project has any of."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([[name] for name in countable(job.project)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> dict[str, Any]:
        with snapshot():
            return all_figures()[items[0]].count(job.project)

    def store(self, job: Job, items: list[str], outcome: dict[str, Any], engine: None) -> dict[str, Any]:
        return {"figures": {items[0]: outcome}}
