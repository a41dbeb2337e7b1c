"""The calls of adjudicators."""

from __future__ import annotations

from dataclasses import asdict

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.gold import (
    accept_agreed,
    accept_agreed_tags,
    decide_gold,
    decide_gold_tag,
    gold_content,
    gold_tag_content,
    reopen_gold,
    reopen_gold_tag,
)
from annotator.models import Pair, Sentence, StageKind
from annotator.permissions import Permission
from annotator.queries.adjudication import adjudication_items, queue
from api.v1 import serializers as s
from api.v1.schema import PairGold, QueueAnswer, SentenceGold, answers
from api.v1.views.base import ProjectView, found


class GoldView(ProjectView):
    needs = Permission.ADJUDICATE

    def sentence(self, pk: int) -> Sentence:
        sentences = self.access.project.sentences.select_related("segment")
        return found(sentences, pk, _("There is no such sentence in this project."))

    def pair(self, pk: int) -> Pair:
        return found(self.access.project.pairs.all(), pk, _("There is no such pair in this project."))


class AdjudicateView(GoldView):
    """What waits for a decision: sentences, then pairs; lowest agreement first, doubtful ones last."""

    @extend_schema(
        operation_id="adjudication_queue", parameters=[s.AdjudicateQuery], responses=answers(QueueAnswer, 400)
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        at = self.stage(stage, StageKind.ADJUDICATE)
        limit = self.checked(s.AdjudicateQuery, request.query_params).validated_data["limit"]
        waiting = queue(self.access.project, at.language, self.user)
        items = adjudication_items(self.access.project, waiting[:limit], at.language, self.user)
        return Response({"items": items, "remaining": len(waiting)})


class AcceptView(GoldView):
    """Makes gold of everything in the stage's language on which all annotators agree."""

    @extend_schema(operation_id="accept_agreed", request=None, responses=answers(s.AcceptedAnswer))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.stage(stage, StageKind.ADJUDICATE)
        project = self.access.project
        return Response(
            {
                "sentences": asdict(accept_agreed(project=project, language=at.language, by=self.user)),
                "pairs": asdict(accept_agreed_tags(project=project, language=at.language, by=self.user)),
            }
        )


class SentenceGoldView(GoldView):
    """Decides the labels of a sentence."""

    @extend_schema(operation_id="decide_gold", request=s.GoldRequest, responses=answers(SentenceGold, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        sentence = self.sentence(pk)
        checked = self.checked(s.GoldRequest, request.data)
        gold = decide_gold(
            sentence=sentence,
            version=checked.validated_data["version"],
            spans=checked.validated_spans(),
            reason=checked.validated_data["reason"],
            by=self.user,
        )
        return Response({"gold": gold_content(gold)})


class SentenceReopenView(GoldView):
    """Takes a decision back."""

    @extend_schema(operation_id="reopen_gold", request=s.ReopenRequest, responses=answers(SentenceGold, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        sentence = self.sentence(pk)
        data = self.checked(s.ReopenRequest, request.data).validated_data
        reopen_gold(sentence=sentence, version=data["version"], by=self.user)
        return Response({"gold": None})


class PairGoldView(GoldView):
    """Decides the tag of a pair in a language."""

    @extend_schema(
        operation_id="decide_gold_tag", request=s.PairGoldRequest, responses=answers(PairGold, 400, 409, 413)
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        pair = self.pair(pk)
        data = self.checked(s.PairGoldRequest, request.data).validated_data
        gold = decide_gold_tag(
            pair=pair,
            language=data["language"],
            version=data["version"],
            tag=data["tag"],
            reason=data["reason"],
            by=self.user,
        )
        return Response({"gold": gold_tag_content(gold)})


class PairReopenView(GoldView):
    """Takes the decision on a pair in a language back."""

    @extend_schema(operation_id="reopen_gold_tag", request=s.ReopenTagRequest, responses=answers(PairGold, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        pair = self.pair(pk)
        data = self.checked(s.ReopenTagRequest, request.data).validated_data
        reopen_gold_tag(pair=pair, language=data["language"], version=data["version"], by=self.user)
        return Response({"gold": None})
