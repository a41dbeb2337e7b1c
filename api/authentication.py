"""Who asks, found out before anything of the body is read: by API token or session."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication, TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotator.accounts.actions import mark_used
from annotator.accounts.queries import token_by
from annotator.models import ApiToken, User


class ScopedTokenAuthentication(TokenAuthentication):
    """By `Authorization: Token …`. What the token permits is checked by `permissions.WithinScope`."""

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        """The person and the token. Raises AuthenticationFailed for a token that does not exist any more."""
        now = timezone.now()
        token = token_by(key)
        if token is None or not token.user.is_active:
            raise AuthenticationFailed(_("This API token does not exist. It may have been revoked."))
        if token.is_expired(now):
            raise AuthenticationFailed(_("This API token has expired. Create another one on your account page."))
        mark_used(token=token, now=now)
        return token.user, token


class UnreadSessionAuthentication(SessionAuthentication):
    """By session, with the token of the site's forms in the header `X-CSRFToken`.

    DRF looks for that token in the body first, and would write files to the disk before a permission is asked.
    """

    def enforce_csrf(self, request: Request) -> None:
        """Raise PermissionDenied where the header has no valid token."""
        super().enforce_csrf(cast(Request, _Unread(request._request)))


class _Unread:
    """A request without its body."""

    POST = QueryDict()

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)
