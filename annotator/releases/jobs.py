"""The jobs that write a release, and an export in a format of another tool."""

from __future__ import annotations

from typing import Any

from annotator.jobs import handlers as jobs
from annotator.models import Job
from annotator.releases.actions.label_exports import PreparedExport, prepare_export, store_export
from annotator.releases.actions.releases import PreparedRelease, prepare_release, store_release
from annotator.releases.queries.label_export import sentences_to_export


class MakeRelease(jobs.Handler):
    """Write the gold of a project into a release. One chunk: a release is there as a whole or not at all."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["release"]])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedRelease:
        return prepare_release(
            job=job,
            partial=job.params["partial"],
            mapping=job.params.get("mapping", ""),
            sample_seed=job.params["seed"] if job.params.get("sample") else None,
            sample_uses=job.params.get("uses", {}),
            comments=job.params.get("comments", False),
            splits=job.params.get("splits", ()),
            standoff=job.params.get("standoff", False),
        )

    def store(self, job: Job, items: list[str], outcome: PreparedRelease, engine: None) -> dict[str, Any]:
        release = store_release(job=job, prepared=outcome)
        return {"number": release.number, "file": release.file_name, "size": release.size}


class WriteExport(jobs.Handler):
    """Write a layer's labels in a format of another tool. One chunk: the file is there as a whole or not at all."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["export"]], sizes=[sentences_to_export(job.project)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> PreparedExport:
        return prepare_export(job=job, report=report)

    def store(self, job: Job, items: list[str], outcome: PreparedExport, engine: None) -> dict[str, Any]:
        return store_export(job=job, prepared=outcome)
