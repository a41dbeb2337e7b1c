from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.actions.pair_tags import confirm_no_metaphor
from annotator.models import StageKind
from annotator.permissions import Permission
from annotator.queries.progress import stage_progress
from annotator.queries.workspace import proposed_pairs
from api.v1 import serializers as s
from api.v1.schema import answers
from api.v1.views.base import ProjectView


class NoMetaphorView(ProjectView):
    """Pairs on which nobody labelled anything: proposed as *no metaphor*, confirmed in bulk."""

    needs = Permission.ANNOTATE

    @extend_schema(operation_id="proposed_no_metaphor", responses=answers(s.ProposedAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        pairs, total = proposed_pairs(self.stage(stage, StageKind.PAIR_TAG), self.user)
        return Response({"pairs": pairs, "total": total})

    @extend_schema(
        operation_id="confirm_no_metaphor", request=s.ConfirmRequest, responses=answers(s.ConfirmedAnswer, 400)
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        found = self.stage(stage, StageKind.PAIR_TAG)
        pairs = self.checked(s.ConfirmRequest, request.data).validated_data["pairs"]
        result = confirm_no_metaphor(stage=found, pairs=pairs, by=self.user)
        return Response(
            {
                "confirmed": list(result.confirmed),
                "left_out": list(result.left_out),
                "progress": stage_progress(found, self.user).to_json(),
            }
        )
