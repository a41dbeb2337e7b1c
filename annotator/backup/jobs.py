"""The jobs that write a project into one file, and restore it from one."""

from __future__ import annotations

from typing import Any

from annotator.backup.actions.keeping import PreparedArchive, prepare_archive, store_archive
from annotator.backup.actions.uploads import finish_restoring, run_restoring, upload_of
from annotator.backup.actions.writing import rows_to_write
from annotator.jobs import handlers as jobs
from annotator.models import Job


class WriteArchive(jobs.Handler):
    """Write a project into one file. One chunk: an archive is there as a whole or not at all."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["archive"]], sizes=[rows_to_write(job.project)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedArchive:
        return prepare_archive(
            job=job, pseudonyms=job.params["pseudonyms"], report=lambda written, _all: report(written)
        )

    def store(self, job: Job, items: list[str], outcome: PreparedArchive, engine: None) -> dict[str, Any]:
        archive = store_archive(job=job, prepared=outcome)
        missing = {"missing_releases": outcome.missing_releases} if outcome.missing_releases else {}
        return {"size": archive.size, "sha256": archive.sha256, **missing}


class Restore(jobs.Handler):
    """Make the project of an uploaded archive. One chunk, which may be started again at any point."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["project"]], sizes=[max(upload_of(job).about["rows"], 1)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> None:
        """In short transactions, so that nobody else waits: nobody sees the project yet."""
        run_restoring(job=job, report=report)

    def store(self, job: Job, items: list[str], outcome: None, engine: None) -> dict[str, Any]:
        return {}

    def finish(self, job: Job) -> dict[str, Any]:
        finish_restoring(job=job)
        return {}
