"""Training by calls: asked for, done and finished, people let in and out; and blind samples and tags carried over."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Assignment, Event, Mode, Project, Role, Stage, Suggestion, Training, User
from tests.clients import client_of
from tests.factories import make_gold, make_member, make_pair, make_project, make_sentence, make_tag, span, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def stage(project: Project) -> Stage:
    for number in range(6):
        make_gold(make_sentence(project), [span(number % 3)] if number % 2 else [])
    make_sentence(project)
    return stage_of(project, "correct")


def at(stage: Stage, path: str = "training/") -> str:
    return f"/api/v1/projects/letters/stages/{stage.pk}/{path}"


def test_settings_are_replaced_over_those_that_were_seen(stage: Stage, mara: User) -> None:
    client = client_of(mara)
    seen = client.get(at(stage, "training/settings/"))
    assert seen.json() == {"count": 0, "labelled": 50, "seed": 1, "threshold": None, "again": 0}
    wanted = {"count": 2, "labelled": 50, "seed": 3, "threshold": 0.5}
    match = {"If-Match": seen.headers["ETag"]}
    sent = wanted | {"again": 7}
    assert client.put(at(stage, "training/settings/"), sent, headers=match).json() == wanted | {"again": 7}
    assert client.put(at(stage, "training/settings/"), {"count": 9}, headers=match).status_code == 412
    stage.refresh_from_db()
    assert (stage.training, stage.again) == (wanted, 7)
    assert client.put(at(stage, "training/settings/"), {"count": 0}).json()["count"] == 0
    stage.refresh_from_db()
    assert stage.training == {}


def test_a_batch_is_started_answered_finished_and_compared(stage: Stage, mara: User, ana: User) -> None:
    client_of(mara).put(at(stage, "training/settings/"), {"count": 2, "threshold": 0.9})
    client = client_of(ana)
    assert client.get(at(stage)).json() == {"needs_training": True, "batch": None, "items": []}
    assert client.post(at(stage, "training/finish/")).status_code == 400
    begun = client.post(at(stage)).json()
    assert (begun["batch"]["done"], begun["batch"]["total"], begun["items"]) == (0, 2, [])
    assert client.post(at(stage)).json() == begun
    assert client.post(at(stage, "training/finish/")).status_code == 400

    golds = [one["gold"] for one in Training.objects.get().items]
    below = f"/api/v1/projects/letters/training/{begun['batch']['id']}/assignments/"
    for place, gold in enumerate(golds, 1):
        client.post(f"{below}{place}/save/", {"version": 0, "content": gold, "done": True})
    done = client.post(at(stage, "training/finish/")).json()
    assert (done["needs_training"], done["batch"]["score"], done["batch"]["let_in"]) == (False, 1.0, True)
    assert [(one["gold"], one["answer"], one["same"], one["tokens"]) for one in done["items"]] == [
        (gold, gold, True, []) for gold in golds
    ]
    # It is of nobody else.
    assert client_of(mara).get(at(stage)).json()["batch"] is None


def test_managers_let_people_in_and_out(stage: Stage, mara: User, ana: User) -> None:
    client = client_of(mara)
    assert client.get(at(stage, "training/people/")).json() == {"people": []}
    client.put(at(stage, "training/settings/"), {"count": 2})

    def people() -> dict[str, bool]:
        return {row["user"]: row["let_in"] for row in client.get(at(stage, "training/people/")).json()["people"]}

    assert people() == {"ana": False, "mara": False}
    for is_in in (True, False):
        assert client.post(at(stage, "training/people/"), {"user": "ana", "let_in": is_in}).status_code == 200
        assert people() == {"ana": is_in, "mara": False}
    events = Event.objects.count()
    assert client.post(at(stage, "training/people/"), {"user": "nobody", "let_in": True}).status_code == 400
    assert client_of(ana).post(at(stage, "training/people/"), {"user": "ana", "let_in": True}).status_code == 403
    assert Event.objects.count() == events


def test_a_blind_sample_is_counted_before_it_is_drawn(project: Project, mara: User, ana: User) -> None:
    for _number in range(4):
        make_sentence(project)
    stage = stage_of(project, "correct")
    client = client_of(mara)
    wanted: dict[str, Any] = {"users": ["ana", "mara"], "count": 3, "seed": 5}
    counted = client.post(at(stage, "blind/"), {**wanted, "dry_run": True}).json()
    assert counted["people"] == []
    assert (counted["pool"]["total"], counted["pool"]["free"]) == (4, 4)
    assert not Assignment.objects.exists()

    drawn = client.post(at(stage, "blind/"), wanted).json()
    assert [(row["user"], row["sentences"]) for row in drawn["people"]] == [("ana", 3), ("mara", 3)]
    assert drawn["pool"] is None
    blind = Assignment.objects.filter(mode=Mode.BLIND)
    assert set(blind.filter(user=ana).values_list("unit", flat=True)) == set(
        blind.filter(user=mara).values_list("unit", flat=True)
    )


def test_what_is_not_compared_has_no_blind_sample(project: Project, mara: User, ana: User) -> None:
    make_pair(project)
    client = client_of(mara)
    events = Event.objects.count()
    tagging = stage_of(project, "pair-tag")
    for dry_run in (True, False):
        body = {"users": ["ana"], "count": 1, "dry_run": dry_run}
        assert client.post(at(tagging, "blind/"), body).status_code == 400
    assert client.post(at(stage_of(project, "correct"), "blind/"), {"users": ["zoe"], "count": 1}).status_code == 400
    assert not Assignment.objects.exists()
    assert Event.objects.count() == events


def test_tags_are_carried_over(project: Project, mara: User) -> None:
    pair = make_pair(project)
    make_sentence(project, "Time flies", language="en", segment=pair.premise)
    make_tag(pair, "relevant")
    client = client_of(mara)
    address = "/api/v1/projects/letters/tags/transfer/"
    done = client.post(address, {"source": "es", "target": "en"}).json()
    assert sum(done.values()) == 1
    assert done["created"] == Suggestion.objects.filter(kind="transfer").count()
    assert client.post(address, {"source": "es", "target": "es"}).status_code == 400
    assert client.post(address, {"source": "es", "target": "fr"}).status_code == 400
