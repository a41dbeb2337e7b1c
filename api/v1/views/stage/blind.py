"""Blind samples of a stage."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import ActionError
from annotator.work.blind.actions.blind_items import assign_blind_items
from annotator.work.blind.queries.blind_pool import pool
from annotator.work.blind.queries.blind_subset import no_subset
from api.v1 import assign_shapes as a
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.stage.assigning import AssigningView


class BlindSampleView(AssigningView):
    """Gives people the same sample of a stage to answer without seeing anybody's answers."""

    @extend_schema(operation_id="blind_sample", request=a.BlindRequest, responses=answers(a.BlindAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        """Draws and assigns it; with `dry_run`, only counts what it can be drawn from."""
        at = self.worked_in(stage)
        data = self.checked(a.BlindRequest, request.data)
        users = [self.member("users", name) for name in dict.fromkeys(data["users"])]
        if data["dry_run"]:
            if refusal := no_subset(at, list(self.access.project.stages.select_related("layer"))):
                raise ActionError(refusal)
            return send(a.BlindAnswer, {"people": [], "pool": pool(at, users)})
        given = assign_blind_items(stage=at, users=users, count=data["count"], seed=data["seed"], by=self.user)
        return send(a.BlindAnswer, {"people": given, "pool": None})
