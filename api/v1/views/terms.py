from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.work.lexicon.queries.terms import offered
from api.v1.answers import TermsAnswer
from api.v1.requests import TermsQuery
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class TermsView(ProjectView):
    """The terms that the project has used for an attribute, the most used first; they tell of no unit."""

    @extend_schema(operation_id="terms", parameters=[TermsQuery], responses=answers(TermsAnswer, 400))
    def get(self, request: Request, slug: str, layer: str) -> Response:
        data = self.asked(TermsQuery)
        try:
            terms = offered(self.layer(layer), data["attribute"], data["unit"])
        except LookupError as error:
            raise ValidationError({"attribute": [str(error)]}) from error
        return send(TermsAnswer, {"terms": terms})
