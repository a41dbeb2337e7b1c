"""The one JSON error shape: `{"error": {"code", "message", "fields"?, "theirs"?, "mine"?}}`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.response import Response

from annotator.core.errors import (
    ActionError,
    ArchivedError,
    ConflictError,
    NotYoursError,
    OtherUserError,
    OverlapError,
)
from annotator.core.faults import RETRY_SECONDS, passes, unavailable
from annotator.domain.content import ContentError
from annotator.web.repeats import OtherCallError, RunningError

# Where Django logs faults of pages, too.
logger = logging.getLogger("django.request")


class TooLarge(exceptions.APIException):
    """The request's body is larger than any the API has a use for."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


CODES = {
    400: "invalid",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    412: "changed",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
}


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what views raise into an answer in the error shape; None for faults, which stay faults."""
    if isinstance(error, ConflictError):
        return Response(
            error_body(error.code, str(error), theirs=error.theirs, mine=error.mine), status=status.HTTP_409_CONFLICT
        )
    if isinstance(error, ArchivedError | OtherUserError):
        return Response(error_body(error.code, str(error)), status=status.HTTP_403_FORBIDDEN)
    if isinstance(error, RunningError):
        return Response(error_body(error.code, str(error)), status=status.HTTP_409_CONFLICT)
    if isinstance(error, OtherCallError):
        return Response(error_body(error.code, str(error)), status=status.HTTP_422_UNPROCESSABLE_ENTITY)
    if isinstance(error, NotYoursError):
        return Response(error_body(error.code, str(error)), status=status.HTTP_404_NOT_FOUND)
    if isinstance(error, OverlapError):
        fields = {"without_overlap": [str(error)]}
        return Response(error_body(error.code, str(error), fields=fields), status=status.HTTP_400_BAD_REQUEST)
    if isinstance(error, ActionError):
        # What a content type refuses is about that field, and the sentence is its own.
        named = {"fields": {"content": [str(error)]}} if isinstance(error.__cause__, ContentError) else {}
        return Response(error_body(error.code, str(error), **named), status=status.HTTP_400_BAD_REQUEST)
    if passes(error):
        logger.error("The database or the disk failed.", exc_info=error)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        return Response(error_body("unavailable", unavailable(error)), status=503, headers=headers)
    # Here, because DRF's views load the parsers, and those raise what is defined in this module.
    from rest_framework.views import exception_handler as drf_exception_handler

    response = drf_exception_handler(error, context)
    if response is None:
        return None
    code = CODES.get(response.status_code, "error")
    if isinstance(error, exceptions.ValidationError):
        fields = dict(_flat(error.detail))
        name, messages = next(iter(fields.items()))
        message = messages[0] if name == "" else f"{name}: {messages[0]}"
        response.data = error_body(code, message, fields=fields)
    else:
        response.data = error_body(code, str(response.data.get("detail") or _("The request failed.")))
    return response


def error_body(code: str, message: str, **more: Any) -> dict[str, Any]:
    """An answer in the error shape; `more` are fields, theirs, mine."""
    return {"error": {"code": code, "message": message, **more}}


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Nested validation errors as ("spans.0.label", messages); "" for those of the whole request."""
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from _flat(value, ".".join(filter(None, [path, name])))
    elif isinstance(detail, list) and any(isinstance(part, Mapping | list) for part in detail):
        for index, value in enumerate(detail):
            if value:
                yield from _flat(value, f"{path}.{index}" if path else str(index))
    elif isinstance(detail, list):
        yield path, [str(part) for part in detail]
    else:
        yield path, [str(detail)]
