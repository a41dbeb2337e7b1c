"""Sentences by calls: searched, shown, downloaded, changed many at a time; and files of comparisons and studies."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Annotation, Assignment, Event, Mode, Project, Role, Unit, User
from tests.clients import client_of
from tests.comparisons.making import stored_comparison
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    make_study,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db
AT = "/api/v1/projects/letters/sentences/"


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def five(project: Project) -> list[Unit]:
    return [make_sentence(project, f"El tiempo vuela {word}") for word in ("hoy", "ayer", "siempre", "nunca", "ya")]


def get(user: User, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = client_of(user).get(f"{AT}{query}").json()
    return found


def test_pages_follow_each_other_whatever_is_added(project: Project, ana: User, five: list[Unit]) -> None:
    client = client_of(ana)
    seen: list[int] = []
    address: str | None = f"{AT}?page_size=2&q=vuela"
    while address:
        page = client.get(address).json()
        seen += [row["unit"] for row in page["results"]]
        assert len(page["results"]) <= 2
        address = page["next"]
        if len(seen) == 2:
            assert (page["total"], page["results"][0]["hits"]) == (5, [2])
    assert seen == [unit.pk for unit in five]
    assert [row["unit"] for row in get(ana)["results"]] == seen
    assert get(ana, "?q=vuela+caballo")["unknown"] == ["caballo"]
    assert client.get(f"{AT}?page_size=201").status_code == 400


def test_the_list_and_its_file_are_those_of_the_page(ana: User, five: list[Unit]) -> None:
    make_gold(five[0], [span(2)])
    [row] = get(ana, "?label=METAPHOR")["results"]
    assert (row["unit"], row["labels_from"], row["state"]) == (five[0].pk, "gold", "gold")
    assert row["content"]["spans"][0]["tokens"] == [2]
    page = Client()
    page.force_login(ana)
    for query in ("", "?label=METAPHOR", "?q=ayer"):
        mine = client_of(ana).get(f"{AT}file/{query}")
        theirs = page.get(reverse("find-csv", args=["letters"]) + query)
        assert b"".join(mine.streaming_content) == b"".join(theirs.streaming_content)
    assert client_of(ana).get(f"{AT}file/?file_format=pdf").status_code == 400


def test_who_works_blind_sees_their_own_answers_alone(project: Project, ana: User, five: list[Unit]) -> None:
    ben = make_member(project, Role.ADJUDICATOR, username="ben")
    make_annotation(five[0], ana, [span(1)])
    make_gold(five[1], [span(2)])
    assert [row["unit"] for row in get(ben, "?marked=labelled")["results"]] == [five[0].pk, five[1].pk]
    theirs = client_of(ben).get(f"{AT}{five[0].segment_id}/").json()
    assert theirs["texts"][0]["layers"][0]["readings"][0]["answers"][0]["user"] == "ana"

    make_assignment(five[0], ben, stage_of(project, "correct"), mode=Mode.BLIND)
    assert get(ben, "?person=" + str(ana.pk))["results"] == get(ben)["results"]
    assert all(row["content"] is None for row in get(ben)["results"])
    hidden = client_of(ben).get(f"{AT}{five[0].segment_id}/").json()
    assert hidden["texts"][0]["layers"] == []
    assert "ana" not in str(hidden)


def test_a_sentence_has_its_revisions_and_neighbours(project: Project, ana: User, five: list[Unit]) -> None:
    mara = make_member(project, Role.MANAGER, username="mara")
    client_of(mara).post(f"/api/v1/projects/letters/units/{five[1].pk}/text/", {"text": "El tiempo corre"})
    found = client_of(ana).get(f"{AT}{five[1].segment_id}/").json()
    assert [text["text"] for text in found["texts"]] == ["El tiempo corre"]
    assert [(row["revision"], row["is_current"], row["author"]) for row in found["revisions"]] == [
        (2, True, "mara"), (1, False, None),
    ]  # fmt: skip
    assert (found["previous"], found["next"]) == (five[0].segment_id, five[2].segment_id)
    assert client_of(ana).get(f"{AT}999999/").status_code == 404


def test_words_of_many_sentences_are_labelled_and_that_is_undone(project: Project, ana: User, five: list[Unit]) -> None:
    client = client_of(ana)
    chosen = [
        {"unit": row["unit"], "tokens": row["hits"], "seen": row["seen"]} for row in get(ana, "?q=vuela")["results"]
    ]
    done = client.post(f"{AT}label/", {"rows": chosen[:2], "label": "METAPHOR"}).json()
    assert (done["saved"], done["claimed"], done["refused"], done["undone"]) == (2, 2, [], None)
    assert Annotation.objects.filter(user=ana).count() == 2
    late = client.post(f"{AT}label/", {"rows": chosen[:1], "label": "METAPHOR"}).json()
    assert (late["saved"], [row["reason"] for row in late["refused"]]) == (0, ["changed"])

    undone = client.post(f"{AT}acts/{done['key']}/undo/").json()["undone"]
    assert undone["restored"] + undone["returned"] >= 2
    assert client.post(f"{AT}acts/{done['key']}/undo/").status_code == 400
    ben = make_member(project)
    assert client_of(ben).post(f"{AT}acts/{done['key']}/undo/").status_code == 404
    assert client.post(f"{AT}label/", {"rows": chosen[:1], "label": "NONE"}).status_code == 400


def test_chosen_sentences_are_assigned(project: Project, ana: User, five: list[Unit]) -> None:
    mara = make_member(project, Role.MANAGER, username="mara")
    stage = stage_of(project, "correct")
    body = {"rows": [{"unit": five[0].pk, "seen": "free"}], "stage": stage.pk, "user": "ana"}
    assert client_of(mara).post(f"{AT}assign/", body).json()["assigned"] == 1
    assert Assignment.objects.get().user == ana
    events = Event.objects.count()
    for wrong in ({"user": "zoe"}, {"stage": stage.pk + 1000}):
        assert client_of(mara).post(f"{AT}assign/", {**body, **wrong}).status_code == 400
    assert Event.objects.count() == events


def test_the_list_costs_the_same_however_long_it_is(project: Project, ana: User) -> None:
    def cost(query: str) -> int:
        cache.clear()
        with CaptureQueriesContext(connection) as asked:
            get(ana, query)
        return len(asked)

    def fill(number: int) -> None:
        for _time in range(number):
            make_annotation(make_sentence(project, "El tiempo vuela"), ana, [span(2)])
            make_sentence(project, "El tiempo vuela")

    fill(2)
    # What is looked up once is known by now.
    get(ana)
    queries = ("", "?q=vuela", "?marked=labelled", "?state=free")
    few = [cost(query) for query in queries]
    fill(20)
    assert [cost(query) for query in queries] == few


def test_a_comparison_is_the_file_of_the_page(project: Project) -> None:
    ben = make_member(project, Role.ADJUDICATOR)
    found = stored_comparison(project)
    page = Client()
    page.force_login(ben)
    at = f"/api/v1/projects/letters/comparisons/{found.pk}/file/"
    for ending in ("csv", "json"):
        for query in ("", "&state=none"):
            mine = client_of(ben).get(f"{at}?file_format={ending}{query}")
            theirs = page.get(reverse(f"comparison-{ending}", args=["letters", found.pk]) + f"?{query}")
            assert mine.headers["Content-Type"] == theirs.headers["Content-Type"]
            assert b"".join(mine.streaming_content) == b"".join(theirs.streaming_content)
    assert client_of(ben).get(f"{at}?file_format=xlsx").status_code == 200
    assert client_of(ben).get(f"{at}?file_format=pdf").status_code == 400
    make_assignment(make_sentence(project), ben, stage_of(project, "correct"), mode=Mode.BLIND)
    assert client_of(ben).get(at).status_code == 403


def test_gold_that_nobody_adjudicated_is_opened(project: Project, ana: User, five: list[Unit]) -> None:
    ben = client_of(make_member(project, Role.ADJUDICATOR))
    make_gold(five[0], [span(2)])
    at = "/api/v1/projects/letters/"
    opened = ben.post(f"{at}units/{five[0].pk}/gold/open/", {"layer": "labels"}).json()
    found = ben.get(f"{at}stages/{opened['stage']}/adjudicate/?item={opened['item']}").json()
    assert len(found["items"]) == 1
    assert ben.post(f"{at}units/{five[1].pk}/gold/open/", {"layer": "labels"}).status_code == 400
    assert client_of(ana).post(f"{at}units/{five[0].pk}/gold/open/", {"layer": "labels"}).status_code == 403


def test_a_study_is_the_file_of_the_page(project: Project, ana: User) -> None:
    ben = make_member(project, Role.ADJUDICATOR)
    study = make_study(project, [ana, ben])
    page = Client()
    page.force_login(ben)
    mine = client_of(ben).get(f"/api/v1/projects/letters/agreement/studies/{study.pk}/file/")
    theirs = page.get(reverse("study-csv", args=["letters", study.pk]))
    assert mine.content == theirs.content != b""
    for header in ("Content-Type", "Content-Disposition"):
        assert mine.headers[header] == theirs.headers[header]
