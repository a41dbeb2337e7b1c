"""The call that only definitions have: expressions and pairs are brought in line with what was marked and defined."""

from __future__ import annotations

from dataclasses import asdict

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.kinds.impli.gathering import gather_expressions, make_pairs
from annotator.kinds.impli.serializers import BringAnswer, BringRequest
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import StageView


class BringView(StageView):
    """Some expressions from marked sentences, or the pairs of some expressions; call it until `after` is null."""

    kind = "define"

    @extend_schema(operation_id="bring_pairs_in_line", request=BringRequest, responses=answers(BringAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        self.access.require(Permission.MANAGE)
        found = self.work_stage(stage)
        asked = self.checked(BringRequest, request.data)
        if asked["what"] == "expressions":
            done = gather_expressions(stage=found, after=asked["after"])
        else:
            done = make_pairs(stage=found, after=asked["after"], by=self.user)
        return send(BringAnswer, {**asdict(done), "refused": dict(done.refused)})


routes = [path("stages/<int:stage>/pairs/", BringView.as_view(), name="bring-pairs")]
