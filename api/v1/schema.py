"""Pieces of the OpenAPI schema that several views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, PolymorphicProxySerializer, inline_serializer
from rest_framework import serializers

from annotator.core.files.pictures import MEDIA_TYPES
from api.v1.answers import ErrorAnswer
from api.v1.sending import adjudication_shapes, item_shapes
from api.v1.shapes import BarredAnswer, ProgressAnswer, UnitAnswer


class UnreadSessionScheme(SessionScheme):
    """The schema calls it what it is to whoever asks: a session."""

    target_class = "api.authentication.UnreadSessionAuthentication"
    priority = 0


_WORDS = {
    400: "The request is invalid, or the action was refused. Nothing was changed.",
    401: "Nobody is signed in.",
    403: "The role in the project does not allow this.",
    404: "It does not exist, or the user cannot see it.",
    409: "Someone else saved in the meantime; the answer has both sides.",
    412: "Someone else changed it in the meantime. Nothing was changed.",
    413: "The request is too large.",
    429: "Too many requests. Wait a minute.",
}


def _item(**kwargs: Any) -> PolymorphicProxySerializer:
    return PolymorphicProxySerializer(
        component_name="Item", serializers=item_shapes, resource_type_field_name="kind", **kwargs
    )


Item = _item()
ClaimAnswer = inline_serializer(
    "ClaimAnswer",
    {
        "items": _item(many=True),
        "progress": ProgressAnswer(),
        "own_left": serializers.BooleanField(
            help_text="Fewer than asked for, and some free items are the user's own texts, which others judge."
        ),
        "blind_left": serializers.IntegerField(
            help_text="Fewer than asked for: the number of free items hidden from the user, because they would "
            "reveal others' answers where the user is blind."
        ),
        "elsewhere_left": serializers.IntegerField(
            help_text="Fewer than asked for: the number of free items that the user answers in another stage "
            "of the layer."
        ),
        "later_left": serializers.IntegerField(
            help_text="Fewer than asked for: the number of pairs that become available once the user finishes "
            "the blind items on their sentences."
        ),
    },
)
TextAnswer = inline_serializer(
    "TextAnswer",
    {
        "unit": UnitAnswer(),
        "item": _item(allow_null=True),
        "job": serializers.IntegerField(
            allow_null=True, help_text="The job that updates suggestions; null: nothing was changed."
        ),
    },
)
QueueAnswer = inline_serializer(
    "QueueAnswer",
    {
        "items": PolymorphicProxySerializer(
            component_name="Adjudication",
            serializers=adjudication_shapes,
            resource_type_field_name="kind",
            many=True,
        ),
        "remaining": serializers.IntegerField(),
        "own_left": serializers.BooleanField(
            help_text="None remains, and some waiting items are the user's own texts, which others decide on."
        ),
        "barred": BarredAnswer(),
    },
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of what was read at this address: the call changes nothing if it is another one by now.",
)


def answers(success: Any, *errors: int) -> dict[int, Any]:
    """The answers of a call inside a project: 200, and its errors (those of every call are added)."""
    codes = sorted({401, 403, 404, *errors})
    return {200: success} | {code: OpenApiResponse(ErrorAnswer, _WORDS[code]) for code in codes}


JSON = "application/json"


def _file(*media_types: str, errors: Sequence[int] = ()) -> dict[Any, Any]:
    """The answers of a call that sends a file."""
    refusals = {code: answer for code, answer in answers(None, *errors).items() if code != 200}
    found = {
        (200, media_type): OpenApiTypes.OBJECT if media_type == JSON else OpenApiTypes.BINARY
        for media_type in media_types
    }
    return found | refusals


FILE = "application/octet-stream"
_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# A file that is downloaded: a zip, one of any sort, a picture, a table in one format, in the one that the query names.
ZIP = _file("application/zip")
DOWNLOAD = _file(FILE)
CSV = _file("text/csv")
TSV = _file("text/tab-separated-values")
PICTURE = _file(*MEDIA_TYPES.values())
TABLE = _file("text/csv", _EXCEL, errors=[400])
TABLE_OR_JSON = _file("text/csv", _EXCEL, JSON, errors=[400])
