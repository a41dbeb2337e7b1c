from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import translate
from annotator.core.permissions import Permission
from annotator.domain.messages import InvalidError
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import Job, JobKind, User
from annotator.reports.actions import store_run
from annotator.reports.queries.agreement import Question, question
from annotator.reports.queries.agreement_runs import compute, is_small, newest_job, params_of, standing
from annotator.reports.queries.overlaps import annotators
from annotator.reports.queries.report_lists import why_withheld
from api.v1.answers import AgreementAnswer, JobAnswer
from api.v1.requests import AgreementQuery
from api.v1.schema import answers
from api.v1.sending import send, shown_as
from api.v1.views.base import ProjectView

_ANSWERS = answers(AgreementAnswer, 400) | {202: JobAnswer}


class AnswersView(ProjectView):
    """What others answered, for those who may see it."""

    needs = Permission.ADJUDICATE

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises PermissionDenied for anyone who still answers blind in the project."""
        super().initial(request, *args, **kwargs)
        if reason := why_withheld(self.access):
            raise PermissionDenied(reason)


class AgreementView(AnswersView):
    """Cohen's kappa of two people, also of those who left: per role (tokens) or inference label (pairs), and in all."""

    @extend_schema(operation_id="agreement", parameters=[AgreementQuery], responses=_ANSWERS)
    def get(self, request: Request, slug: str) -> Response:
        """Computes it at once for few items, and shows what was stored last for many. Without a stored run it answers
        202 with the job that computes it, or 404 where none does."""
        asked = self._question(self.asked(AgreementQuery))
        found = standing(asked, now=timezone.now())
        if found is not None:
            return send(AgreementAnswer, found.to_json())
        job = newest_job(asked)
        if job is not None and not job.finished:
            return _accepted(job)
        raise NotFound(
            _(
                "These two have too many answers to compare at once, and nothing is stored yet. Send the same settings "
                "with POST to start the job that compares them."
            )
        )

    @extend_schema(operation_id="compute_agreement", request=AgreementQuery, responses=_ANSWERS)
    def post(self, request: Request, slug: str) -> Response:
        """Stores it at once for few items. For many it starts the job, which is the answer with 202."""
        asked = self._question(self.checked(AgreementQuery, request.data))
        if is_small(asked):
            computed = compute(asked, now=timezone.now())
            store_run(computed=computed, by=self.user)
            return send(AgreementAnswer, computed.to_json())
        job = start_job(project=self.access.project, kind=JobKind.AGREEMENT, params=params_of(asked), by=self.user)
        return _accepted(job)

    def _question(self, data: dict[str, str]) -> Question:
        """The question asked. Raises ValidationError."""
        project = self.access.project
        if data["language"] and data["language"] not in project.languages:
            raise ValidationError({"language": [_("The project does not have this language.")]})
        a, b = self._person("a", data), self._person("b", data)
        language = data["language"] or project.source_language
        try:
            return question(
                project,
                a=a,
                b=b,
                layer=data["layer"],
                language=language,
                dimension=data["dimension"],
                mapping=data["mapping"],
            )
        except InvalidError as error:
            raise ValidationError({"layer": [translate(error)]}) from error

    def _person(self, side: str, data: dict[str, str]) -> User:
        user = annotators(self.access.project).filter(username=data[side]).first()
        if user is None:
            raise ValidationError({side: [_("“%(name)s” has no work in this project.") % {"name": data[side]}]})
        return user


def _accepted(job: Job) -> Response:
    return Response(shown_as(JobAnswer, progress_of(job)), status=status.HTTP_202_ACCEPTED)
