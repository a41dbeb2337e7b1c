"""The calls of the workspaces and of adjudication, from claim to gold."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.states import AssignmentState
from annotator.models import Annotation, Assignment, Event, Gold, Mode, Project, Role, Stage, User
from annotator.projects.actions.project_settings import add_layer
from tests.api.calls import sentence_of
from tests.clients import client_of
from tests.deciding import taking
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_sentence,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


class Caller:
    """A signed-in person in a project."""

    def __init__(self, project: Project, user: User) -> None:
        self.base = f"/api/v1/projects/{project.slug}/"
        self.client = client_of(user)

    def get(self, path: str = "", status: int = 200) -> Any:
        answer = self.client.get(self.base + path)
        assert answer.status_code == status, answer.content
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.client.post(self.base + path, body)
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project, username="ana")


@pytest.fixture
def call(project: Project, ana: User) -> Caller:
    return Caller(project, ana)


def test_project_tells_role_layers_stages_and_progress(project: Project, call: Caller) -> None:
    make_sentence(project)
    told = call.get()
    assert (told["slug"], told["languages"], told["role"]) == (project.slug, ["es", "en"], "annotator")
    assert [(row["slug"], row["content_type"]) for row in told["layers"]] == [
        ("labels", "spans"),
        ("interpretation", "choice"),
    ]
    assert told["layers"][0]["scheme"]["labels"] == ["METAPHOR"]
    first = told["stages"][0]
    assert (first["kind"], first["language"], first["layer"]) == ("correct", "es", "labels")
    assert first["progress"] == {"done": 0, "open": 0, "total": 1, "mine": 0, "blind": 0}


def test_claim_answer_save_and_claim_again(project: Project, call: Caller) -> None:
    sentences = [make_sentence(project) for _ in range(3)]
    stage = stage_of(project, "correct")

    claimed = call.post(f"stages/{stage.pk}/claim/", {"count": 2})
    first, second = claimed["items"]
    assert [row["unit"]["id"] for row in claimed["items"]] == [row.pk for row in sentences[:2]]
    assert (first["annotation"]["version"], first["annotation"]["state"]) == (0, "unseen")
    assert claimed["progress"] == {"done": 0, "open": 0, "total": 3, "mine": 0, "blind": 0}

    saved = call.post(
        f"assignments/{first['id']}/save/",
        {"version": 0, "content": spans(span(2)), "doubt": True, "comment": "so", "done": True, "seconds": 2.5},
    )
    assert set(saved) == {"annotation", "state", "progress"}
    assert (saved["state"], saved["annotation"]["version"]) == ("done", 1)
    assert saved["annotation"]["origins"] == {"kept": [], "added": [span(2)], "removed": []}
    assert saved["annotation"]["can_undo"]
    assert saved["progress"] == {"done": 1, "open": 0, "total": 3, "mine": 1, "blind": 0}

    refilled = call.post(f"stages/{stage.pk}/claim/", {"count": 2, "held": [second["id"]]})
    assert [row["unit"]["id"] for row in refilled["items"]] == [sentences[2].pk]
    stored = Annotation.objects.get(unit=sentences[0])
    assert (stored.content, stored.doubt, stored.comment, stored.state) == (spans(span(2)), True, "so", "done")
    assert stored.seconds == 2.5


def test_a_claim_can_be_narrowed(project: Project, call: Caller) -> None:
    make_sentence(project)
    suggested = make_sentence(project)
    make_prediction(suggested, [span(2)], [0.1, 0.1, 0.9])
    stage = stage_of(project, "correct")
    items = call.post(f"stages/{stage.pk}/claim/", {"count": 5, "only": "suggested"})["items"]
    assert [row["unit"]["id"] for row in items] == [suggested.pk]
    assert items[0]["annotation"]["content"] == spans(span(2))
    assert items[0]["annotation"]["origins"]["kept"] == [span(2)]


def test_looking_claims_and_creates_nothing(project: Project, ana: User, call: Caller) -> None:
    sentence = make_sentence(project)
    make_prediction(sentence, [span(2)], [0.1, 0.1, 0.9])
    assignment = make_assignment(sentence, ana, stage_of(project, "correct"))
    before = (Assignment.objects.values().get(), Event.objects.count())
    item = call.get(f"assignments/{assignment.pk}/")
    assert (item["annotation"]["version"], item["annotation"]["state"]) == (0, "unseen")
    assert (Assignment.objects.values().get(), Event.objects.count()) == before
    assert not Annotation.objects.exists()


def test_undo_over_the_api(project: Project, ana: User, call: Caller) -> None:
    assignment = make_assignment(make_sentence(project), ana, stage_of(project, "correct"))
    call.post(f"assignments/{assignment.pk}/save/", {"version": 0, "content": spans(span(1)), "done": True})
    undone = call.post(f"assignments/{assignment.pk}/undo/", {"version": 1})
    assert (undone["annotation"]["version"], undone["annotation"]["content"], undone["state"]) == (2, spans(), "open")
    assert not undone["annotation"]["can_undo"]
    assert undone["progress"] == {"done": 0, "open": 1, "total": 1, "mine": 0, "blind": 0}
    call.post(f"assignments/{assignment.pk}/undo/", {"version": 2}, status=400)


def test_looking_back_at_decided_work_opens_nothing(project: Project, ana: User, call: Caller) -> None:
    sentence = make_sentence(project)
    stage = stage_of(project, "correct")
    assignment = make_assignment(sentence, ana, stage)
    make_gold(sentence)
    item = call.get(f"assignments/{assignment.pk}/")
    assert (item["gold"], item["annotation"]["version"], item["annotation"]["state"]) == (True, 0, "unseen")
    assert not Annotation.objects.exists()
    save = {"version": 0, "content": spans(), "done": True}
    call.post(f"assignments/{assignment.pk}/save/", save, status=400)


def test_own_items_by_state_and_a_page_at_a_time(project: Project, ana: User, call: Caller) -> None:
    stage = stage_of(project, "correct")
    texts = ["uno", "dos", "tres", "cuatro", "cinco"]
    rows = [make_assignment(make_sentence(project, text), ana, stage, done=text != "dos") for text in texts]
    returned = make_assignment(make_sentence(project, "seis"), ana, stage)
    Assignment.objects.filter(pk=returned.pk).update(state=AssignmentState.RETURNED)
    make_assignment(make_sentence(project, "siete"), make_member(project), stage)

    def told(query: str, status: int = 200) -> tuple[list[str], bool]:
        answer = call.get(f"stages/{stage.pk}/items/{query}", status)
        return ([row["text"] for row in answer["results"]], answer["more"]) if status == 200 else ([], False)

    assert told("") == (texts, False)
    assert told("?state=open") == (["dos"], False)
    assert told("?state=done") == (["uno", "tres", "cuatro", "cinco"], False)
    assert told("?limit=2") == (["uno", "dos"], True)
    assert told(f"?limit=2&after={rows[1].pk}") == (["tres", "cuatro"], True)
    assert told(f"?limit=2&after={rows[2].pk}") == (["cuatro", "cinco"], False)
    assert told(f"?limit=2&before={rows[3].pk}") == (["dos", "tres"], True)
    assert told(f"?limit=2&before={rows[1].pk}&state=done") == (["uno"], False)
    assert told("?limit=2&before=0") == (["cuatro", "cinco"], True)
    told("?state=lost", 400)
    told("?limit=1000", 400)
    told(f"?before={rows[1].pk}&after={rows[1].pk}", 400)
    told("?before=999999", 404)
    judging = stage_of(project, Stage.ADJUDICATE)
    call.get(f"stages/{judging.pk}/items/", 404)


def test_tagging_pairs(project: Project, call: Caller) -> None:
    make_pair(project)
    make_pair(project)
    stage = stage_of(project, "pair-tag")
    item, following = call.post(f"stages/{stage.pk}/claim/", {"count": 5})["items"]
    assert (item["kind"], item["annotation"]["version"]) == ("pair-tag", 0)
    assert item["annotation"]["content"] == choice(None)
    save = f"assignments/{item['id']}/save/"
    saved = call.post(save, {"version": 0, "content": choice("relevant"), "comment": "needed", "done": True})
    told = saved["annotation"]
    assert (told["content"], told["version"], told["comment"], told["can_undo"]) == (
        choice("relevant"),
        1,
        "needed",
        True,
    )
    assert saved["progress"]["done"] == 1
    call.post(save, {"version": 0, "content": choice("discarded"), "done": True}, status=409)
    call.post(save, {"version": 1, "content": choice("perhaps"), "done": True}, status=400)
    call.post(save, {"version": 1, "content": choice(None), "done": True}, status=400)
    undone = call.post(f"assignments/{item['id']}/undo/", {"version": 1})
    assert (undone["annotation"]["content"], undone["annotation"]["version"], undone["state"]) == (
        choice(None),
        2,
        "open",
    )
    assert following["id"] != item["id"]


def test_confirming_in_bulk(project: Project, ana: User, call: Caller) -> None:
    bare, other = make_pair(project), make_pair(project)
    for segment in (bare.premise, bare.hypothesis):
        make_annotation(sentence_of(segment), ana)
    stage = stage_of(project, "pair-tag")
    proposed = call.get(f"stages/{stage.pk}/no-metaphor/")
    assert ([row["id"] for row in proposed["pairs"]], proposed["next"]) == ([bare.pk], None)
    told = call.post(f"stages/{stage.pk}/no-metaphor/", {"pairs": [bare.pk, other.pk]})
    assert (told["confirmed"], told["left_out"], told["progress"]["mine"]) == ([bare.pk], [other.pk], 1)
    correct = stage_of(project, "correct")
    call.get(f"stages/{correct.pk}/no-metaphor/", status=404)


def test_lemma_memory(project: Project, ana: User, call: Caller) -> None:
    make_annotation(make_sentence(project), ana, [span(2)])
    told = call.get("lemmas/?language=es&lemma=volar")
    assert (told["lemma"], told["labelled"], told["unlabelled"]) == ("volar", 1, 0)
    assert told["examples"][0]["tokens"] == ["El", "tiempo", "vuela"]
    at_hand = Annotation.objects.get().unit_id
    told = call.get(f"lemmas/?language=es&lemma=volar&unit={at_hand}")
    assert (told["labelled"], told["unlabelled"], told["examples"]) == (0, 0, [])
    call.get("lemmas/?language=es&lemma=volar&unit=none", status=400)
    call.get("lemmas/?language=es", status=400)
    call.get("lemmas/?language=es&lemma=volar&layer=none", status=404)
    add_layer(project=project, slug="domains", labels=["BODY"], by=ana)
    told = call.get("lemmas/?language=es&lemma=vuela&layer=domains")
    assert (told["lemma"], told["labelled"], told["unlabelled"]) == ("volar", 0, 0)


def test_accepting_before_a_blind_overlap_is_asked_for(project: Project, ana: User) -> None:
    make_member(project, username="ben")
    call = Caller(project, make_member(project, Role.ADJUDICATOR))
    make_annotation(make_sentence(project), ana, [span(2)])
    accept = f"stages/{stage_of(project, Stage.ADJUDICATE, layer='labels').pk}/accept/"

    said = call.post(accept, status=400)["error"]

    assert said["code"] == "blind_overlap"
    assert "assign the sample first" in said["message"]
    assert list(said["fields"]) == ["without_overlap"]
    assert not project.golds.exists()
    assert call.post(accept, {"without_overlap": "perhaps"}, status=400)["error"]["code"] == "invalid"
    assert call.post(accept, {"without_overlap": True})["accepted"] == 1
    # It was decided once.
    assert call.post(accept)["accepted"] == 0


def test_gold_by_a_rule(project: Project, ana: User) -> None:
    ben, judge = make_member(project, username="ben"), make_member(project, Role.ADJUDICATOR)
    call = Caller(project, judge)
    sentence, alone = make_sentence(project), make_sentence(project)
    make_annotation(sentence, ana, [span(2)])
    make_annotation(sentence, ben, mode=Mode.BLIND)
    make_annotation(alone, ana, mode=Mode.BLIND)
    accept = f"stages/{stage_of(project, Stage.ADJUDICATE, layer='labels').pk}/accept/"
    assert call.post(accept, {"rule": "person"}, status=400)["error"]["code"] == "invalid"
    assert call.post(accept, {"rule": "best"}, status=400)["error"]["code"] == "invalid"
    told = call.post(accept, {"rule": "person", "person": ben.pk, "without_overlap": True})
    assert (told["accepted"], told["other"]) == (1, 1)
    assert project.golds.get().content == {"spans": []}
    told = call.post(accept, {"rule": "single", "without_overlap": True})
    assert (told["accepted"], told["other"]) == (1, 0)
    assert project.golds.get(unit=alone).chosen["rule"] == {"name": "single", "user": ana.pk}


def test_adjudication_from_queue_to_gold(project: Project, ana: User) -> None:
    ben, judge = make_member(project, username="ben"), make_member(project, Role.ADJUDICATOR)
    call = Caller(project, judge)
    sentence, agreed, pair = make_sentence(project), make_sentence(project), make_pair(project)
    make_annotation(sentence, ana, [span(2)])
    make_annotation(sentence, ben, mode=Mode.BLIND)
    make_annotation(agreed, ana)
    make_tag(pair, "relevant", user=ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)
    labels = f"stages/{stage_of(project, Stage.ADJUDICATE, layer='labels').pk}/"
    tags = f"stages/{stage_of(project, Stage.ADJUDICATE, layer='interpretation').pk}/"

    counts = {"accepted": 1, "differing": 1, "doubtful": 0, "own": 0, "waiting": 0, "uncertain": 0, "other": 0}
    assert call.post(f"{labels}accept/", {"dry_run": True}) == counts
    assert not project.golds.exists()
    assert call.post(f"{labels}accept/", {"without_overlap": True}) == counts
    assert call.post(f"{tags}accept/")["differing"] == 1
    queue = call.get(f"{labels}adjudicate/")
    assert ([item["kind"] for item in queue["items"]], queue["remaining"]) == (["correct"], 1)
    [item] = queue["items"]
    assert [(row["annotator"], row["mode"]) for row in item["answers"]] == [("ana", "review"), ("ben", "blind")]
    assert (item["why"], item["shared"], item["unit"]["id"]) == ("differs", spans(), sentence.pk)
    assert item["context"]["before"] == []
    of_pairs = call.get(f"{tags}adjudicate/?limit=1")
    assert [row["pair"]["id"] for row in of_pairs["items"]] == [pair.pk]

    decide = {"layer": "labels", "version": 0, "content": spans(span(2)), "reason": "basic sense"}
    decide["chosen"] = taking(item)
    gold = call.post(f"units/{sentence.pk}/gold/", decide)["gold"]
    assert gold == {
        "version": 1,
        "layer": "labels",
        "content": spans(span(2)),
        "reason": "basic sense",
        "source": "adjudicated",
    }
    told = call.post(f"units/{sentence.pk}/gold/", {**decide, "content": spans()}, status=409)["error"]
    assert (told["theirs"]["content"], told["mine"]["content"]) == (spans(span(2)), spans())
    assert told["theirs"]["layer"] == "labels"
    unit = unit_of(pair).pk
    decide = {"layer": "interpretation", "version": 0, "content": choice("relevant")}
    decide["chosen"] = taking(of_pairs["items"][0])
    assert call.post(f"units/{unit}/gold/", decide)["gold"]["content"] == choice("relevant")
    call.post(f"units/{unit}/gold/", {**decide, "layer": "no-such-layer"}, status=404)
    assert [call.get(f"{path}adjudicate/")["remaining"] for path in (labels, tags)] == [0, 0]
    # What is decided is still found by its id, in its own stage.
    [again] = call.get(f"{labels}adjudicate/?item={item['id']}")["items"]
    assert again == item | {
        "gold": gold,
        "chosen": {"all": item["answers"][0]["id"], "differences": [], "edited": False},
    }
    call.get(f"{tags}adjudicate/?item={item['id']}", status=404)
    call.get(f"{labels}adjudicate/?item=none", status=400)

    assert call.post(f"units/{sentence.pk}/gold/reopen/", {"layer": "labels", "version": 1}) == {"gold": None}
    assert call.post(f"units/{unit}/gold/reopen/", {"layer": "interpretation", "version": 1}) == {"gold": None}
    assert set(Gold.objects.values_list("unit", flat=True)) == {agreed.pk}
    assert [call.get(f"{path}adjudicate/")["remaining"] for path in (labels, tags)] == [1, 1]


def test_agreement_of_two_members(project: Project, ana: User) -> None:
    ben, judge = make_member(project, username="ben"), make_member(project, Role.ADJUDICATOR)
    call = Caller(project, judge)
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(2)])
    make_annotation(sentence, ben, [span(2)], mode=Mode.BLIND)
    told = call.get("agreement/?a=ana&b=ben&layer=tokens&language=es")
    assert told["annotators"] == ["ana", "ben"]
    assert (told["rows"][-1]["role"], told["rows"][-1]["kappa"], told["rows"][-1]["n"]) == ("all", 1.0, 3)
    assert call.get("agreement/?a=ana&b=ben&layer=labels")["rows"][-1]["n"] == 3
    call.get("agreement/?a=ana&b=ana&layer=tokens", status=400)
    call.get("agreement/?a=ana&b=nobody&layer=tokens", status=400)
    call.get("agreement/?a=ana&b=ben&layer=words", status=400)
    call.get("agreement/?a=ana&b=ben&layer=tokens&dimension=letters", status=400)
    call.get("agreement/?a=ana&b=ben&layer=tokens&language=fr", status=400)


def test_own_items_are_listed_as_on_their_page() -> None:
    """In a language in which the person is given no work any more, and those in doubt alone."""
    project = make_project()
    ana = make_member(project)
    stage = stage_of(project, "correct", "en")
    sure, doubtful = (make_assignment(make_sentence(project, language="en"), ana, stage, done=True) for _ in "ab")
    Assignment.objects.filter(pk=doubtful.pk).update(doubtful=True)
    project.memberships.update(languages=["es"])
    client = client_of(ana)

    def listed(query: str = "") -> list[int]:
        answer = client.get(f"/api/v1/projects/{project.slug}/stages/{stage.pk}/items/{query}")
        assert answer.status_code == 200
        return [row["id"] for row in answer.json()["results"]]

    assert listed() == [sure.pk, doubtful.pk]
    assert listed("?doubt=true") == [doubtful.pk]
    assert client.get(f"/projects/{project.slug}/stages/{stage.pk}/items/").status_code == 200
