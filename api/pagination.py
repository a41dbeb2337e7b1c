"""How lists are cut into pages: by a cursor, so that rows which are added meanwhile neither repeat nor hide others."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from annotator.domain.text.storable import LARGEST, is_storable
from api.v1.sending import made

_M = TypeVar("_M", bound=Model)
MAX_PAGE = 200


class PageQuery(serializers.Serializer):
    """Which page of a list."""

    cursor = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=1000,
        help_text="From the address in `next`; empty: the first page.",
    )
    page_size = serializers.IntegerField(required=False, default=50, min_value=1, max_value=MAX_PAGE)

    def to_internal_value(self, data: Any) -> Any:
        if "page" in data:
            raise serializers.ValidationError({"page": [_("Pages have no numbers. Use the address in “next”.")]})
        return super().to_internal_value(data)


def page_of(rows: QuerySet[_M], request: Request, order: Sequence[str] = ("-pk",)) -> tuple[list[_M], str | None]:
    """A page of rows, and the address of the next one. `order` ends with the key, and no field in it is null."""
    asked = made(PageQuery).run_validation(request.query_params)
    if asked["cursor"]:
        rows = rows.filter(_after(order, _values(asked["cursor"], len(order))))
    size = asked["page_size"]
    found = list(rows.order_by(*order)[: size + 1])
    if len(found) <= size:
        return found, None
    last = found[size - 1]
    cursor = urlsafe_b64encode(json.dumps([getattr(last, name.lstrip("-")) for name in order]).encode()).decode()
    return found[:size], replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _after(order: Sequence[str], values: Sequence[str | int]) -> Q:
    """The rows behind the one with these values."""
    after, same = Q(), Q()
    for name, value in zip(order, values, strict=True):
        field = name.lstrip("-")
        after |= same & Q(**{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{field: value})
    return after


def _values(cursor: str, number: int) -> list[str | int]:
    """The values in a cursor: texts, and the key last. Raises ValidationError for what is none."""
    try:
        values = json.loads(urlsafe_b64decode(cursor.encode()))
        *texts, key = values
        right = len(values) == number and all(isinstance(one, str) for one in texts) and is_storable(texts)
        if right and type(key) is int and 0 <= key <= LARGEST:
            return list(values)
    except (ValueError, TypeError, RecursionError):
        pass
    raise serializers.ValidationError({"cursor": [_("This is not a cursor. Use the address in “next”.")]})
