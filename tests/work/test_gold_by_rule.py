"""Gold by rule: what is accepted, how it is marked, and what stays with people."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.merging.rules import Rule, RuleName
from annotator.models import Gold, Item, Mode, Project, Stage, Unit, User
from annotator.releases.queries.gold_records import sentence_records
from annotator.releases.queries.pseudonyms import people_named
from annotator.work.gold.actions.agreed import AcceptSummary, accept_agreed
from annotator.work.gold.queries.agreed import count_agreed
from tests.deciding import decide_gold
from tests.factories import make_assignment, make_member, make_sentence, span, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db
LABELLED, NOTHING = spans(span(2)), spans()


@pytest.fixture
def correct(project: Project) -> Stage:
    return stage_of(project, "correct")


@pytest.fixture
def people(project: Project) -> list[User]:
    return [make_member(project, username=name) for name in ("ana", "ben", "cleo")]


@pytest.fixture
def boss(project: Project) -> User:
    return make_member(project, "manager", username="boss")


def answered(stage: Stage, people: list[User], *contents: dict[str, Any] | None, doubt: int | None = None) -> Unit:
    """A sentence with these answers, blind ones but the first; None: the person has none."""
    unit = make_sentence(stage.project)
    for place, (user, content) in enumerate(zip(people, contents, strict=False)):
        if content is not None:
            row = make_assignment(unit, user, stage, mode=Mode.BLIND if place else Mode.REVIEW)
            save(row, content, doubt=place == doubt)
    return unit


def accept(project: Project, by: User, rule: Rule) -> AcceptSummary:
    """What is accepted, which is what was told before."""
    layer = project.label_layer
    assert layer is not None
    told = count_agreed(project, layer, "es", rule, by=by)
    done = accept_agreed(project=project, layer=layer, language="es", by=by, rule=rule, without_overlap=True)
    assert done == told
    again = accept_agreed(project=project, layer=layer, language="es", by=by, rule=rule, without_overlap=True)
    assert again.accepted == 0
    return done


def test_at_least_two_of_three(project: Project, correct: Stage, people: list[User], boss: User) -> None:
    two = answered(correct, people, NOTHING, LABELLED, LABELLED)
    apart = answered(correct, people, NOTHING, LABELLED, spans(span(1)))
    doubted = answered(correct, people, NOTHING, LABELLED, LABELLED, doubt=2)
    missing = answered(correct, people, LABELLED, LABELLED)
    rule = Rule(RuleName.AT_LEAST, agreeing=2, answers=3)

    assert accept(project, boss, rule) == AcceptSummary(accepted=1, differing=1, doubtful=1, waiting=1)

    gold = Gold.objects.get()
    assert (gold.unit_id, gold.content, gold.source, gold.decided_by) == (two.pk, LABELLED, "agreed", boss)
    assert gold.chosen["rule"] == {"name": "at_least", "agreeing": 2, "answers": 3, "user": people[1].pk}
    assert {one["user"] for one in gold.chosen["answers"]} == {user.pk for user in people}
    assert Item.objects.get(stage=correct, unit=two).state == "decided"
    for unit in (apart, doubted, missing):
        assert Item.objects.get(stage=correct, unit=unit).state != "decided"


def test_the_answers_of_one_person(project: Project, correct: Stage, people: list[User], boss: User) -> None:
    theirs = answered(correct, people, LABELLED, NOTHING)
    answered(correct, people, LABELLED)
    rule = Rule(RuleName.PERSON, person=people[1].pk)
    assert accept(project, boss, rule) == AcceptSummary(accepted=1, other=1)
    gold = Gold.objects.get()
    assert (gold.unit_id, gold.content) == (theirs.pk, NOTHING)
    assert gold.chosen["rule"] == {"name": "person", "user": people[1].pk}


def test_the_work_of_a_single_person(project: Project, correct: Stage, people: list[User], boss: User) -> None:
    alone = answered(correct, people[1:], NOTHING)
    answered(correct, people, LABELLED, LABELLED)
    assert accept(project, boss, Rule(RuleName.SINGLE)) == AcceptSummary(accepted=1, other=1)
    gold = Gold.objects.get()
    assert (gold.unit_id, gold.chosen["rule"]) == (alone.pk, {"name": "single", "user": people[1].pk})


def test_an_estimate_with_its_uncertainty(project: Project, correct: Stage, people: list[User], boss: User) -> None:
    for _time in range(20):
        answered(correct, people, LABELLED, LABELLED, LABELLED)
        answered(correct, people, NOTHING, NOTHING, NOTHING)
    outvoted = answered(correct, people, NOTHING, LABELLED, LABELLED)
    mixed = answered(correct, people, spans(span(0)), spans(span(1)), spans(span(2)))

    done = accept(project, boss, Rule(RuleName.DAWID_SKENE, limit=0.05))

    assert (done.accepted, done.differing + done.uncertain) == (41, 1)
    gold = Gold.objects.get(unit=outvoted)
    assert gold.content == LABELLED
    assert 0 <= gold.chosen["rule"]["uncertainty"] <= 0.05
    assert not Gold.objects.filter(unit=mixed).exists()
    record = next(one for one in sentence_records(project, people_named(project)) if one["uid"] == outvoted.segment.uid)
    assert record["gold"]["chosen"]["rule"] == {
        "name": "dawid_skene",
        "limit": 0.05,
        "uncertainty": gold.chosen["rule"]["uncertainty"],
        "annotator": people_named(project)[people[1].pk],
    }


def test_what_a_person_decided_stays(project: Project, correct: Stage, people: list[User], boss: User) -> None:
    unit = answered(correct, people, LABELLED, LABELLED, LABELLED)
    layer = project.label_layer
    assert layer is not None
    gold = decide_gold(unit=unit.pk, layer=layer, content=NOTHING, by=boss)
    rules = [Rule(), Rule(RuleName.AT_LEAST), Rule(RuleName.PERSON, person=people[0].pk), Rule(RuleName.DAWID_SKENE)]
    for rule in rules:
        assert accept(project, boss, rule) == AcceptSummary()
    assert Gold.objects.values().get() == Gold.objects.filter(pk=gold.pk).values().get()
    assert Gold.objects.get().content == NOTHING
