"""Texts that went back to somebody who left: managers hand them over, or give them up."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.models import Stage
from annotator.work.queue.actions.orphaned_answers import give_up, hand_over
from annotator.work.queue.queries.orphaned_answers import left_shown, members_in
from api.v1 import assign_shapes as shapes
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class _LeftView(ProjectView):
    needs = Permission.MANAGE

    def answering(self, pk: int) -> Stage:
        """A stage of the project in which people answer."""
        stage = self.stage(pk)
        if stage.adjudicates:
            raise Http404(_("This stage has another kind of work."))
        return stage

    def waiting(self, stage: Stage) -> Response:
        """What waits in the stage now."""
        writers = [user.username for user in members_in(stage.project, stage.language)]
        return send(shapes.LeftTextsAnswer, {"results": left_shown(stage), "writers": writers})


class LeftTextsView(_LeftView):
    """What went back to people who are given no work in the stage's language any more."""

    @extend_schema(operation_id="left_texts", responses=answers(shapes.LeftTextsAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        return self.waiting(self.answering(stage))


class HandOverView(_LeftView):
    """Hands a text over to another writer, who begins from what is written; answers what is left."""

    @extend_schema(
        operation_id="hand_over_left_text",
        request=shapes.HandOverRequest,
        responses=answers(shapes.LeftTextsAnswer, 400),
    )
    def post(self, request: Request, slug: str, stage: int, answer: int) -> Response:
        at = self.answering(stage)
        name = self.checked(shapes.HandOverRequest, request.data)["to"]
        to = next((user for user in members_in(at.project, at.language) if user.username == name), None)
        if to is None:
            raise ValidationError({"to": [_("%(name)s is not assigned work in this language here.") % {"name": name}]})
        hand_over(stage=at, answer=answer, to=to, by=self.user)
        return self.waiting(at)


class GiveUpView(_LeftView):
    """Gives a text up: nobody mends it, releases leave it out and list it with the reason; answers what is left."""

    @extend_schema(
        operation_id="give_up_left_text", request=shapes.GiveUpRequest, responses=answers(shapes.LeftTextsAnswer, 400)
    )
    def post(self, request: Request, slug: str, stage: int, answer: int) -> Response:
        at = self.answering(stage)
        reason = self.checked(shapes.GiveUpRequest, request.data)["reason"]
        give_up(stage=at, answer=answer, reason=reason, by=self.user)
        return self.waiting(at)
