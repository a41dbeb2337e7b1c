"""Fixing the text of a sentence, taking one out of the corpus, and what the project has on words."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.revisions.revisions import revise_text
from annotator.revisions.set_aside import restore_sentence, set_aside
from annotator.work.answering.queries.workspace import own_assignment, workspace_items
from annotator.work.lexicon.actions.terms import merge_terms
from annotator.work.lexicon.queries.lemmas import lemma_memory
from annotator.work.lexicon.queries.terms import offered
from api.v1.answers import LemmaAnswer, MergedTermsAnswer, SetAsideAnswer, TermsAnswer
from api.v1.requests import LemmaQuery, MergeTermsRequest, SetAsideRequest, TermsQuery, TextRequest
from api.v1.schema import TextAnswer, answers
from api.v1.sending import items_shown, send, shown_as
from api.v1.shapes import UnitAnswer
from api.v1.views.base import ProjectView


class TextView(ProjectView):
    """Gives a sentence a new wording: annotators where they have an answer, adjudicators anywhere.

    The answer has the person's own item on the new revision, with what was lost and what is to be decided anew.
    """

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="fix_text", request=TextRequest, responses=answers(TextAnswer, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        data = self.checked(TextRequest, request.data)
        revised = revise_text(
            project=self.access.project,
            unit=pk,
            text=data["text"],
            by=self.user,
            anybodys=self.access.may(Permission.ADJUDICATE),
        )
        own = own_assignment(revised.unit, self.stage(data["stage"]), self.user) if data["stage"] else None
        return Response(
            {
                "unit": shown_as(UnitAnswer, revised.unit),
                "item": items_shown(workspace_items(self.access.project, [own], self.user))[0] if own else None,
                "job": revised.job.pk if revised.job else None,
            }
        )


class SetAsideView(ProjectView):
    """Sets a sentence aside that should not be in the corpus, and restores it: annotators where they have an answer,
    adjudicators anywhere."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="set_aside", request=SetAsideRequest, responses=answers(SetAsideAnswer, 400, 404))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Takes it out of stages, agreement and releases, in all its languages, with what contains it."""
        data = self.checked(SetAsideRequest, request.data)
        decides = self.access.may(Permission.ADJUDICATE)
        segment = set_aside(project=self.access.project, unit=pk, by=self.user, anybodys=decides, **data)
        return send(SetAsideAnswer, segment)

    @extend_schema(operation_id="restore_sentence", request=None, responses=answers(SetAsideAnswer, 400, 404))
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Restores it, with its answers and gold."""
        decides = self.access.may(Permission.ADJUDICATE)
        segment = restore_sentence(project=self.access.project, unit=pk, by=self.user, anybodys=decides)
        return send(SetAsideAnswer, segment)


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


class MergeTermsView(ProjectView):
    """Writes one term for another everywhere in a layer."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="merge_terms", request=MergeTermsRequest, responses=answers(MergedTermsAnswer, 400))
    def post(self, request: Request, slug: str, layer: str) -> Response:
        data = self.checked(MergeTermsRequest, request.data)
        merged = merge_terms(project=self.access.project, layer=self.layer(layer), by=self.user, **data)
        return send(MergedTermsAnswer, merged)
