"""How much a request announces to send."""

from __future__ import annotations

import pytest
from django.http import HttpRequest

from annotator.core.files.uploaded import size_of


@pytest.mark.parametrize(
    ("announced", "size"),
    [("", 0), ("0", 0), ("600", 600), (str(2**70), 2**70), ("-5", 0), ("many", 0), ("1" * 5000, 0)],
)
def test_it_is_what_django_would_read(announced: str, size: int) -> None:
    request = HttpRequest()
    request.META["CONTENT_LENGTH"] = announced
    assert size_of(request) == size
