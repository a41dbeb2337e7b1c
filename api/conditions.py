"""ETags of reads, and `If-Match` of writes over something that others may have changed meanwhile."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.request import Request
from rest_framework.response import Response

# The views load what is defined here.
if TYPE_CHECKING:
    from api.v1.views.base import ApiView

Handler = Callable[..., Any]


class ChangedError(APIException):
    """What a call was to change is not what the caller saw."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "changed"


def with_tag(request: HttpRequest, response: Response, revision: int | None) -> None:
    """Give an answer its ETag once it is rendered; 304 without a body where the caller has it already."""
    response.add_post_render_callback(partial(_tagged, request, revision))


def if_unchanged(handler: Handler) -> Handler:
    """A handler that writes only over the state that `If-Match` names, where a call has that header."""

    @wraps(handler)
    def checked(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> Any:
        given = request.headers.get("If-Match")
        if given is None:
            return handler(view, request, *args, **kwargs)
        rows = view.guarded(**kwargs)
        if rows is None:
            raise ParseError(
                _("This call does not take If-Match. If it can conflict with others, it has a version in its body.")
            )
        with transaction.atomic():
            list(rows.select_for_update(no_key=True, of=("self",)).values_list("pk"))
            _check(given, view.read(request, *args, **kwargs))
            return handler(view, request, *args, **kwargs)

    return checked


def _check(given: str, now: Response) -> None:
    """Raise ChangedError unless `given` has the tag of what is there now."""
    if given.strip() != "*" and _tag(now.rendered_content, None) not in _tags(given):
        raise ChangedError(
            _("Someone else changed this in the meantime, so nothing was saved. Read it again, and send its new ETag.")
        )


def _tagged(request: HttpRequest, revision: int | None, response: HttpResponse) -> HttpResponse | None:
    tag = _tag(response.content, revision)
    given = request.headers.get("If-None-Match", "")
    if given.strip() == "*" or tag in _tags(given):
        unchanged = HttpResponseNotModified()
        unchanged.headers["ETag"] = tag
        return unchanged
    response.headers["ETag"] = tag
    return None


def _tag(content: bytes, revision: int | None) -> str:
    digest = hashlib.sha256(content).hexdigest()[:32]
    return quote_etag(digest if revision is None else f"{revision}-{digest}")


def _tags(given: str) -> list[str]:
    """The tags of a header. Compressing an answer makes its tag weak, and leaves what it says as it is."""
    return [tag.removeprefix("W/") for tag in parse_etags(given)]
