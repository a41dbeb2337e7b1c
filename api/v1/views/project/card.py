"""The dataset card of a project."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.models import Project
from annotator.releases.actions.card import change_card
from annotator.releases.card import QUESTIONS
from api.v1 import part_shapes as p
from api.v1.schema import IF_MATCH, answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


class CardView(ProjectView):
    """What releases say about the dataset, and whether they name people."""

    needs = Permission.MANAGE

    def guarded(self, **address: Any) -> QuerySet[Project]:
        return Project.objects.filter(pk=self.access.project.pk)

    @extend_schema(operation_id="card", responses=answers(p.CardAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return self._card(self.guarded().get())

    @extend_schema(
        operation_id="change_card",
        request=p.CardRequest,
        parameters=[IF_MATCH],
        responses=answers(p.CardAnswer, 400, 412),
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replaces all of it: answers that are left out are empty."""
        data = self.checked(p.CardRequest, request.data)
        return self._card(change_card(project=self.access.project, by=self.user, **data))

    def _card(self, project: Project) -> Response:
        card = project.dataset_card
        stated = {one.name: card.get(one.name, "") for one in QUESTIONS}
        return send(p.CardAnswer, {"answers": stated, "names": card.get("names", False)})
