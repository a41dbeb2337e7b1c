"""Which units a stage holds, what waits there, and how far it is."""

from __future__ import annotations

import pytest

from annotator.core.counters import recounted
from annotator.models import Item, ItemState, Mode, Project, Stage
from annotator.work.gold.queries.adjudication import queue, waiting, waits
from annotator.work.queue.queries.progress import people_progress, project_progress, stage_progress
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    make_silver,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def held(stage: Stage) -> set[int]:
    return set(Item.objects.filter(stage=stage).exclude(state=ItemState.VOID).values_list("unit_id", flat=True))


def test_every_sentence_is_in_exactly_one_stage_of_its_language(project: Project) -> None:
    spanish, other = make_sentence(project), make_sentence(project)
    reached = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    missed = make_sentence(project, "Nobody looks", language="en")
    make_projection(spanish, reached, [], [span(2)])  # a label that was lost is worth reviewing too
    make_sentence(make_project())

    assert held(stage_of(project, "correct")) == {spanish.pk, other.pk}
    assert held(stage_of(project, "project-review", "en")) == {reached.pk}
    assert held(stage_of(project, "correct", "en")) == {missed.pk}


def test_a_pair_is_in_the_stage_of_each_language_that_has_its_unit(project: Project) -> None:
    both, spanish = make_pair(project), make_pair(project)
    make_pair_unit(both, "en")

    assert held(stage_of(project, "pair-tag")) == {unit_of(both).pk, unit_of(spanish).pk}
    assert held(stage_of(project, "pair-tag", "en")) == {unit_of(both, "en").pk}


def test_progress_counts_reviewed_and_decided_once(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, "correct")
    rows = [make_sentence(project) for _ in range(6)]
    make_assignment(rows[0], ana, stage, done=True)
    make_assignment(rows[1], ana, stage)
    make_gold(rows[2])
    make_assignment(rows[3], ana, stage, done=True)
    make_gold(rows[3])
    make_assignment(rows[4], ben, stage, mode=Mode.BLIND, done=True)  # still needs its review

    assert stage_progress(stage, ana).to_json() == {"done": 3, "open": 1, "total": 6, "mine": 2, "blind": 0}
    assert stage_progress(stage, ben).mine == 0
    assert stage_progress(stage).mine == 0
    assert recounted(stage) == {"done": 3, "open": 1, "total": 6}
    people = [(row.user, row.mode, row.done, row.open) for row in people_progress([stage])[stage.pk]]
    assert people == [(ana, "review", 2, 1), (ben, "blind", 1, 0)]


def test_progress_of_pairs_and_adjudication(project: Project) -> None:
    ana = make_member(project)
    pair, decided = make_pair(project), make_pair(project)
    tagging, labelling = stage_of(project, "pair-tag"), stage_of(project, "correct")
    make_assignment(pair, ana, tagging)
    make_tag(decided, "relevant")
    assert stage_progress(tagging, ana).to_json() == {"done": 1, "open": 1, "total": 2, "mine": 0, "blind": 0}

    premise = pair.premise.units.select_related("segment").get()
    make_assignment(premise, ana, labelling, done=True)
    make_annotation(premise, ana)
    make_gold(pair.hypothesis.units.select_related("segment").get())
    labels = stage_of(project, Stage.ADJUDICATE, layer="labels")
    tags = stage_of(project, Stage.ADJUDICATE, layer="interpretation")
    assert stage_progress(labels).to_json() == {"done": 1, "open": 1, "total": 4, "mine": 0, "blind": 0}
    assert stage_progress(tags).to_json() == {"done": 1, "open": 0, "total": 2, "mine": 0, "blind": 0}
    stages = [stage for stage, _numbers in project_progress(project)]
    assert [stage.position for stage in stages] == list(range(len(stages)))


def test_queue_has_differing_work_lowest_agreement_first_then_doubts(project: Project) -> None:
    ana, ben, judge = make_member(project), make_member(project), make_member(project, "adjudicator")
    stage = stage_of(project, "correct")
    doubtful, near, far, agreed, decided, open_work = (make_sentence(project, "a b c d") for _ in range(6))
    make_prediction(near, [span(3)], [0, 0, 0, 0.9])
    make_annotation(doubtful, ana, [span(0)], doubt=True, comment="metonymy?")
    make_annotation(near, ana, [span(0)])
    make_annotation(near, ben, mode=Mode.BLIND)
    make_annotation(far, ana, [span(0, 1)])
    make_annotation(far, ben, [span(2)])
    make_assignment(open_work, ben, stage, mode=Mode.BLIND)
    for sentence in (agreed, decided, open_work):
        make_annotation(sentence, ana)
    make_annotation(agreed, ben)
    for sentence in (decided, open_work):
        make_annotation(sentence, ben, [span(0)])
    make_gold(decided)

    found = waiting(stage_of(project, Stage.ADJUDICATE, layer="labels"), judge, 10)

    assert [(row.unit.pk, row.agreement, row.why) for row in found] == [
        (far.pk, 0.25, "differs"),
        (near.pk, 0.75, "differs"),
        (doubtful.pk, 1.0, "doubt"),
    ]
    assert [(row.user, row.content) for row in found[0].answers] == [(ana, spans(span(0, 1))), (ben, spans(span(2)))]
    assert found[1].suggestion is not None and found[1].suggestion.content == spans(span(3))
    assert found[2].answers[0].comment == "metonymy?"


def test_pairs_wait_in_the_stage_of_their_layer(project: Project) -> None:
    ana, ben, judge = make_member(project), make_member(project), make_member(project, "adjudicator")
    pair, agreed = make_pair(project), make_pair(project)
    make_pair_unit(pair, "en")
    make_tag(pair, "relevant", user=ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)
    make_silver(pair, "relevant", language="es", source="en")
    for user in (ana, ben):
        make_tag(agreed, "relevant", user=user)

    (row,) = waiting(stage_of(project, Stage.ADJUDICATE, layer="interpretation"), judge, 10)

    assert (row.unit, row.agreement, row.why) == (unit_of(pair), 0.0, "differs")
    assert [answer.content["value"] for answer in row.answers] == ["relevant", "discarded"]
    assert row.suggestion is not None and row.suggestion.content["value"] == "relevant"
    assert waiting(stage_of(project, Stage.ADJUDICATE, layer="labels"), judge, 10) == []


def test_queue_hides_what_the_adjudicator_did_blind(project: Project) -> None:
    ana, judge = make_member(project), make_member(project, "adjudicator")
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(0)])
    make_assignment(sentence, judge, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
    make_annotation(sentence, judge, mode=Mode.BLIND)
    stage = stage_of(project, Stage.ADJUDICATE, layer="labels")

    assert (waiting(stage, judge, 10), waits(stage, judge).mine) == ([], 0)
    assert (len(waiting(stage, ana, 10)), waits(stage, ana).mine) == (1, 1)


def test_queue_leaves_out_own_work_where_the_project_says_so(project: Project) -> None:
    ana, judge = make_member(project), make_member(project, "adjudicator")
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(0)])
    make_annotation(sentence, judge)
    stage = stage_of(project, Stage.ADJUDICATE, layer="labels")
    assert queue(stage, judge).count() == 1

    stage.project.adjudicate_own = False

    assert queue(stage, judge).count() == 0
