"""What the state of an object allows, whoever asks."""

from __future__ import annotations

import pytest

from annotator.core.errors import ActionError
from annotator.models import Item, ItemState, Layer, Mode, Project, Stage, Unit, User
from annotator.work.answering.actions.policies import (
    check_can_claim,
    check_can_decide,
    check_is_there,
    check_may_judge,
    check_undecided,
)
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_sentence,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def unit(project: Project) -> Unit:
    return make_sentence(project)


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, "adjudicator")


def item_of(unit: Unit) -> Item:
    return Item.objects.get(unit=unit)


def test_items_are_claimed_in_every_stage_but_where_gold_is_decided(project: Project) -> None:
    for stage in project.stages.all():
        if stage.kind == Stage.ADJUDICATE:
            with pytest.raises(ActionError, match="adjudication queue"):
                check_can_claim(stage)
        else:
            check_can_claim(stage)


@pytest.mark.parametrize("state", list(ItemState))
def test_answers_are_written_while_nothing_is_decided_and_the_text_stands(unit: Unit, state: ItemState) -> None:
    item = item_of(unit)
    item.state = state
    words = {ItemState.DECIDED: "reopen", ItemState.VOID: "new revision"}.get(state)

    def check() -> None:
        check_is_there(item.stage, item, unit)
        check_undecided(item)

    if words is None:
        check()
    else:
        with pytest.raises(ActionError, match=words):
            check()
    unit.is_current = False
    with pytest.raises(ActionError, match="new revision"):
        check_is_there(item.stage, item, unit)


class TestDeciding:
    def test_waits_until_nobody_works_on_it(self, project: Project, unit: Unit, judge: User) -> None:
        check_can_decide(unit, project.label_layer, [item_of(unit)], judge)
        check_can_decide(unit, project.label_layer, [], judge)
        for field in ("answers_open", "extra_open"):
            item = item_of(unit)
            setattr(item, field, 1)
            with pytest.raises(ActionError, match="still working"):
                check_can_decide(unit, project.label_layer, [item], judge)
        for field in ("answers_done", "extra_done"):
            item = item_of(unit)
            setattr(item, field, 1)
            check_can_decide(unit, project.label_layer, [item], judge)

    def test_is_on_the_text_that_stands(self, project: Project, unit: Unit, judge: User) -> None:
        unit.is_current = False
        with pytest.raises(ActionError, match="new revision"):
            check_can_decide(unit, project.label_layer, [], judge)

    def test_machines_may_decide_where_nobody_is_named(self, project: Project, unit: Unit) -> None:
        project.adjudicate_own = False
        check_can_decide(unit, project.label_layer, [], None)


class TestJudging:
    def test_not_while_blind_there_in_any_language_or_on_a_pair_of_it(self, project: Project, judge: User) -> None:
        pair = make_pair(project)
        premise = pair.premise.units.get()
        english = make_sentence(project, "Time flies", language="en", segment=pair.premise)
        tags = project.tag_layer
        assert tags is not None
        make_assignment(premise, judge, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
        both: list[tuple[Unit, Layer]] = [(english, project.label_layer), (unit_of(pair), tags)]
        for unit, layer in [(premise, project.label_layer), *both]:
            with pytest.raises(ActionError, match="blind"):
                check_may_judge(unit, layer, judge)
        make_gold(premise)
        check_may_judge(premise, project.label_layer, judge)

    def test_own_work_only_where_the_project_allows_it(self, project: Project, unit: Unit, judge: User) -> None:
        make_annotation(unit, judge, state="open")
        check_may_judge(unit, project.label_layer, judge)
        project.adjudicate_own = False
        with pytest.raises(ActionError, match="yourself"):
            check_may_judge(unit, project.label_layer, judge)
        check_may_judge(unit, project.label_layer, make_member(project, "adjudicator"))
