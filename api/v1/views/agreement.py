from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import translate
from annotator.core.permissions import Permission
from annotator.domain.messages import InvalidError
from annotator.models import User
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.overlaps import annotators
from annotator.work.blind.queries.blind import agreement_hidden
from api.v1.answers import AgreementAnswer
from api.v1.requests import AgreementQuery
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class AgreementView(ProjectView):
    """Cohen's kappa of two people, also of those who left: per role (tokens) or inference label (pairs), and in all."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="agreement", parameters=[AgreementQuery], responses=answers(AgreementAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        data = self.asked(AgreementQuery)
        project = self.access.project
        if data["language"] and data["language"] not in project.languages:
            raise ValidationError({"language": [_("The project does not have this language.")]})
        a, b = self._person("a", data), self._person("b", data)
        language = data["language"] or project.source_language
        if agreement_hidden(self.user, project, language, (a, b)):
            raise PermissionDenied(_("You still label blind here; your own agreement is shown when you are done."))
        try:
            result = agreement(
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
        return send(AgreementAnswer, result.to_json())

    def _person(self, side: str, data: dict[str, str]) -> User:
        user = annotators(self.access.project).filter(username=data[side]).first()
        if user is None:
            raise ValidationError({side: [_("“%(name)s” has no work in this project.") % {"name": data[side]}]})
        return user
