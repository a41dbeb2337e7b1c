"""The call that only inapt words have: senses to point to."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.kinds.substitution.serializers import SensesAnswer, SensesQuery
from annotator.kinds.substitution.wordnet import senses_of
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import StageView


class SensesView(StageView):
    """The senses of a word in the stage's language, where a WordNet is installed."""

    kind = "inapt"

    @extend_schema(operation_id="senses", parameters=[SensesQuery], responses=answers(SensesAnswer, 400))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = self.work_stage(stage)
        word = self.asked(SensesQuery)["word"]
        return send(SensesAnswer, senses_of(word, found.language))


routes = [path("stages/<int:stage>/senses/", SensesView.as_view(), name="senses")]
