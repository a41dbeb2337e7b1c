"""Bodies say what the schema has, and nothing else: a misspelt key would be taken for one that is left out, and a
number for a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.v1.sending import made


def checked(serializer: type[serializers.Serializer[Any]], data: Any) -> dict[str, Any]:
    """The valid data of a body. Raises ValidationError, which names the fields, also those that are unknown, and
    numbers where a text is wanted."""
    shape = made(serializer)
    check_keys(shape, data)
    values: dict[str, Any] = shape.run_validation(data)
    return values


def check_keys(shape: Any, data: Any) -> None:
    """Raise ValidationError for keys that `shape` does not have, and for numbers where it has a text. What else is
    wrong is not looked at."""
    if wrong := dict(_wrong(shape, data, "")):
        raise serializers.ValidationError(wrong)


def _wrong(shape: Any, data: Any, where: str) -> Iterator[tuple[str, list[str]]]:
    if isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        for name, value in data.items():
            place = f"{where}.{name}" if where else str(name)
            if name in shape.fields:
                yield from _wrong(shape.fields[name], value, place)
            else:
                yield place, [_("This field does not exist.")]
    elif isinstance(shape, serializers.DictField) and isinstance(data, Mapping):
        for name, value in data.items():
            yield from _wrong(shape.child, value, f"{where}.{name}")
    elif isinstance(shape, serializers.ListSerializer | serializers.ListField) and isinstance(data, list):
        for index, value in enumerate(data):
            yield from _wrong(shape.child, value, f"{where}.{index}" if where else str(index))
    elif isinstance(shape, serializers.CharField) and isinstance(data, int | float):
        yield where, [str(shape.error_messages["invalid"])]
