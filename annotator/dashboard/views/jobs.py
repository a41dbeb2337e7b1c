"""Background jobs: list, detail, cancel, retry. Their pages ask again every 2 seconds while something runs."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import Access, project_for
from annotator.core.kind import available
from annotator.core.permissions import Permission
from annotator.dashboard.queries.next_step import NextStep, first_to_start
from annotator.dashboard.views.accepting import accept_rows
from annotator.dashboard.views.job_words import datasets_of, numbers_of, settings_of
from annotator.imports.queries.drafts import draft_of_job
from annotator.imports.queries.imports import languages_of
from annotator.jobs.actions import cancel_job, retry_job
from annotator.jobs.queries import active_jobs, jobs_of, listed_jobs, progress_of, progress_of_all
from annotator.models import Job, JobKind, JobState
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message
from annotator.web.requests import PageRequest
from annotator.work.blind.queries.blind import withheld_results
from annotator.work.gold.actions.accepting import summaries_of
from annotator.work.queue.queries.progress import project_progress

PER_PAGE = 25
# What failed is chosen and started again where it was started: a release says there what lacks gold.
_STARTED_ANEW = (JobKind.RESTORE, JobKind.RELEASE)
# What the page says above the way to the first sentence.
_BRINGS_WORK: dict[str, Any] = {
    JobKind.IMPORT: gettext_lazy("The import is finished"),
    JobKind.COPY: gettext_lazy("The sentences are ready"),
    JobKind.PREDICT: gettext_lazy("The suggestions are ready"),
    JobKind.PROJECT: gettext_lazy("The projections are ready"),
}


@require_safe
@vary_on_headers("HX-Request")
def jobs(request: PageRequest, slug: str) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    page = Paginator(listed_jobs(access.project), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "jobs": progress_of_all(page),
        "running": active_jobs(access.project).exists(),
    }
    template = "dashboard/jobs_table.html" if request.htmx else "dashboard/jobs.html"
    return project_page(request, access, template, context, section="jobs")


@require_safe
@vary_on_headers("HX-Request")
def job(request: PageRequest, slug: str, job: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    found = get_object_or_404(jobs_of(access.project), pk=job)
    progress = progress_of(found, withheld=withheld_results(access.user, access.project))
    context = {
        "job": found,
        "progress": progress,
        "settings": settings_of(found),
        "numbers": numbers_of(progress),
        "datasets": datasets_of(found),
        "accept_rows": accept_rows(summaries_of(found, progress.result)) if found.kind == JobKind.ACCEPT else None,
        "can_steer": access.can_change(Permission.MANAGE)
        or (access.may(Permission.MANAGE) and JobKind(found.kind).apart),
        "can_retry": found.state in (JobState.FAILED, JobState.CANCELLED) and found.kind not in _STARTED_ANEW,
        "release": getattr(found, "release", None),
        "archive": getattr(found, "archive", None) if access.may(Permission.MANAGE) else None,
        **_what_next(access, found),
    }
    template = "dashboard/job_progress.html" if request.htmx else "dashboard/job.html"
    response = project_page(request, access, template, context, section="jobs")
    if request.htmx and found.finished:
        # The end changes the whole page: result, and which buttons there are.
        response.headers["HX-Refresh"] = "true"
    return response


@require_POST
def job_cancel(request: PageRequest, slug: str, job: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(access.project.jobs, pk=job)
    with refusal_as_message(request):
        cancel_job(job=found, by=access.user)
    return redirect("job", slug, job)


@require_POST
def job_retry(request: PageRequest, slug: str, job: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    found = get_object_or_404(access.project.jobs, pk=job)
    with refusal_as_message(request):
        retry_job(job=found, by=access.user)
    return redirect("job", slug, job)


def _first_of(access: Access, job: Job) -> NextStep | None:
    """The first stage with something to do; after an import, rather one that holds what came, in its language, than one
    to write in."""
    progress = project_progress(access.project, access.user)
    if job.kind != JobKind.IMPORT:
        return first_to_start(access, progress)
    holding = [
        (stage, numbers) for stage, numbers in progress if stage.adjudicates or not available(stage, access.user)
    ]
    came = languages_of(job)
    in_language = [(stage, numbers) for stage, numbers in holding if stage.language in came]
    return first_to_start(access, in_language) or first_to_start(access, holding) or first_to_start(access, progress)


def _what_next(access: Access, job: Job) -> dict[str, Any]:
    """Where one goes from a job that brings work: to its first sentence; from an import that failed, to its files."""
    if job.kind not in _BRINGS_WORK or not job.finished:
        return {}
    if job.state == JobState.DONE and not job.params.get("check"):
        return {"start": _first_of(access, job), "start_title": _BRINGS_WORK[job.kind]}
    draft = draft_of_job(job) if access.may(Permission.MANAGE) else None
    return {"draft": draft if draft is not None and draft.imported_id is None else None}
