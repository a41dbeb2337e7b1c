"""The site's own middleware."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import is_valid_path
from django.utils.translation import gettext as _

from annotator.actions.errors import ArchivedError, OtherUserError
from annotator.actions.policies import MADE_FOR_FIELD, MADE_FOR_HEADER, check_made_for
from annotator.models import User

# Where files of imports are taken, in pages and in the API.
_ARCHIVES = re.compile(r"^/restore/$|^/api/v1/archives/$")
_UPLOADS = re.compile(r"/import/(\d+/files/)?$|/imports/drafts/\d+/files/$")
# Everything comes from the site itself; pages carry neither inline scripts nor inline styles.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


class ContentSecurityPolicyMiddleware:
    """Send the policy with every response that does not bring its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        return response


class MadeForMiddleware:
    """Refuse what comes from a page that was made for somebody else than the person who is signed in by now.

    Before the form's token is checked: that changes with each sign-in, and would only say that the form is too old.
    The API checks its own calls (`api/permissions.py`), since a token may name the person.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        if request.resolver_match and request.resolver_match.app_name == "api":
            return None
        made_for = request.headers.get(MADE_FOR_HEADER) or _made_for(request)
        if not made_for or not isinstance(request.user, User):
            return None
        try:
            check_made_for(made_for, request.user)
        except OtherUserError as error:
            if MADE_FOR_HEADER in request.headers:
                return JsonResponse({"error": {"code": error.code, "message": str(error)}}, status=403)
            return render(request, "other_user.html", {"error": error}, status=403)
        return None


def _made_for(request: HttpRequest) -> str:
    if request.method != "POST":
        return ""
    try:
        return request.POST.get(MADE_FOR_FIELD, "")
    except UnreadablePostError:
        # Who sends it has gone.
        return ""


class ArchivedMiddleware:
    """A page that would change an archived project says that it is archived, and changes nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, ArchivedError):
            return None
        messages.error(request, str(exception))
        match = request.resolver_match
        return redirect("project", match.kwargs["slug"]) if match and "slug" in match.kwargs else redirect("projects")


class FormAddressMiddleware:
    """The address of a form leads to the page above it.

    Some forms are answered with a page, so their address is in the address bar: whoever changes the language there,
    or opens the tab again, would get the browser's own page of an error.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or request.method != "GET" or request.path.startswith("/api/"):
            return response
        return redirect(_page_above(request.path))


def _page_above(path: str) -> str:
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path


class CompressionMiddleware(GZipMiddleware):
    """Compress what is text. Releases and other files are packed already, and keep their length.

    Text that holds both a secret and what a stranger can choose tells of the secret by its length (BREACH). Django's
    middleware puts a file name of random length into each answer, which hides that, and masks the form token anew
    with every page.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
        if not kind.startswith("text/") and kind != "application/json":
            return response
        return super().process_response(request, response)


class BodySizeMiddleware:
    """Refuse bodies larger than any page has a use for, unread: else anybody could fill the disk without signing in.

    Django limits forms, but writes files of any size to the disk before a view or a permission is asked.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Without the header there is no body: neither Django nor the API reads further than it says.
        length, most = request.META.get("CONTENT_LENGTH") or "0", _most(request.path)
        if length.isdecimal() and int(length) > most:
            text = _("The request is too large; at most %(most)d bytes are read.") % {"most": most}
            return HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")
        return self.get_response(request)


def _most(path: str) -> int:
    # A corpus that is somewhat too large is told so on its page.
    most = int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if _ARCHIVES.search(path):
        return most + int(settings.ARCHIVE_MAX_BYTES)
    return most + 2 * settings.IMPORT_MAX_BYTES if _UPLOADS.search(path) else most
