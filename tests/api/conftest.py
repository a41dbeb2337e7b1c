from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from annotator.models import User


@pytest.fixture(autouse=True)
def _no_throttle_left_over() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def client_of(user: User | None = None) -> APIClient:
    """A client that sends JSON, signed in with a session where a user is given."""
    client = APIClient()
    client.default_format = "json"
    if user is not None:
        client.force_login(user)
    return client
