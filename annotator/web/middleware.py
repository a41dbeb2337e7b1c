"""The site's own middleware."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import get_script_prefix, is_valid_path
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from annotator.core.access import project_for
from annotator.core.errors import ActionError, ArchivedError, OtherUserError
from annotator.core.files.uploaded import NoUploadHandler, size_of
from annotator.core.permissions import Permission
from annotator.core.policies import MADE_FOR_FIELD, MADE_FOR_HEADER, check_made_for
from annotator.domain.text.storable import is_storable
from annotator.models import User

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

    Some forms are answered with a page, so their address is in the address bar: anyone who changes the language there,
    or opens the tab again, would get the browser's own page of an error.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405 or request.method != "GET" or request.path_info.startswith("/api/"):
            return response
        return redirect(get_script_prefix().rstrip("/") + _page_above(request.path_info))


def _page_above(path: str) -> str:
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path


class _MessagesCookie(CookieStorage):
    """What the next page says, in a cookie as the site's others are; Django's has a name and a path of its own."""

    cookie_name = settings.MESSAGES_COOKIE_NAME

    def _update_cookie(self, encoded_data: str, response: HttpResponseBase) -> None:
        super()._update_cookie(encoded_data, response)  # type: ignore[misc]  # not in the stubs
        if self.cookie_name in response.cookies:
            response.cookies[self.cookie_name]["path"] = settings.SESSION_COOKIE_PATH


class Messages(FallbackStorage):
    """Messages for the next page: in a cookie, or in the session where they are too long for one."""

    storage_classes = (_MessagesCookie, SessionStorage)


class CompressionMiddleware(GZipMiddleware):
    """Compress what is text. Releases and other files are packed already, and keep their length.

    Text that holds both a secret and what a stranger can choose tells of the secret by its length (BREACH). Django's
    middleware puts a file name of random length into each answer, which hides that, and masks the form token again
    with every page.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
        is_text = kind.startswith("text/") or kind in ("application/json", "image/svg+xml")
        # A part of a file is counted in its own bytes.
        if not is_text or response.status_code == HTTPStatus.PARTIAL_CONTENT:
            return response
        return super().process_response(request, response)


class BodyMiddleware:
    """Read no more of a request than anyone who sends it may send to that page.

    The check of a form's token reads the whole body and writes its files to the disk, and so do Django's pages of
    errors. So the body counts as empty until the page is found and the sender may send it. The API's parsers have
    limits of their own (`api/parsers.py`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        _lock(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        # The API's views do the like, and read no body before they check permissions.
        if hasattr(view, "cls"):
            return None
        if not is_storable(kwargs):
            raise Http404
        if not is_storable(dict(request.GET.lists())):
            return refused(request, _("The address contains invalid characters."), status=400)
        # Django reads the body of no other method.
        if request.method != "POST":
            return None
        if not request.user.is_authenticated and getattr(view, "login_required", True):
            # Led to the sign-in.
            return None
        most_bytes = getattr(view, "most_bytes", None)
        size = size_of(request)
        try:
            most = most_bytes(request, **kwargs) if most_bytes else _most_of_form(request, size, kwargs.get("slug"))
        except ActionError as error:
            return refused(request, str(error), status=413)
        if size > most:
            text = _("This is too large to send at once. The limit is %(most)s.")
            return refused(request, text % {"most": filesizeformat(most)}, status=413)
        _unlock(request)
        if most_bytes is None:
            request.upload_handlers = [NoUploadHandler(request)]
        return _unusable(request)


def _unusable(request: HttpRequest) -> HttpResponse | None:
    """The answer to a form that cannot be taken; None where it can."""
    try:
        form = request.POST
    except UnreadablePostError:
        # Who sends it has gone.
        return None
    except (TooManyFieldsSent, TooManyFilesSent):
        text = _("There are too many files or fields in one request: at most %(most)d of each can be sent at once.")
        return refused(request, text % {"most": settings.DATA_UPLOAD_MAX_NUMBER_FILES}, status=400)
    except RequestDataTooBig:
        text = _("This text is too long for a form (at most %(most)s). Save it as a file, and upload that.")
        most = filesizeformat(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        return refused(request, text % {"most": most}, status=413)
    except (MultiPartParserError, BadRequest):
        return refused(request, _("The form did not arrive as it was sent. Send it again."), status=400)
    if not is_storable(dict(form.lists())):
        return refused(request, _("The form has characters that cannot be stored. Remove them."), status=400)
    return None


def _lock(request: HttpRequest) -> None:
    # What Django has found in a body that it has read.
    request._post, request._files = QueryDict(), MultiValueDict()  # type: ignore[attr-defined]


def _unlock(request: HttpRequest) -> None:
    del request._post, request._files  # type: ignore[attr-defined]


def refused(request: HttpRequest, text: str, *, status: int) -> HttpResponse:
    """Why a request was not read: a page, or for scripts the sentence alone."""
    if request.headers.get("HX-Request"):
        return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")
    return render(request, "refused.html", {"text": text, "status": status}, status=status)


def _most_of_form(request: HttpRequest, size: int, slug: str | None) -> int:
    """Bytes of a form without files, by what its sender may do. Short ones cost nobody anything."""
    user = request.user
    if size <= settings.SHORT_BODY_BYTES or not isinstance(user, User):
        return int(settings.SHORT_BODY_BYTES)
    if user.is_superuser or (slug is not None and project_for(user, slug).may(Permission.MANAGE)):
        return int(settings.LONG_BODY_BYTES)
    return int(settings.BODY_BYTES)
