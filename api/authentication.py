"""Who asks, found out before anything of the body is read."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, QueryDict
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request


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
