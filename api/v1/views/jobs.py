from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.jobs import cancel_job
from annotator.models import Job
from annotator.permissions import Permission
from annotator.queries.jobs import jobs_of, progress_of
from api.pagination import Pages
from api.v1 import serializers as s
from api.v1.schema import JobPage, answers
from api.v1.views.base import ProjectView, found


class JobsView(ProjectView):
    """The project's jobs, newest first."""

    @extend_schema(
        operation_id="jobs",
        parameters=[OpenApiParameter("page", int), OpenApiParameter("page_size", int)],
        responses=answers(JobPage),
    )
    def get(self, request: Request, slug: str) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(jobs_of(self.access.project), request, view=self)
        return pages.get_paginated_response([job_json(job) for job in page or []])


class JobView(ProjectView):
    """One job, to follow its progress."""

    @extend_schema(operation_id="job", responses=answers(s.JobAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return Response(job_json(found(jobs_of(self.access.project), pk, _("There is no such job in this project."))))


class CancelView(ProjectView):
    """Cancels a job; what it has stored stays."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="cancel_job", request=None, responses=answers(s.JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return Response(job_json(cancel_job(job=job, by=self.user)))


def job_json(job: Job) -> dict[str, Any]:
    """A job as the API tells it."""
    progress = progress_of(job)
    return {
        "id": job.pk,
        "kind": job.kind,
        "name": job.get_kind_display(),
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "percent": progress.percent,
        "per_second": progress.per_second,
        "seconds_left": progress.seconds_left,
        "waiting": progress.waiting,
        "error": job.error,
        "params": job.params,
        "result": job.result,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "finished_at": job.finished_at,
    }
