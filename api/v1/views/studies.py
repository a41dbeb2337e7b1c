from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import translate
from annotator.domain.messages import InvalidError
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import AgreementStudy, JobKind, Project, User
from annotator.reports.actions import store_study
from annotator.reports.queries.overlaps import annotators
from annotator.reports.queries.studies.csv_rows import study_csv
from annotator.reports.queries.studies.question import Drawing, StudyQuestion, study_question
from annotator.reports.queries.studies.stored import compute_study, is_small, to_json
from api.pagination import PageQuery, page_of
from api.v1.answers import JobAnswer, StudiesAnswer, StudyAnswer
from api.v1.requests import StudyRequest
from api.v1.schema import CSV, answers
from api.v1.sending import send, shown_as
from api.v1.views.agreement import AnswersView


class StudiesView(AnswersView):
    """Agreement of several people with intervals and strata, as it was stored."""

    @extend_schema(operation_id="studies", parameters=[PageQuery], responses=answers(StudiesAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        """The newest ones, without their results."""
        rows = AgreementStudy.objects.filter(project=self.access.project).select_related("layer", "project")
        found, following = page_of(rows, request)
        return send(StudiesAnswer, {"studies": [to_json(row) for row in found], "next": following})

    @extend_schema(
        operation_id="compute_study", request=StudyRequest, responses=answers(StudyAnswer, 400) | {202: JobAnswer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Stores it at once for few items. For many it starts the job, which is the answer with 202."""
        asked = self._question(self.checked(StudyRequest, request.data))
        if is_small(asked):
            study = store_study(computed=compute_study(asked, now=timezone.now()), by=self.user)
            return send(StudyAnswer, to_json(study))
        job = start_job(project=self.access.project, kind=JobKind.STUDY, params=asked.params(), by=self.user)
        return Response(shown_as(JobAnswer, progress_of(job)), status=status.HTTP_202_ACCEPTED)

    def _question(self, data: dict[str, Any]) -> StudyQuestion:
        """The question asked. Raises ValidationError."""
        project = self.access.project
        if data["language"] and data["language"] not in project.languages:
            raise ValidationError({"language": [_("The project does not have this language.")]})
        try:
            return study_question(
                project,
                people=[self._person(name) for name in data["people"]],
                layer=data["layer"],
                language=data["language"],
                dimension=data["dimension"],
                mapping=data["mapping"],
                drawing=Drawing(data["cluster"], data["seed"], data["resamples"]),
            )
        except InvalidError as error:
            raise ValidationError({"people": [translate(error)]}) from error

    def _person(self, name: str) -> User:
        user = annotators(self.access.project).filter(username=name).first()
        if user is None:
            raise ValidationError({"people": [_("“%(name)s” has no work in this project.") % {"name": name}]})
        return user


class StudyView(AnswersView):
    """One of them."""

    @extend_schema(operation_id="study", responses=answers(StudyAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(StudyAnswer, to_json(_study(self.access.project, pk)))


class StudyFileView(AnswersView):
    """Its coefficients as CSV, one in a row."""

    @extend_schema(operation_id="study_file", responses=CSV)
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        response = HttpResponse(study_csv(_study(self.access.project, pk)), content_type="text/csv; charset=utf-8")
        response.headers["Content-Disposition"] = f'attachment; filename="{slug}-agreement-{pk}.csv"'
        return response


def _study(project: Project, pk: int) -> AgreementStudy:
    """A stored study of the project. Raises Http404."""
    rows = AgreementStudy.objects.filter(project=project, pk=pk).select_related("layer", "project")
    study = rows.first()
    if study is None:
        raise Http404(_("There is no such result in this project."))
    return study
