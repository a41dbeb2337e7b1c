"""A person's own keys of the workspaces: theirs alone, each with one meaning."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client

from annotator.models import Event, User
from tests.clients import client_of
from tests.factories import make_member, make_project, make_user, stage_of

pytestmark = pytest.mark.django_db

URL = "/api/v1/keys/"
CHANGED = {"toggle": "e", "doubt": ""}


def kept(user: User) -> Any:
    user.refresh_from_db()
    return user.own_keys


def test_they_come_with_the_person_to_every_workspace(client: Client) -> None:
    project = make_project()
    ana, ben = make_member(project), make_member(project)
    answer = client_of(ana).put(URL, {"changed": CHANGED, "singles": False})
    assert (answer.status_code, answer.json()) == (200, {"changed": CHANGED, "singles": False})
    assert kept(ben) == {}
    [event] = Event.objects.filter(verb="user.change")
    assert (event.actor, event.after) == (ana, {"changed": ["keys"]})

    for user, shown in ((ana, {"changed": CHANGED, "singles": False}), (ben, {"changed": {}, "singles": True})):
        client.force_login(user)
        page = client.get(f"/projects/{project.slug}/stages/{stage_of(project, 'correct').pk}/work/").text
        found = re.search(r'<script id="ws-config" type="application/json">(.*?)</script>', page)
        assert found is not None
        assert json.loads(found[1])["keys"] == shown


def test_the_same_again_is_no_event() -> None:
    ana = make_user()
    for _ in range(2):
        client_of(ana).put(URL, {"changed": CHANGED, "singles": True})
    assert Event.objects.filter(verb="user.change").count() == 1


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"toggle": "e", "doubt": "e"}, "used twice"),
        ({"<b>": "e"}, "not keys of a workspace"),
        ({"toggle": "e" * 31}, "changed"),
        ({f"command{chr(97 + n // 26)}{chr(97 + n % 26)}": "" for n in range(101)}, "not keys of a workspace"),
        ({"toggle": {}}, "changed"),
        ("e", "changed"),
    ],
)
def test_what_cannot_be_a_persons_keys_is_refused(changed: Any, says: str) -> None:
    ana = make_user()
    answer = client_of(ana).put(URL, {"changed": changed, "singles": True})
    assert answer.status_code == 400
    assert says in json.dumps(answer.json()["error"])
    assert kept(ana) == {}


def test_nobody_has_none() -> None:
    assert Client().put(URL, {"changed": {}, "singles": True}, content_type="application/json").status_code == 401
