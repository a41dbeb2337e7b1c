"""How far stages are: read from counters, whoever did what."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.models import Counter, Mode, Project, User
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.queries.progress import (
    HeldAhead,
    Progress,
    held_ahead,
    people_progress,
    project_progress,
    public_progress,
    stage_progress,
)
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_sentence,
    make_tag,
    spans,
    stage_of,
    unit_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


def test_reviewed_and_decided_count_once_and_blind_work_still_needs_its_review(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, "correct")
    rows = [make_sentence(project) for _ in range(6)]
    make_assignment(rows[0], ana, stage, done=True)
    make_assignment(rows[1], ana, stage)
    make_gold(rows[2])
    make_assignment(rows[3], ana, stage, done=True)
    make_gold(rows[3])
    make_assignment(rows[4], ben, stage, mode=Mode.BLIND, done=True)

    assert stage_progress(stage, ana).to_json() == {"done": 3, "open": 1, "total": 6, "mine": 2, "blind": 0}
    # What is done blind beside a review is none of the stage's own three.
    assert stage_progress(stage, ben).mine == 0
    assert stage_progress(stage).mine == 0
    people = [(row.user, row.mode, row.done, row.open) for row in people_progress([stage])[stage.pk]]
    assert people == [(ana, "review", 2, 1), (ben, "blind", 1, 0)]


def test_blind_answers_that_wait_beside_what_is_done_are_told(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, "correct")
    rows = [make_sentence(project) for _ in range(3)]
    for row in rows:
        make_assignment(row, ana, stage, done=True)
    for row in rows[:2]:
        make_assignment(row, ben, stage, mode=Mode.BLIND)
    make_assignment(rows[2], ben, stage, mode=Mode.BLIND, done=True)

    assert stage_progress(stage, ben).to_json() == {"done": 3, "open": 0, "total": 3, "mine": 0, "blind": 2}
    assert stage_progress(stage, ana).to_json() == {"done": 3, "open": 0, "total": 3, "mine": 3, "blind": 0}
    assert {stage_progress(stage, user).blind_open for user in (ana, ben, None)} == {2}


def test_in_a_blind_stage_blind_answers_are_the_stages_own(project: Project, ana: User) -> None:
    stage = stage_of(project, "correct")
    stage.mode = Mode.BLIND
    stage.save()
    make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND, done=True)
    make_assignment(make_sentence(project), ana, stage, mode=Mode.BLIND)

    assert stage_progress(stage, ana).to_json() == {"done": 1, "open": 1, "total": 2, "mine": 1, "blind": 0}
    assert project_progress(project, ana)[stage.position][1] == stage_progress(stage, ana)


def test_of_pairs_and_of_adjudication(project: Project, ana: User) -> None:
    pair, decided = make_pair(project), make_pair(project)
    tagging = stage_of(project, "pair-tag")
    make_assignment(pair, ana, tagging)
    make_tag(decided, "relevant")
    assert stage_progress(tagging, ana).to_json() == {"done": 1, "open": 1, "total": 2, "mine": 0, "blind": 0}
    premise = pair.premise.units.get()
    make_assignment(premise, ana, stage_of(project, "correct"), done=True)
    make_annotation(premise, ana)
    make_gold(pair.hypothesis.units.get())
    labels = stage_of(project, "adjudicate")
    assert stage_progress(labels).to_json() == {"done": 1, "open": 1, "total": 4, "mine": 0, "blind": 0}
    tags = stage_of(project, "adjudicate", layer="interpretation")
    assert stage_progress(tags).to_json() == {"done": 1, "open": 0, "total": 2, "mine": 0, "blind": 0}


def test_of_a_project_is_that_of_its_stages_in_order(project: Project, ana: User) -> None:
    pair = make_pair(project)
    make_tag(pair, "relevant")
    make_assignment(pair.premise.units.get(), ana, stage_of(project, "correct"), done=True)
    make_assignment(pair.hypothesis.units.get(), ana, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
    for user in (ana, make_member(project), None):
        found = project_progress(project, user)
        assert [stage.position for stage, _ in found] == list(range(project.stages.count()))
        assert [progress for _, progress in found] == [stage_progress(stage, user) for stage, _ in found]


def test_sums_go_over_everybody_and_those_without_a_name(project: Project) -> None:
    stage = stage_of(project, "correct")
    ana, ben = make_member(project), make_member(project)
    Counter.objects.create(project=project, stage=stage, total=10, done=2, open=3)
    Counter.objects.create(project=project, stage=stage, user=ana, done=5, open=-2, own_done=5, blind_done=1)
    Counter.objects.create(project=project, stage=stage, user=ben, done=-1, own_open=1)
    found = stage_progress(stage, ana)
    assert found == Progress(done=6, open=1, total=10, mine=5, blind_done=1, own_blind=1)
    # Blind answers are no items of their own; people are told of them as of all work.
    whole = public_progress(stage, found)
    assert (whole.done, whole.open, whole.total, whole.mine) == (7, 1, 11, 6)


def test_gold_on_what_no_stage_holds_is_no_work_that_is_missing(project: Project) -> None:
    for stage, total, done in ((stage_of(project, "correct"), 2, 1), (stage_of(project, "adjudicate"), 0, 5)):
        Counter.objects.create(project=project, stage=stage, total=total, done=done)
    judging = stage_of(project, "adjudicate")
    assert stage_progress(judging) == Progress(done=5, open=0, total=5, mine=0)
    assert {stage.pk: progress for stage, progress in project_progress(project)}[judging.pk] == stage_progress(judging)


def test_it_costs_the_same_however_much_there_is(project: Project, django_assert_num_queries: Any, ana: User) -> None:
    stage = stage_of(project, "correct")

    def cost() -> None:
        with django_assert_num_queries(1):
            stage_progress(stage, ana)
        with django_assert_num_queries(2):
            stage_progress(stage_of_adjudication, ana)
        with django_assert_num_queries(2):
            project_progress(project, ana)
        with django_assert_num_queries(1):
            people_progress(list_of_stages)

    stage_of_adjudication = stage_of(project, "adjudicate")
    list_of_stages = list(project.stages.all())
    cost()
    for _ in range(20):
        make_assignment(make_sentence(project), make_member(project), stage, done=True)
    make_tag(make_pair(project), "relevant")
    cost()


def test_nobody_has_done_anything_where_there_is_nothing(project: Project) -> None:
    stages = list(project.stages.all())
    assert {stage_progress(stage) for stage in stages} == {Progress(0, 0, 0, 0)}
    assert people_progress(stages) == {stage.pk: [] for stage in stages}
    unit = unit_of(make_pair(project))
    assert stage_progress(stage_of(project, "pair-tag")).total == 1
    assert unit.items.count() == 1


def test_what_pages_hold_ahead_is_told_apart_from_what_is_worked_on(project: Project) -> None:
    stage = stage_of(project, "correct")
    for _ in range(5):
        make_sentence(project)
    ana, ben = make_member(project), make_member(project)
    first, *_rest = claim(stage=stage, user=ana, count=3, now=timezone.now())
    claim(stage=stage, user=ben, count=1, now=timezone.now())
    assert held_ahead([stage])[stage.pk] == HeldAhead(4, {ana.pk: 3, ben.pk: 1})
    save(first, spans(), done=False)
    assert held_ahead([stage])[stage.pk] == HeldAhead(3, {ana.pk: 2, ben.pk: 1})
    # Counters go on counting what is claimed: it is not there for others.
    assert stage_progress(stage).open == 4


@pytest.mark.parametrize("done", [False, True])
def test_an_item_that_somebody_else_works_on_is_not_merely_held_ahead(done: bool, project: Project) -> None:
    stage = stage_of(project, "correct")
    stage.answers_wanted = 3
    stage.save()
    make_sentence(project)
    ana, ben = make_member(project), make_member(project)
    for user in (ana, ben):
        [row] = claim(stage=stage, user=user, now=timezone.now())
    assert held_ahead([stage])[stage.pk].items == 1
    save(row, spans(), done=done)
    assert held_ahead([stage])[stage.pk] == HeldAhead(0, {ana.pk: 1})


def test_what_was_decided_meanwhile_is_not_held_ahead_of_others(project: Project, ana: User) -> None:
    stage = stage_of(project, "correct")
    sentence = make_sentence(project)
    claim(stage=stage, user=ana, now=timezone.now())
    make_gold(sentence)
    # Counters do not count it as open, so nothing is to be taken away.
    assert stage_progress(stage).open == 0
    assert held_ahead([stage])[stage.pk] == HeldAhead(0, {ana.pk: 1})
