"""The calls that only pair tags have."""

from __future__ import annotations

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.kinds.pair_tags.actions import confirm_no_metaphor
from annotator.kinds.pair_tags.proposals import proposals
from annotator.kinds.pair_tags.serializers import (
    ConfirmedAnswer,
    ConfirmRequest,
    InferenceAnswer,
    InferenceRequest,
    ProposedAnswer,
    ProposedQuery,
)
from annotator.revisions.inference_labels import label_pair
from annotator.work.queue.queries.progress import public_progress, stage_progress
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import StageView


class NoMetaphorView(StageView):
    """Pairs on which nobody labelled anything: proposed as *no metaphor*, confirmed in bulk."""

    kind = "pair-tag"

    @extend_schema(
        operation_id="proposed_no_metaphor", parameters=[ProposedQuery], responses=answers(ProposedAnswer, 400)
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        found = self.work_stage(stage)
        after = self.asked(ProposedQuery)["after"]
        pairs, following = proposals(found, self.user, after=after)
        return send(ProposedAnswer, {"pairs": pairs, "next": following})

    @extend_schema(operation_id="confirm_no_metaphor", request=ConfirmRequest, responses=answers(ConfirmedAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = self.work_stage(stage)
        pairs = self.checked(ConfirmRequest, request.data)["pairs"]
        result = confirm_no_metaphor(stage=found, pairs=pairs, by=self.user, now=timezone.now())
        return send(
            ConfirmedAnswer,
            {
                "confirmed": result.confirmed,
                "left_out": result.left_out,
                "progress": public_progress(found, stage_progress(found, self.user)),
            },
        )


class InferenceView(StageView):
    """The inference label of a pair that came without one (`revisions/inference_labels.py`)."""

    kind = "pair-tag"

    @extend_schema(
        operation_id="label_pair", request=InferenceRequest, responses=answers(InferenceAnswer, 400, 404, 409)
    )
    def post(self, request: Request, slug: str, stage: int, pair: int) -> Response:
        found = self.work_stage(stage)
        asked = self.checked(InferenceRequest, request.data)
        return send(InferenceAnswer, label_pair(project=found.project, pair=pair, by=self.user, **asked))


routes = [
    path("stages/<int:stage>/no-metaphor/", NoMetaphorView.as_view(), name="no-metaphor"),
    path("stages/<int:stage>/pairs/<int:pair>/inference/", InferenceView.as_view(), name="inference-label"),
]
