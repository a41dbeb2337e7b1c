"""Pairs by their tag, and second looks at them, by calls."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Annotation, Assignment, Event, Gold, Mode, Pair, Project, Role, Stage, User
from tests.clients import client_of
from tests.factories import choice, make_assignment, make_member, make_pair, make_project, make_sentence, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db
AT = "/api/v1/projects/letters/pairs/"


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "pair-tag")


@pytest.fixture
def pair(project: Project, stage: Stage) -> Pair:
    made = make_pair(project)
    save(make_assignment(made, make_member(project, username="ana"), stage), choice("relevant"))
    return made


def asked(stage: Stage, **more: Any) -> dict[str, Any]:
    return {"stage": stage.pk, "tag": "relevant", "user": "ana", **more}


def test_a_second_look_is_counted_given_and_undone(project: Project, mara: User, stage: Stage, pair: Pair) -> None:
    client = client_of(mara)
    found = client.get(AT, asked(stage)).json()
    assert (found["total"], found["pairs"][0]["id"], found["pairs"][0]["people"]) == (1, pair.pair_id, ["ana"])
    assert (found["look"]["own"], found["look"]["given"], found["look"]["gold"]) == (1, 0, 0)
    assert client.get(AT, {"stage": stage.pk, "tag": "relevant"}).json()["look"] is None

    given = client.post(f"{AT}give/", asked(stage)).json()
    assert Assignment.objects.get().state == "open"
    assert client.post(f"{AT}acts/{given['key']}/undo/").json() == {"restored": 1, "kept": 0}
    assert Assignment.objects.get().state == "done"
    assert Annotation.objects.get().content == choice("relevant")
    assert client.post(f"{AT}acts/{given['key']}/undo/").status_code == 400


def test_what_cannot_be_changes_nothing(project: Project, mara: User, stage: Stage, pair: Pair) -> None:
    client = client_of(mara)
    events = Event.objects.count()
    correcting = stage_of(project, "correct")
    for wrong in ({"tag": "none"}, {"user": "zoe"}, {"stage": correcting.pk}, {"whose": "mine"}):
        assert client.post(f"{AT}give/", asked(stage) | wrong).status_code == 400
        assert client.get(AT, asked(stage) | wrong).status_code == 400
    ana = client_of(User.objects.get(username="ana"))
    assert ana.get(AT, asked(stage)).status_code == 403
    assert ana.post(f"{AT}give/", asked(stage)).status_code == 403
    assert (Event.objects.count(), Gold.objects.count()) == (events, 0)


def test_who_works_blind_is_told_of_no_pairs(project: Project, mara: User, stage: Stage, pair: Pair) -> None:
    make_assignment(make_sentence(project), mara, stage_of(project, "correct"), mode=Mode.BLIND)
    found = client_of(mara).get(AT, asked(stage)).json()
    assert (found["total"], found["pairs"], found["look"]["own"]) == (0, [], 0)
