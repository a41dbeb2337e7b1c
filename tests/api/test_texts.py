"""The call that fixes a sentence's text: who may, what comes back, what a second one is told, and what blind hides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.models import Assignment, Mode, Project, Role, Stage, Unit
from tests.api.test_work import Caller
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_prediction,
    make_project,
    make_sentence,
    span,
    spans,
    stage_of,
)

pytestmark = pytest.mark.django_db

TEXT = "Las promesas ardian en la noche"
FIXED = "Las promesas ardían en la noche"


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "correct")


@pytest.fixture
def sentence(project: Project) -> Unit:
    return make_sentence(project, TEXT)


def path_of(sentence: Unit) -> str:
    return f"units/{sentence.pk}/text/"


def test_an_annotator_fixes_the_text_that_they_work_on(project: Project, stage: Stage, sentence: Unit) -> None:
    ana = Caller(project, make_member(project))
    [item] = ana.post(f"stages/{stage.pk}/claim/")["items"]
    assert item["revised"] is None
    body = {"version": 0, "content": spans(span(1), span(2)), "done": True}
    ana.post(f"assignments/{item['id']}/save/", body)

    answer = ana.post(path_of(sentence), {"text": FIXED, "stage": stage.pk})

    assert (answer["unit"]["uid"], answer["unit"]["revision"]) == (sentence.segment.uid, 2)
    assert isinstance(answer["job"], int)
    new = answer["item"]
    assert new["id"] != item["id"]
    assert (new["state"], new["unit"]["tokens"]) == ("open", FIXED.split())
    assert [one["tokens"] for one in new["annotation"]["content"]["spans"]] == [[1]]
    assert (new["annotation"]["version"], new["annotation"]["state"]) == (2, "open")
    assert new["revised"] == {"before": TEXT, "again": True, "changed": [2], "lost": ["ardian (METAPHOR)"]}
    # The old item cannot be saved any more, and the new one can.
    refused = ana.post(f"assignments/{item['id']}/save/", {**body, "version": 1}, status=400)
    assert "text has changed" in refused["error"]["message"]
    done = {"version": 2, "content": spans(span(1)), "done": True}
    assert ana.post(f"assignments/{new['id']}/save/", done)["state"] == "done"
    again = ana.get(f"assignments/{new['id']}/")
    assert again["revised"] == {"before": TEXT, "again": False, "changed": [], "lost": []}


def test_two_at_once_get_a_conflict_with_both(project: Project, stage: Stage, sentence: Unit) -> None:
    ana, judge = make_member(project), make_member(project, Role.ADJUDICATOR)
    make_assignment(sentence, ana, stage)
    new = Caller(project, judge).post(path_of(sentence), {"text": FIXED})
    assert new["item"] is None
    error = Caller(project, ana).post(path_of(sentence), {"text": "Las promesas arden"}, status=409)["error"]
    assert error["code"] == "conflict"
    assert error["theirs"] == {"unit": new["unit"]["id"], "revision": 2, "text": FIXED}
    assert error["mine"]["text"] == "Las promesas arden"
    # Theirs is taken by sending it, mine by sending it over theirs.
    theirs = Caller(project, ana).post(path_of(sentence), {"text": FIXED, "stage": stage.pk})
    assert (theirs["item"]["unit"]["revision"], theirs["job"]) == (2, None)
    mine = Caller(project, ana).post(f"units/{new['unit']['id']}/text/", {"text": "Las promesas arden"})
    assert mine["unit"]["revision"] == 3


@pytest.mark.parametrize(
    "body", [{}, {"text": None}, {"text": []}, {"text": "a\x00b"}, {"text": "\ud800"}, {"text": "a" * 20_001}]
)
def test_what_is_no_text_is_refused_by_field(project: Project, stage: Stage, sentence: Unit, body: Any) -> None:
    ana = make_member(project)
    make_assignment(sentence, ana, stage)
    answer = client_of(ana).post(
        f"/api/v1/projects/{project.slug}/{path_of(sentence)}", json.dumps(body), content_type="application/json"
    )
    assert answer.status_code == 400
    assert Unit.objects.filter(segment=sentence.segment).count() == 1


def test_blind_the_text_stays_and_the_new_one_tells_nothing_of_others(
    project: Project, stage: Stage, sentence: Unit
) -> None:
    ana, eva = make_member(project), make_member(project)
    make_prediction(sentence, [span(1)], [0.1, 0.9, 0.1, 0.1, 0.1, 0.1])
    row = make_assignment(sentence, ana, stage, mode=Mode.BLIND)
    make_annotation(sentence, eva, [span(4)], comment="secreto")
    refused = Caller(project, ana).post(path_of(sentence), {"text": FIXED}, status=400)["error"]
    assert "blind" in refused["message"]
    make_annotation(sentence, ana, [span(2)], mode=Mode.BLIND, state="open")
    manager = Caller(project, make_member(project, Role.MANAGER))
    manager.post(path_of(sentence), {"text": FIXED})
    new = Assignment.objects.get(user=ana, state="open")
    assert new.pk != row.pk
    item = Caller(project, ana).get(f"assignments/{new.pk}/")
    assert (item["mode"], item["suggestion"], item["annotation"]["content"]) == ("blind", None, spans())
    assert item["revised"] == {"before": TEXT, "again": True, "changed": [2], "lost": ["ardian (METAPHOR)"]}
    assert "secreto" not in json.dumps(item)
