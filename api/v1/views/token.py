from __future__ import annotations

from django.contrib.auth import authenticate
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.authtoken.models import Token
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from api.v1.answers import ErrorAnswer, TokenAnswer
from api.v1.requests import TokenRequest
from api.v1.sending import send
from api.v1.strict import checked


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
    """A token for name and password; send it as `Authorization: Token …`."""

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
            429: OpenApiResponse(ErrorAnswer, "Too many attempts. Wait a minute."),
        },
        auth=[],
    )
    def post(self, request: Request) -> Response:
        user = authenticate(request, **checked(TokenRequest, request.data))
        if user is None:
            raise ValidationError(_("The name or the password is wrong."))
        token, _created = Token.objects.get_or_create(user=user)
        return send(TokenAnswer, {"token": token.key})
