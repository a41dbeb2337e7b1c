"""Who may call what: strangers, outsiders, members by role, and nobody else's things."""

from __future__ import annotations

import pytest

from annotator.core.permissions import GRANTS
from annotator.models import Annotation, Event, Role
from tests.api.calls import OUTSIDE, Scene, calls, names_of_addresses
from tests.clients import client_of
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db


def test_every_address_is_called_in_these_tests() -> None:
    assert {call.name for call in calls(Scene())} | OUTSIDE == names_of_addresses()


def test_strangers_get_401_and_outsiders_404_everywhere() -> None:
    scene = Scene()
    outsider = client_of(make_member(make_project(), Role.MANAGER))
    for call in calls(scene):
        stranger = call.send(client_of(), scene.project.slug)
        assert (stranger.status_code, stranger.json()["error"]["code"]) == (401, "not_authenticated"), call
        answer = call.send(outsider, scene.project.slug)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found"), call
        missing = call.send(outsider, "no-such-project")
        assert missing.json() == answer.json(), call
    assert not Event.objects.exists()


@pytest.mark.parametrize("role", Role.values)
def test_members_may_what_their_role_grants(role: str) -> None:
    scene = Scene(role=role)
    client = client_of(scene.user)
    for call in calls(scene):
        status = call.send(client, scene.project.slug).status_code
        assert (status == 403) == (call.needs not in GRANTS[role]), (call, status)


def test_things_of_another_project_or_person_are_not_there() -> None:
    scene, elsewhere = Scene(), Scene()
    client = client_of(scene.user)
    for call in calls(elsewhere):
        # Layers, tables, languages and pictures are named alike everywhere.
        if call.path and not call.path.keys() & {"layer", "kind", "language", "picture"}:
            assert call.send(client, scene.project.slug).status_code == 404, call
    colleague = client_of(make_member(scene.project, Role.MANAGER))
    for call in calls(scene):
        if call.name in ("assignment", "save", "undo"):
            assert call.send(colleague, scene.project.slug).status_code == 404, call
    assert not Annotation.objects.exists()


def test_numbers_beyond_the_database_are_not_there() -> None:
    scene = Scene()
    client = client_of(scene.user)
    huge = 10**30
    slug = scene.project.slug
    assert client.get(f"/api/v1/projects/{slug}/assignments/{huge}/").status_code == 404
    answer = client.post(f"/api/v1/projects/{slug}/stages/{scene.stage.pk}/claim/", {"held": [huge]})
    assert answer.status_code == 400
    assert "held.0" in answer.json()["error"]["fields"]


def test_project_list_has_own_projects_only() -> None:
    scene = Scene()
    make_project()
    listed = client_of(scene.user).get("/api/v1/projects/").json()
    assert (listed["next"], [row["slug"] for row in listed["results"]]) == (None, [scene.project.slug])
    assert client_of(make_user()).get("/api/v1/projects/").json()["results"] == []
    assert client_of().get("/api/v1/projects/").status_code == 401
