"""The call that only rating and best–worst scaling have."""

from __future__ import annotations

from django.http import Http404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.domain.content import BEST_WORST, RATING
from annotator.kinds.rating.scale import set_scale
from annotator.kinds.rating.serializers import ScaleAnswer, ScaleRequest
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import StageView


class ScaleView(StageView):
    """What is asked of every sentence, and what both ends of the scale are called."""

    @extend_schema(operation_id="set_scale", request=ScaleRequest, responses=answers(ScaleAnswer, 400))
    def post(self, request: Request, slug: str, stage: int) -> Response:
        self.access.require(Permission.MANAGE)
        found = self.work_stage(stage)
        if found.adjudicates or found.layer.content_type not in (RATING.slug, BEST_WORST.slug):
            raise Http404(_("This stage has another kind of work."))
        set_scale(stage=found, by=self.user, **self.checked(ScaleRequest, request.data))
        return send(ScaleAnswer, found.layer.scheme_data)


routes = [path("stages/<int:stage>/scale/", ScaleView.as_view(), name="scale")]
