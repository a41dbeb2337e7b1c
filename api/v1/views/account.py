"""What a person has for all projects: API tokens, and keys of the workspaces."""

from __future__ import annotations

from typing import cast

from django.contrib.auth import authenticate
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from annotator.accounts.actions import change_keys, create_token
from annotator.accounts.queries import own_keys
from annotator.core.access import project_for
from annotator.models import User
from api.v1.answers import ErrorAnswer, KeysAnswer, TokenAnswer
from api.v1.requests import KeysRequest
from api.v1.sending import send
from api.v1.strict import checked
from api.v1.token_shapes import TokenRequest
from api.v1.views.base import ApiView


class TokenThrottle(AnonRateThrottle):
    """By address."""

    scope = "token"


class NameThrottle(SimpleRateThrottle):
    """By the name that is tried: addresses are easily changed."""

    scope = "token"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        name = request.data.get("username") if isinstance(request.data, dict) else None
        if not isinstance(name, str):
            return None
        return self.cache_format % {"scope": "token-name", "ident": name.lower().encode().hex()[:200]}


class TokenView(APIView):
    """A new API token for name and password; send it as `Authorization: Token …`. The account page lists and revokes
    tokens."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (TokenThrottle, NameThrottle)

    def check_throttles(self, request: Request) -> None:
        """One after the other: an address that is refused does not count for, or fill the memory of, names."""
        for throttle in self.get_throttles():
            if not throttle.allow_request(request, self):
                self.throttled(request, throttle.wait() or 60)

    @extend_schema(
        operation_id="token",
        request=TokenRequest,
        responses={
            200: TokenAnswer,
            400: OpenApiResponse(ErrorAnswer, "The name or the password is wrong."),
            404: OpenApiResponse(ErrorAnswer, "The project does not exist, or the user is not a member of it."),
            429: OpenApiResponse(ErrorAnswer, "Too many attempts. Wait a minute."),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        data = checked(TokenRequest, request.data)
        user = authenticate(request, username=data.pop("username"), password=data.pop("password"))
        if not isinstance(user, User):
            raise ValidationError(_("The name or the password is wrong."))
        slug = data.pop("project")
        project = project_for(user, slug).project if slug is not None else None
        _token, secret = create_token(user=user, project=project, now=timezone.now(), **data)
        return send(TokenAnswer, {"token": secret})


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
