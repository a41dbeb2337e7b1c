from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
def test_health_is_told_to_anyone() -> None:
    answer = Client().get("/healthz/")

    assert (answer.status_code, answer.json()) == (200, {"database": True})
    assert "no-store" in answer.headers["Cache-Control"]
