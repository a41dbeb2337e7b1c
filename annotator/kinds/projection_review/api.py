"""The call that only the review of projections has."""

from __future__ import annotations

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.kinds.projection_review.links import Link, edit_link
from annotator.kinds.projection_review.serializers import LinkRequest
from api.v1.schema import Item, answers
from api.v1.views.work import AssignmentView


class LinkView(AssignmentView):
    """Sets or removes a word link, and projects the labels again along the links of a person."""

    http_method_names = ["post", "options"]

    @extend_schema(operation_id="edit_link", request=LinkRequest, responses=answers(Item, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        data = self.checked(LinkRequest, request.data)
        suggestion = data.pop("suggestion")
        edit_link(project=self.access.project, assignment=pk, suggestion=suggestion, link=Link(**data), by=self.user)
        return self.get(request, slug, pk)


routes = [path("assignments/<int:pk>/links/", LinkView.as_view(), name="edit-link")]
