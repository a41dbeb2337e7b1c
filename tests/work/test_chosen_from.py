"""A decision names what it was chosen from: checked on the server, logged, and kept in what is released."""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.domain.choosing import Chosen
from annotator.models import Annotation, Event, Gold, GoldSource, Mode, Project, Role, Stage, Unit, User
from annotator.releases.queries.gold_records import sentence_records
from annotator.releases.queries.pseudonyms import people_named
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import decide_gold, reopen_gold
from annotator.work.gold.queries.adjudication import waiting
from tests.api.test_work import Caller
from tests.factories import make_annotation, make_member, make_sentence, span, spans, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, username="jude")


@pytest.fixture
def answers(project: Project) -> list[Annotation]:
    """Ana labels one word, Ben another; both label the last."""
    sentence = make_sentence(project, "Ardían las viejas promesas")
    ana, ben = (make_member(project, username=name) for name in ("ana", "ben"))
    return [
        make_annotation(sentence, ana, [span(0), span(3)]),
        make_annotation(sentence, ben, [span(2), span(3)], mode=Mode.BLIND),
    ]


def decide(answers: list[Annotation], by: User | None, chosen: Chosen | None, content: Any) -> Gold:
    unit: Unit = answers[0].unit
    return decide_gold(
        project=unit.project, unit=unit.pk, layer=answers[0].layer, version=0, content=content, chosen=chosen, by=by
    )


def seen(answers: list[Annotation], **given: Any) -> Chosen:
    return Chosen({row.pk: row.version for row in answers}, **given)


def test_nothing_is_preset_for_whoever_decides(answers: list[Annotation], project: Project, judge: User) -> None:
    (found,) = waiting(stage_of(project, Stage.ADJUDICATE), judge, 5)
    assert (found.shared, found.gold, found.chosen) == (spans(span(3)), None, None)
    assert [(one.key, one.tokens) for one in found.differences] == [("0", (0,)), ("2", (2,))]
    ana, ben = (row.pk for row in answers)
    assert [[(part["answers"], part["content"]) for part in one.says] for one in found.differences] == [
        [([ana], spans(span(0))), ([ben], spans())],
        [([ana], spans()), ([ben], spans(span(2)))],
    ]


@pytest.mark.parametrize(
    ("chosen", "content", "says"),
    [
        (None, spans(span(3)), "does not say which answers it was chosen from"),
        ({}, spans(span(3)), "2 differences are not decided"),
        ({"edited": True}, spans(span(3)), "2 differences are not decided"),
        ({"differences": {"0": "ana"}}, spans(span(0), span(3)), "1 difference is not decided"),
        ({"differences": {"0": "ana", "2": "ana"}}, spans(span(3)), "differs from what was chosen"),
        ({"all": "ben"}, spans(span(0), span(3)), "differs from the answer that it refers to"),
    ],
)
def test_what_is_not_chosen_is_not_decided(
    answers: list[Annotation], judge: User, chosen: dict[str, Any] | None, content: Any, says: str
) -> None:
    ids = {row.user.username: row.pk for row in answers}
    given = chosen and {
        name: {key: ids[one] for key, one in value.items()} if name == "differences" else ids.get(value, value)
        for name, value in chosen.items()
    }
    events = Event.objects.count()
    with pytest.raises(ActionError, match=says):
        decide(answers, judge, None if given is None else seen(answers, **given), content)
    assert (Gold.all_rows.count(), Event.objects.count()) == (0, events)


def test_it_is_kept_logged_and_released_by_name(answers: list[Annotation], project: Project, judge: User) -> None:
    ana, ben = answers
    mixed = seen(answers, differences={"0": ana.pk, "2": None})
    gold = decide(answers, judge, mixed, spans(span(0), span(3)))
    kept = {
        "answers": [{"user": ana.user_id, "version": 1}, {"user": ben.user_id, "version": 1}],
        "all": None,
        "differences": [{"key": "0", "user": ana.user_id}, {"key": "2", "user": None}],
        "edited": False,
    }
    assert gold.chosen == kept
    assert (Event.objects.get(verb="gold.decided").after or {})["chosen"] == kept
    people = people_named(project)
    (record,) = sentence_records(project, people)
    first, second = people[ana.user_id], people[ben.user_id]
    assert record["gold"]["chosen"] == {
        "answers": [{"annotator": first, "version": 1}, {"annotator": second, "version": 1}],
        "all": None,
        "differences": [{"key": "0", "annotator": first}, {"key": "2", "annotator": None}],
        "edited": False,
    }
    reopen_gold(project=project, unit=ana.unit_id, layer=ana.layer, version=1, by=judge)
    (again,) = waiting(stage_of(project, Stage.ADJUDICATE), judge, 5)
    assert again.chosen is None, "what was taken back is chosen anew"


def test_an_answer_that_changed_meanwhile_is_looked_at_again(answers: list[Annotation], judge: User) -> None:
    chosen = seen(answers, all=answers[0].pk)
    Annotation.objects.filter(pk=answers[1].pk).update(version=2)
    with pytest.raises(ActionError, match="answers changed after you opened"):
        decide(answers, judge, chosen, answers[0].content)
    assert not Gold.all_rows.exists()


def test_what_agrees_is_accepted_by_an_act_of_its_own_and_keeps_whose_it_was(project: Project, judge: User) -> None:
    sentence, ana = make_sentence(project), make_member(project)
    make_annotation(sentence, ana, [span(1)])
    assert not Gold.objects.exists()
    accept_agreed(project=project, layer=project.label_layer, language="es", by=judge, without_overlap=True)
    gold = Gold.objects.get()
    assert (gold.source, gold.chosen) == (GoldSource.AGREED, {"answers": [{"user": ana.pk, "version": 1}]})


def test_the_api_takes_no_decision_without_it(answers: list[Annotation], project: Project, judge: User) -> None:
    call = Caller(project, judge)
    path = f"units/{answers[0].unit_id}/gold/"
    body: dict[str, Any] = {"layer": "labels", "version": 0, "content": spans(span(3))}
    told = call.post(path, body, status=400)["error"]
    assert list(told["fields"]) == ["chosen"]
    named = {"answers": [{"id": row.pk, "version": row.version} for row in answers]}
    told = call.post(path, {**body, "chosen": named}, status=400)["error"]
    assert "2 differences are not decided" in told["message"]
    for chosen in ({}, {"answers": [{"id": 1}]}, {**named, "all": "ana"}, {**named, "differences": [{"key": "0"}]}, 5):
        assert call.post(path, {**body, "chosen": chosen}, status=400)["error"]["code"] == "invalid", json.dumps(chosen)
    assert not Gold.all_rows.exists()
    ben = answers[1]
    decided = {**body, "content": ben.content, "chosen": {**named, "all": ben.pk}}
    assert call.post(path, decided)["gold"]["content"] == ben.content
