from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.jobs.actions import cancel_job, retry_job, start_job
from annotator.jobs.queries import jobs_of, progress_of, progress_of_all
from annotator.work.blind.queries.blind import withheld_results
from api.pagination import page_of
from api.v1.answers import JobAnswer, JobsAnswer
from api.v1.job_shapes import JobRequest, JobsQuery
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
        return send(
            JobsAnswer,
            {
                "results": progress_of_all(rows, withheld=withheld_results(self.user, self.access.project)),
                "next": following,
            },
        )

    @extend_schema(operation_id="start_job", request=JobRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts a job."""
        self.access.require(Permission.MANAGE)
        data = self.checked(JobRequest, request.data)
        return send(JobAnswer, progress_of(start_job(project=self.access.project, by=self.user, **data)))


class JobView(ProjectView):
    """One job, to follow its progress."""

    @extend_schema(operation_id="job", responses=answers(JobAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return send(JobAnswer, progress_of(job, withheld=withheld_results(self.user, self.access.project)))


class CancelView(ProjectView):
    """Cancels a job; what it has stored stays."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="cancel_job", request=None, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return send(
            JobAnswer,
            progress_of(cancel_job(job=job, by=self.user), withheld=withheld_results(self.user, self.access.project)),
        )


class RetryView(ProjectView):
    """Goes on with a failed or cancelled job; what it has stored is not done again."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="retry_job", request=None, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        job = found(jobs_of(self.access.project), pk, _("There is no such job in this project."))
        return send(
            JobAnswer,
            progress_of(retry_job(job=job, by=self.user), withheld=withheld_results(self.user, self.access.project)),
        )
