"""Clients of the API, signed in as somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.test import APIClient

# Children that some tests start load this without Django's models.
if TYPE_CHECKING:
    from annotator.models import User

# By the user's key, for one test: signing in takes longer than most calls, and sessions go with the test's rows.
SIGNED_IN: dict[int, APIClient] = {}


def client_of(user: User | None = None) -> APIClient:
    """A client that sends JSON, signed in with a session where a user is given; the same one throughout a test."""
    if user is not None and user.pk in SIGNED_IN:
        return SIGNED_IN[user.pk]
    client = APIClient()
    client.default_format = "json"
    if user is not None:
        client.force_login(user)
        SIGNED_IN[user.pk] = client
    return client
