"""Creating, changing, archiving and deleting projects by the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.models import Annotation, Event, Job, JobKind, Project, Role
from tests.clients import client_of
from tests.factories import make_annotation, make_member, make_project, make_sentence, make_user, span, stage_of

pytestmark = pytest.mark.django_db


def test_a_project_is_created_in_any_languages() -> None:
    ana = make_user()
    sent = {"name": "Metàfora", "languages": ["Catalan", "es"], "start": "parallel", "labels": ["IRONY"]}

    answer = client_of(ana).post("/api/v1/projects/", sent)

    assert answer.status_code == 200, answer.content
    shown = answer.json()
    assert (shown["slug"], shown["languages"], shown["role"]) == ("metafora", ["ca", "es"], "manager")
    assert shown["layers"][0]["scheme"]["labels"] == ["IRONY"]
    assert [stage["kind"] for stage in shown["stages"]][:3] == ["correct", "project-review", "correct"]


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"languages": ["Nolanguage"]}, "Unknown language"),
        ({"languages": ["es", "es"]}, "once"),
        ({"languages": []}, "languages"),
        ({"labels": ["O"]}, "must not be O"),
        ({"slug": "taken"}, "already"),
    ],
)
def test_what_cannot_be_is_refused(sent: dict[str, Any], says: str) -> None:
    make_project("taken")
    answer = client_of(make_user()).post("/api/v1/projects/", {"name": "New", "languages": ["es"], **sent})
    assert answer.status_code == 400
    assert says in answer.json()["error"]["message"]
    assert Project.objects.count() == 1


def test_where_people_are_chosen_others_create_and_copy_none(settings: Any) -> None:
    settings.PROJECT_CREATORS = "chosen"
    project = make_project()
    client = client_of(make_member(project, Role.MANAGER))
    assert client.post("/api/v1/projects/", {"name": "New", "languages": ["es"]}).status_code == 403
    assert client.post(f"/api/v1/projects/{project.slug}/copy/", {"name": "New"}).status_code == 403
    assert Project.objects.count() == 1


def test_labels_are_shown_in_numbers_and_then_changed() -> None:
    project = make_project()
    make_annotation(make_sentence(project), make_member(project), [span(0)])
    client = client_of(make_member(project, Role.MANAGER))
    url = f"/api/v1/projects/{project.slug}/layers/labels/labels/"
    sent = {"version": 1, "labels": [{"old": "METAPHOR", "code": "MRW"}]}

    preview = client.post(url, sent).json()
    assert (preview["applied"], preview["annotations"]) == (False, {"METAPHOR": 1})
    assert Annotation.objects.get().content["spans"][0]["label"] == "METAPHOR"

    assert client.post(url, sent | {"apply": True}).json()["version"] == 2
    assert Annotation.objects.get().content["spans"][0]["label"] == "MRW"
    stale = {"version": 1, "labels": [{"old": "MRW", "code": "X"}], "apply": True}
    assert client.post(url, stale).status_code == 409


def test_attributes_and_rules_are_shown_in_numbers_and_then_changed() -> None:
    project = make_project()
    make_annotation(make_sentence(project), make_member(project), [span(0, 2)])
    client = client_of(make_member(project, Role.MANAGER))
    url = f"/api/v1/projects/{project.slug}/layers/labels/"
    rows = [{"code": "sure", "values": [{"value": "yes"}, {"value": "no"}], "obligatory": True}]
    preview = client.post(f"{url}attributes/", {"version": 1, "attributes": rows}).json()
    assert (preview["applied"], preview["lacking"], preview["answers_changed"]) == (False, 1, 0)
    assert client.post(f"{url}attributes/", {"version": 1, "attributes": rows, "apply": True}).json()["version"] == 2
    rules = {"version": 2, "discontinuous": False, "overlaps": True, "several": False}
    assert client.post(f"{url}rules/", rules).json()["units"] == 1
    assert client.post(f"{url}rules/", rules | {"apply": True}).json()["applied"]
    assert Annotation.objects.get().content["spans"] == [span(0), span(2)]
    [layer] = [
        one for one in client.get(f"/api/v1/projects/{project.slug}/").json()["layers"] if one["slug"] == "labels"
    ]
    assert layer["version"] == 3
    assert (layer["scheme"]["overlaps"], layer["scheme"]["attributes"]["sure"]["obligatory"]) == (True, True)
    assert client.post(f"{url}attributes/", {"version": 3, "attributes": []}).status_code == 400


def test_languages_stages_and_layers_are_added_and_taken_away() -> None:
    project = make_project()
    make_sentence(project)
    client = client_of(make_member(project, Role.MANAGER))
    base = f"/api/v1/projects/{project.slug}/"
    there = {stage["id"] for stage in client.get(base).json()["stages"]}

    added = client.post(f"{base}languages/", {"language": "euskara"}).json()
    assert added["languages"] == ["es", "en", "eu"]
    assert {stage["language"] for stage in added["stages"] if stage["id"] not in there} == {"eu"}
    rows = client.get(f"{base}languages/").json()["languages"]
    assert [(row["tag"], row["sentences"]) for row in rows] == [("es", 1), ("en", 0), ("eu", 0)]
    assert client.delete(f"{base}languages/es/").status_code == 400
    assert client.delete(f"{base}languages/eu/").json()["languages"] == ["es", "en"]

    assert client.post(f"{base}layers/", {"slug": "domains", "labels": ["BODY"]}).json()["layers"][-1]["version"] == 1
    assert client.post(f"{base}layers/", {"slug": "domains", "labels": ["BODY"]}).status_code == 400
    sent = {"kind": "correct", "language": "es", "layer": "domains", "answers_wanted": 2}
    stage = client.post(f"{base}stages/", sent).json()["stages"][-1]
    assert (stage["layer"], stage["progress"]["total"]) == ("domains", 1)
    assert client.post(f"{base}stages/", sent | {"kind": "juggle"}).status_code == 400
    order = [stage["id"], *sorted(there)]
    assert client.post(f"{base}stages/order/", {"stages": order}).json()["stages"][0]["id"] == stage["id"]
    assert client.get(f"{base}stages/{stage['id']}/").json() == {"items": 1, "open": 0, "answers": 0, "decisions": 0}
    assert client.delete(f"{base}stages/{stage['id']}/").json()["stages"][0]["id"] != stage["id"]
    assert client.get(f"{base}stages/{stage['id']}/").status_code == 404


def test_an_archived_project_is_read_and_refuses_every_write() -> None:
    project = make_project()
    make_sentence(project)
    client = client_of(make_member(project, Role.MANAGER))
    base = f"/api/v1/projects/{project.slug}/"
    assert client.post(f"{base}archive/").json()["archived"]
    events = Event.objects.count()

    claim = client.post(f"{base}stages/{stage_of(project, 'correct').pk}/claim/", {"count": 1})
    changed = client.post(f"{base}settings/", {"name": "Other"})

    for answer in (claim, changed):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "archived")
    assert client.get(base).status_code == 200
    assert Event.objects.count() == events
    assert not client.post(f"{base}restore/").json()["archived"]
    assert client.post(f"{base}settings/", {"name": "Other"}).json()["name"] == "Other"


def test_a_deleted_project_is_gone_at_once() -> None:
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))
    assert client.post("/api/v1/projects/letters/delete/", {"name": "wrong"}).status_code == 400
    assert client.post("/api/v1/projects/letters/delete/", {"name": "letters"}).json() == {"slug": "letters"}
    assert client.get("/api/v1/projects/letters/").status_code == 404
    assert Job.objects.get().kind == JobKind.DELETE
    deleting = Project.objects.get().deleting_at
    assert deleting is not None and deleting <= timezone.now()


def test_the_dataset_card_is_replaced_over_the_one_that_was_seen() -> None:
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))
    address = "/api/v1/projects/letters/settings/card/"
    seen = client.get(address)
    assert seen.json()["names"] is False
    assert set(seen.json()["answers"].values()) == {""}
    match = {"If-Match": seen.headers["ETag"]}
    saved = client.put(address, {"answers": {"title": "Letters", "pay": "None"}, "names": True}, headers=match).json()
    assert (saved["answers"]["title"], saved["names"]) == ("Letters", True)
    assert client.put(address, {"answers": {}}, headers=match).status_code == 412
    for wrong in ({"no_such": "x"}, {"doi": "no DOI"}, {"title": "x" * 100_000}):
        assert client.put(address, {"answers": wrong}).status_code == 400
    project.refresh_from_db()
    assert project.dataset_card == {"title": "Letters", "pay": "None", "names": True}
    assert client_of(make_member(project)).get(address).status_code == 403
