"""What a project knows of lemmas, and the terms of its vocabularies."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.work.lexicon.queries.lemmas import lemma_memory
from annotator.work.lexicon.queries.terms import offered
from api.v1.answers import LemmaAnswer, TermsAnswer
from api.v1.requests import LemmaQuery, TermsQuery
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class LemmasView(ProjectView):
    """What was decided on a lemma, or on the lemma of a word form, elsewhere in the project."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="lemma", parameters=[LemmaQuery], responses=answers(LemmaAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        data = self.asked(LemmaQuery)
        slug_of_layer = data.pop("layer")
        data["layer"] = self.layer(slug_of_layer) if slug_of_layer else None
        return send(LemmaAnswer, lemma_memory(self.access.project, user=self.user, **data))


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
