"""Requests whose body must not be read, and all addresses that they can be sent to."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import UUIDConverter

INVENTED = "x" * 32


class BodyReadError(AssertionError):
    """Somebody read the body."""


class Unreadable:
    """A body that nobody may look at."""

    def read(self, *_size: int) -> bytes:
        raise BodyReadError

    readline = read


def send_unread(
    client: Client, address: str, *, method: str = "POST", size: int = 600 * 1024 * 1024, kind: str = "", **more: Any
) -> HttpResponseBase:
    """Announce a body of `size` bytes, with a form token that is invented; BodyReadError where it is read."""
    client.cookies[settings.CSRF_COOKIE_NAME] = INVENTED
    return client.generic(
        method,
        address,
        **{
            "CONTENT_LENGTH": str(size),
            "CONTENT_TYPE": kind or "multipart/form-data; boundary=b",
            "HTTP_X_CSRFTOKEN": INVENTED,
            "wsgi.input": Unreadable(),
            **more,
        },
    )


def all_addresses(slug: str) -> Iterator[str]:
    """Every address of the site, with `slug` for that of a project, and ids that nothing has."""
    for name, parts in _named(get_resolver()):
        yield reverse(name, kwargs={part: slug if part == "slug" else _value(part, parts[part]) for part in parts})


def _value(part: str, converter: object) -> object:
    if part == "app_label":
        return "annotator"
    return uuid.UUID(int=1) if isinstance(converter, UUIDConverter) else 1


def _named(
    resolver: URLResolver, space: str = "", around: dict[str, object] | None = None
) -> Iterator[tuple[str, dict[str, object]]]:
    for one in resolver.url_patterns:
        parts = {**(around or {}), **dict.fromkeys(one.pattern.regex.groupindex), **one.pattern.converters}
        if isinstance(one, URLResolver):
            yield from _named(one, f"{space}{one.namespace}:" if one.namespace else space, parts)
        elif isinstance(one, URLPattern) and one.name:
            yield f"{space}{one.name}", parts
