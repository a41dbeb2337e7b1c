from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.jobs.actions import cancel_job
from annotator.jobs.queries import jobs_of, progress_of, progress_of_all
from api.pagination import page_of
from api.v1.answers import JobAnswer, JobsAnswer
from api.v1.requests import JobsQuery
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import NO_BODY, ProjectView, found


class JobsView(ProjectView):
    """The project's jobs, newest first."""

    @extend_schema(
        operation_id="jobs",
        parameters=[JobsQuery],
        responses=answers(JobsAnswer, 400),
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.asked(JobsQuery)
        wanted = {name: asked[name] for name in ("kind", "state") if asked[name]}
        rows, following = page_of(jobs_of(self.access.project).filter(**wanted), request)
        return send(JobsAnswer, {"results": progress_of_all(rows), "next": following})


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
