"""The calls of the workspaces and of adjudication, from claim to gold."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from annotator.models import Annotation, Assignment, Gold, Mode, PairTag, Project, Role, StageKind, User
from tests.api.conftest import client_of
from tests.factories import (
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
    stage_of,
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


def test_project_tells_role_scheme_stages_and_progress(project: Project, call: Caller) -> None:
    make_sentence(project)
    told = call.get()
    assert (told["slug"], told["languages"], told["role"]) == (project.slug, ["es", "en"], "annotator")
    assert told["scheme"]["labels"] == ["METAPHOR"]
    assert (told["stages"][0]["kind"], told["stages"][0]["language"]) == ("correct", "es")
    assert told["stages"][0]["progress"] == {"done": 0, "open": 0, "total": 1, "mine": 0}


def test_done_and_next_is_one_request(project: Project, call: Caller) -> None:
    sentences = [make_sentence(project) for _ in range(3)]
    stage = stage_of(project, StageKind.CORRECT)

    claimed = call.post(f"stages/{stage.pk}/claim/", {"count": 2})
    first, second = claimed["items"]
    assert [row["sentence"]["id"] for row in claimed["items"]] == [row.pk for row in sentences[:2]]
    assert claimed["progress"] == {"done": 0, "open": 2, "total": 3, "mine": 0}

    saved = call.post(
        f"assignments/{first['id']}/save/",
        {"version": 1, "spans": [span(2)], "doubt": True, "comment": "so", "done": True, "held": [second["id"]]},
    )
    assert (saved["item"]["state"], saved["item"]["annotation"]["version"]) == ("done", 2)
    assert saved["item"]["annotation"]["origins"]["added"] == [span(2)]
    assert saved["next"]["sentence"]["id"] == sentences[2].pk
    assert saved["progress"] == {"done": 1, "open": 2, "total": 3, "mine": 1}

    last = call.post(
        f"assignments/{second['id']}/save/",
        {"version": 1, "spans": [], "done": True, "held": [saved["next"]["id"]]},
    )
    assert last["next"] is None
    stored = Annotation.objects.get(sentence=sentences[0])
    assert (stored.spans, stored.doubt, stored.comment, stored.state) == ([span(2)], True, "so", "done")


def test_saving_without_done_claims_nothing(project: Project, call: Caller) -> None:
    make_sentence(project)
    make_sentence(project)
    stage = stage_of(project, StageKind.CORRECT)
    item = call.post(f"stages/{stage.pk}/claim/")["items"][0]
    saved = call.post(f"assignments/{item['id']}/save/", {"version": 1, "spans": [span(0)], "done": False})
    assert (saved["next"], saved["item"]["state"]) == (None, "open")
    assert Assignment.objects.count() == 1


def test_saving_and_going_on_costs_a_bounded_number_of_queries(
    project: Project, call: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        pair = make_pair(project)
        make_prediction(pair.premise.sentences.get(), [], [0, 0, 0])
    stage = stage_of(project, StageKind.CORRECT)
    first, second = call.post(f"stages/{stage.pk}/claim/", {"count": 2})["items"]
    body = {"version": 1, "spans": [span(0)], "done": True, "held": [second["id"]]}
    with django_assert_max_num_queries(60):
        call.post(f"assignments/{first['id']}/save/", body)


def test_undo_over_the_api(project: Project, ana: User, call: Caller) -> None:
    assignment = make_assignment(make_sentence(project), ana, stage_of(project, StageKind.CORRECT))
    call.get(f"assignments/{assignment.pk}/")
    call.post(f"assignments/{assignment.pk}/save/", {"version": 1, "spans": [span(1)], "done": True})
    item = call.post(f"assignments/{assignment.pk}/undo/", {"version": 2})["item"]
    assert (item["annotation"]["version"], item["annotation"]["spans"], item["state"]) == (3, [], "open")
    assert not item["annotation"]["can_undo"]
    call.post(f"assignments/{assignment.pk}/undo/", {"version": 3}, status=400)


def test_looking_back_at_decided_work_opens_nothing(project: Project, ana: User, call: Caller) -> None:
    sentence = make_sentence(project)
    stage = stage_of(project, StageKind.CORRECT)
    assignment = make_assignment(sentence, ana, stage)
    make_gold(sentence)
    item = call.get(f"assignments/{assignment.pk}/")
    assert (item["gold"], item["annotation"]["version"], item["annotation"]["state"]) == (True, 0, "unseen")
    assert not Annotation.objects.exists()
    call.post(f"assignments/{assignment.pk}/save/", {"version": 1, "spans": [], "done": True}, status=400)


def test_own_items_by_state(project: Project, ana: User, call: Caller) -> None:
    stage = stage_of(project, StageKind.CORRECT)
    make_assignment(make_sentence(project, "uno"), ana, stage, done=True)
    make_assignment(make_sentence(project, "dos"), ana, stage)
    assert [row["text"] for row in call.get(f"stages/{stage.pk}/items/")] == ["uno", "dos"]
    assert [row["text"] for row in call.get(f"stages/{stage.pk}/items/?state=done")] == ["uno"]
    call.get(f"stages/{stage.pk}/items/?state=lost", status=400)


def test_tagging_pairs(project: Project, call: Caller) -> None:
    make_pair(project)
    make_pair(project)
    stage = stage_of(project, StageKind.PAIR_TAG)
    item = call.post(f"stages/{stage.pk}/claim/")["items"][0]
    assert (item["kind"], item["tag"]["version"]) == ("pair", 0)
    saved = call.post(f"assignments/{item['id']}/tag/", {"version": 0, "tag": "relevant", "comment": "needed"})
    assert saved["item"]["tag"] == {"tag": "relevant", "version": 1, "comment": "needed", "can_undo": True}
    assert saved["next"]["id"] != item["id"]
    assert saved["progress"]["done"] == 1
    call.post(f"assignments/{item['id']}/tag/", {"version": 0, "tag": "discarded"}, status=409)
    call.post(f"assignments/{item['id']}/tag/", {"version": 1, "tag": "perhaps"}, status=400)
    undone = call.post(f"assignments/{item['id']}/undo/", {"version": 1})["item"]
    assert (undone["tag"]["tag"], undone["tag"]["version"], undone["state"]) == (None, 0, "open")
    assert not PairTag.objects.exists()


def test_confirming_in_bulk(project: Project, ana: User, call: Caller) -> None:
    bare, other = make_pair(project), make_pair(project)
    for segment in (bare.premise, bare.hypothesis):
        make_annotation(segment.sentences.get(), ana)
    stage = stage_of(project, StageKind.PAIR_TAG)
    proposed = call.get(f"stages/{stage.pk}/no-metaphor/")
    assert ([row["id"] for row in proposed["pairs"]], proposed["total"]) == ([bare.pk], 1)
    told = call.post(f"stages/{stage.pk}/no-metaphor/", {"pairs": [bare.pk, other.pk]})
    assert (told["confirmed"], told["left_out"], told["progress"]["mine"]) == ([bare.pk], [other.pk], 1)
    correct = stage_of(project, StageKind.CORRECT)
    call.get(f"stages/{correct.pk}/no-metaphor/", status=404)


def test_lemma_memory(project: Project, ana: User, call: Caller) -> None:
    make_annotation(make_sentence(project), ana, [span(2)])
    told = call.get("lemmas/?language=es&lemma=volar")
    assert (told["lemma"], told["labelled"], told["unlabelled"]) == ("volar", 1, 0)
    assert told["examples"][0]["tokens"] == ["El", "tiempo", "vuela"]
    call.get("lemmas/?language=es", status=400)


def test_adjudication_from_queue_to_gold(project: Project, ana: User) -> None:
    ben, judge = make_member(project, username="ben"), make_member(project, Role.ADJUDICATOR)
    call = Caller(project, judge)
    sentence, agreed, pair = make_sentence(project), make_sentence(project), make_pair(project)
    make_annotation(sentence, ana, [span(2)])
    make_annotation(sentence, ben, mode=Mode.BLIND)
    make_annotation(agreed, ana)
    make_tag(pair, "relevant", user=ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)
    stage = stage_of(project, StageKind.ADJUDICATE)

    accepted = call.post(f"stages/{stage.pk}/accept/")
    assert accepted["sentences"] == {"accepted": 1, "differing": 1, "doubtful": 0, "waiting": 0}
    assert accepted["pairs"]["differing"] == 1
    queue = call.get(f"stages/{stage.pk}/adjudicate/")
    assert ([item["kind"] for item in queue["items"]], queue["remaining"]) == (["sentence", "pair"], 2)
    assert [row["annotator"] for row in queue["items"][0]["annotations"]] == ["ana", "ben"]
    assert len(call.get(f"stages/{stage.pk}/adjudicate/?limit=1")["items"]) == 1

    gold = call.post(f"sentences/{sentence.pk}/gold/", {"version": 0, "spans": [span(2)], "reason": "basic sense"})
    assert gold["gold"] == {"version": 1, "spans": [span(2)], "reason": "basic sense", "source": "adjudicated"}
    call.post(f"sentences/{sentence.pk}/gold/", {"version": 0, "spans": []}, status=409)
    tag = call.post(f"pairs/{pair.pk}/gold/", {"language": "es", "version": 0, "tag": "relevant"})
    assert tag["gold"]["tag"] == "relevant"
    assert call.get(f"stages/{stage.pk}/adjudicate/")["remaining"] == 0

    assert call.post(f"sentences/{sentence.pk}/gold/reopen/", {"version": 1}) == {"gold": None}
    assert call.post(f"pairs/{pair.pk}/gold/reopen/", {"version": 1, "language": "es"}) == {"gold": None}
    assert set(Gold.objects.values_list("sentence", flat=True)) == {agreed.pk}
    assert call.get(f"stages/{stage.pk}/adjudicate/")["remaining"] == 2


def test_agreement_of_two_members(project: Project, ana: User) -> None:
    ben, judge = make_member(project, username="ben"), make_member(project, Role.ADJUDICATOR)
    call = Caller(project, judge)
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(2)])
    make_annotation(sentence, ben, [span(2)], mode=Mode.BLIND)
    told = call.get("agreement/?a=ana&b=ben&layer=tokens&language=es")
    assert told["annotators"] == ["ana", "ben"]
    assert (told["rows"][-1]["role"], told["rows"][-1]["kappa"], told["rows"][-1]["n"]) == ("all", 1.0, 3)
    call.get("agreement/?a=ana&b=ana&layer=tokens", status=400)
    call.get("agreement/?a=ana&b=nobody&layer=tokens", status=400)
    call.get("agreement/?a=ana&b=ben&layer=words", status=400)
    call.get("agreement/?a=ana&b=ben&layer=tokens&language=fr", status=400)
