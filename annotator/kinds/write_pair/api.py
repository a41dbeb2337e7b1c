"""The calls that only the writing of pairs has."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.kinds.write_pair.serializers import SimilarAnswer, SimilarRequest, TargetAnswer, TargetRequest
from annotator.kinds.write_pair.similar import similar_pairs
from annotator.kinds.write_pair.slots import own_slot
from annotator.kinds.write_pair.target import set_target
from annotator.work.answering.queries.workspace import workspace_items
from annotator.work.queue.queries.progress import public_progress, stage_progress
from api.v1.schema import Item, answers
from api.v1.sending import items_shown, send
from api.v1.views.base import NO_BODY, StageView

_WRITING = ("write-pair", "write-pair-prompted")


class SimilarView(StageView):
    """Pairs that were written already, and are like the one that somebody writes."""

    # It only reads, but two texts are too long for an address.
    @extend_schema(operation_id="similar_pairs", request=SimilarRequest, responses=answers(SimilarAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = self.work_stage(stage)
        if found.kind not in _WRITING:
            raise Http404(_("This stage has another kind of work."))
        given = self.checked(SimilarRequest, request.data)
        texts = [given["first"], given["second"]]
        alike = similar_pairs(stage=found, texts=texts, user=self.user, unit=given["unit"])
        return send(SimilarAnswer, {"similar": alike.others, "own": alike.own})


class AnotherView(StageView):
    """One more empty pair for a pair that was written on one which was filled in another window."""

    kind = "write-pair"
    bodyless = NO_BODY

    @extend_schema(operation_id="another_pair", request=None, responses=answers(Item, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        row = own_slot(stage=self.work_stage(stage), user=self.user)
        [shown] = items_shown(workspace_items(self.access.project, [row], self.user))
        return Response(shown)


class TargetView(StageView):
    """How many pairs each person writes."""

    kind = "write-pair"

    @extend_schema(operation_id="set_pair_target", request=TargetRequest, responses=answers(TargetAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        self.access.require(Permission.MANAGE)
        found = self.work_stage(stage)
        target = self.checked(TargetRequest, request.data)["target"]
        set_target(stage=found, target=target, by=self.user)
        return send(
            TargetAnswer, {"target": target, "progress": public_progress(found, stage_progress(found, self.user))}
        )


routes = [
    path("stages/<int:stage>/another/", AnotherView.as_view(), name="another-pair"),
    path("stages/<int:stage>/similar/", SimilarView.as_view(), name="similar-pairs"),
    path("stages/<int:stage>/target/", TargetView.as_view(), name="pair-target"),
]
