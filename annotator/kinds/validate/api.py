"""The calls that only validation has."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.kinds.validate.question import set_question
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import StageView


class QuestionRequest(serializers.Serializer):
    question = serializers.CharField(max_length=200, allow_blank=True)
    values = serializers.ListField(child=serializers.CharField(max_length=50), max_length=9, allow_empty=True)


class QuestionAnswer(QuestionRequest):
    pass


class QuestionView(StageView):
    """The second question that is asked of every text."""

    kind = "validate"

    @extend_schema(operation_id="set_second_question", request=QuestionRequest, responses=answers(QuestionAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        self.access.require(Permission.MANAGE)
        found = self.work_stage(stage)
        set_question(stage=found, by=self.user, **self.checked(QuestionRequest, request.data))
        scheme = found.layer.scheme_data
        return send(QuestionAnswer, {"question": scheme["question"], "values": scheme["second"]})


routes = [path("stages/<int:stage>/question/", QuestionView.as_view(), name="second-question")]
