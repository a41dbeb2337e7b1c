"""Imports that were started and not finished."""

from __future__ import annotations

from django.db.models import QuerySet

from annotator.models import ImportDraft, Job, Project


def drafts_of(project: Project) -> QuerySet[ImportDraft]:
    """The project's drafts, newest first: those that are still to be imported."""
    return project.import_drafts.filter(imported=None).select_related("created_by", "job").order_by("-pk")


def draft_of(project: Project, pk: int) -> ImportDraft | None:
    """One draft of the project, imported or not."""
    return project.import_drafts.select_related("created_by", "job", "project").filter(pk=pk).first()


def draft_of_job(job: Job) -> ImportDraft | None:
    """The draft that a job checks or imports; None when it is another job, or the draft is gone."""
    key = job.params.get("draft")
    return ImportDraft.objects.filter(project=job.project_id, key=key).first() if key else None
