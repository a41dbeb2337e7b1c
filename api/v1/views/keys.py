from __future__ import annotations

from typing import cast

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.accounts.actions import change_keys
from annotator.accounts.queries import own_keys
from annotator.models import User
from api.v1.answers import ErrorAnswer, KeysAnswer
from api.v1.requests import KeysRequest
from api.v1.sending import send
from api.v1.strict import checked
from api.v1.views.base import ApiView


class KeysView(ApiView):
    """The user's own keys of the workspaces."""

    @extend_schema(
        operation_id="change_own_keys",
        request=KeysRequest,
        responses={
            200: KeysAnswer,
            400: OpenApiResponse(ErrorAnswer, "The request is invalid, or two commands have the same key."),
            401: OpenApiResponse(ErrorAnswer, "Nobody is signed in."),
        },
    )
    def put(self, request: Request) -> Response:
        """Replace the keys."""
        user = change_keys(user=cast("User", request.user), **checked(KeysRequest, request.data))
        return send(KeysAnswer, own_keys(user))
