"""Ids that no row can have, as anybody may type them into an address: nothing is found, and nothing breaks."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import make_member, make_project, make_sentence, stage_of

pytestmark = pytest.mark.django_db

# More than a database can compare a number with.
HUGE = 10**25
JSON = {"content_type": "application/json"}


def test_huge_ids_are_ids_of_nothing(client: Client) -> None:
    project = make_project()
    make_sentence(project, "Time flies")
    client.force_login(make_member(project))
    at = f"/api/v1/projects/{project.slug}"
    answer = {"version": 0, "content": {"spans": []}, "done": True}

    assert client.post(f"{at}/stages/{HUGE}/claim/", {}, **JSON).status_code == 404
    assert client.post(f"{at}/assignments/{HUGE}/save/", answer, **JSON).status_code == 404
    held = client.post(f"{at}/stages/{stage_of(project, 'correct').pk}/claim/", {"held": [HUGE, -HUGE]}, **JSON)
    assert held.status_code == 400
    assert set(held.json()["error"]["fields"]) == {"held.0", "held.1"}
