from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.jobs.actions import cancel_job
from annotator.jobs.queries import jobs_of, progress_of, progress_of_all
from api.pagination import Pages
from api.v1.answers import JobAnswer
from api.v1.schema import JobPage, answers
from api.v1.sending import send, shown_as
from api.v1.views.base import NO_BODY, ProjectView, found


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
        return pages.get_paginated_response([shown_as(JobAnswer, row) for row in progress_of_all(page or [])])


class JobView(ProjectView):
    """One job, to follow its progress."""

    @extend_schema(operation_id="job", responses=answers(JobAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return send(JobAnswer, progress_of(job))


class CancelView(ProjectView):
    """Cancels a job; what it has stored stays."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="cancel_job", request=None, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return send(JobAnswer, progress_of(cancel_job(job=job, by=self.user)))
