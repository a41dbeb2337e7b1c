"""The jobs that bring texts into a project: an import, and copying those of another project."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import override

from annotator.core.errors import ActionError
from annotator.core.processes.child_process import ChildDiedError
from annotator.formats.common.errors import FormatError
from annotator.imports.drafts.drafts import finish_draft
from annotator.imports.writing.copy_texts import copy_texts, source_of, texts_to_copy
from annotator.imports.writing.run import draft_to_import, run_check, run_import
from annotator.jobs import handlers as jobs
from annotator.models import ImportDraft, Job


class Import(jobs.Handler):
    """Check or import what a draft holds."""

    user_errors = (ActionError, FormatError, ChildDiedError)

    def plan(self, job: Job) -> jobs.Plan:
        expected = _draft(job).preview.get("expected", 0)
        return jobs.Plan([["check" if job.params["check"] else "draft"]], sizes=[max(expected, 1)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> list[dict[str, Any]]:
        draft = _draft(job)
        with override(_interface(job)):
            if job.params["check"]:
                run_check(draft=draft, report=report)
                return []
            run_import(draft=draft, by=job.created_by, job=job.pk, report=report)
        return _summaries(job, draft.dataset)

    def store(
        self, job: Job, items: list[str], outcome: list[dict[str, Any]], engine: None
    ) -> dict[str, list[dict[str, Any]]]:
        return {"datasets": outcome}

    def finish(self, job: Job) -> dict[str, Any]:
        if not job.params["check"]:
            imported = job.project.imports.filter(job_id=job.pk, published_at__isnull=False).order_by("pk").first()
            finish_draft(draft=_draft(job), imported=imported.pk if imported else None)
        return {}


class CopyTexts(jobs.Handler):
    """Bring the texts of the project that this one was copied from. One chunk: they are published as a whole."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["texts"]], sizes=[texts_to_copy(source_of(job))])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> list[dict[str, Any]]:
        copy_texts(job=job, report=report)
        imports = job.project.imports.filter(job_id=job.pk, published_at__isnull=False)
        return list(imports.values_list("summary", flat=True))

    def store(
        self, job: Job, items: list[str], outcome: list[dict[str, Any]], engine: None
    ) -> dict[str, list[dict[str, Any]]]:
        return {"datasets": outcome}


def _draft(job: Job) -> ImportDraft:
    with override(_interface(job)):
        return draft_to_import(job.project, job.params["draft"], job.params["fingerprint"])


def _interface(job: Job) -> str:
    """The language in which the person who started an import reads what is wrong."""
    return job.params.get("interface") or settings.LANGUAGE_CODE


def _summaries(job: Job, dataset: str) -> list[dict[str, Any]]:
    """Two when an earlier try was stopped after it had published its rows, and labels were left to add."""
    imports = job.project.imports.filter(job_id=job.pk, dataset=dataset, published_at__isnull=False)
    return list(imports.values_list("summary", flat=True))
