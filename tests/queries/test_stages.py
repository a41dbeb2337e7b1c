"""Which items belong to a stage, what is proposed there, and how far it is."""

from __future__ import annotations

import pytest

from annotator.models import Mode, Project, StageKind
from annotator.queries.adjudication import adjudication_items, queue
from annotator.queries.progress import people_progress, project_progress, stage_progress
from annotator.queries.stages import own_assignments, stage_pairs, stage_sentences
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def test_every_current_sentence_is_in_exactly_one_stage_of_its_language(project: Project) -> None:
    spanish = make_sentence(project)
    old = make_sentence(project)
    old.is_current = False
    old.save()
    reached = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    missed = make_sentence(project, "Nobody looks", language="en")
    once = make_sentence(project, "Once reached", language="en")
    make_projection(spanish, reached, [], [span(2)])  # a label that was lost is worth reviewing too
    superseded = make_projection(make_sentence(project), once, [], [])
    superseded.is_current = False
    superseded.save()
    make_sentence(make_project())

    def ids(kind: str, language: str) -> set[int]:
        return set(stage_sentences(stage_of(project, kind, language)).values_list("pk", flat=True))

    assert spanish.pk in ids(StageKind.CORRECT, "es")
    assert len(ids(StageKind.CORRECT, "es")) == 2
    assert ids(StageKind.PROJECT_REVIEW, "en") == {reached.pk}
    assert ids(StageKind.CORRECT, "en") == {missed.pk, once.pk}


def test_pairs_need_both_texts_in_the_language(project: Project) -> None:
    whole, half = make_pair(project), make_pair(project)
    half.hypothesis.sentences.update(is_current=False)
    assert list(stage_pairs(stage_of(project, StageKind.PAIR_TAG))) == [whole]


def test_progress_counts_reviewed_and_decided_once(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, StageKind.CORRECT)
    rows = [make_sentence(project) for _ in range(6)]
    make_assignment(rows[0], ana, stage, done=True)
    make_assignment(rows[1], ana, stage)
    make_gold(rows[2])
    make_assignment(rows[3], ana, stage, done=True)
    make_gold(rows[3])
    make_assignment(rows[4], ben, stage, mode=Mode.BLIND, done=True)  # still needs its review

    assert stage_progress(stage, ana).to_json() == {"done": 3, "open": 1, "total": 6, "mine": 2}
    assert stage_progress(stage, ben).mine == 1
    assert stage_progress(stage).mine == 0
    people = [(row.user, row.mode, row.done, row.open) for row in people_progress(stage)]
    assert people == [(ana, "review", 2, 1), (ben, "blind", 1, 0)]


def test_progress_of_pairs_and_adjudication(project: Project) -> None:
    ana = make_member(project)
    pair, decided = make_pair(project), make_pair(project)
    tagging = stage_of(project, StageKind.PAIR_TAG)
    make_assignment(pair, ana, tagging)
    make_tag(decided, "relevant")
    assert stage_progress(tagging, ana).to_json() == {"done": 1, "open": 1, "total": 2, "mine": 0}
    make_annotation(pair.premise.sentences.get(), ana)
    make_gold(pair.hypothesis.sentences.get())
    adjudication = stage_of(project, StageKind.ADJUDICATE)
    assert stage_progress(adjudication).to_json() == {"done": 1, "open": 1, "total": 4, "mine": 0}
    assert [stage.position for stage, _ in project_progress(project)] == list(range(6))


def test_own_work_is_in_reading_order(project: Project) -> None:
    ana = make_member(project)
    stage = stage_of(project, StageKind.CORRECT)
    first, second = make_sentence(project), make_sentence(project)
    make_assignment(second, ana, stage)
    make_assignment(first, ana, stage, done=True)
    assert [row.sentence for row in own_assignments(stage, ana)] == [first, second]


def test_queue_has_differing_work_lowest_agreement_first_then_doubts_then_pairs(project: Project) -> None:
    ana, ben, judge = make_member(project), make_member(project), make_member(project, "adjudicator")
    stage = stage_of(project, StageKind.CORRECT)
    doubtful, near, far, agreed, decided, open_work = (make_sentence(project, "a b c d") for _ in range(6))
    make_annotation(doubtful, ana, [span(0)], doubt=True, comment="metonymy?")
    make_annotation(near, ana, [span(0)])
    make_annotation(near, ben, mode=Mode.BLIND)
    make_annotation(far, ana, [span(0, 1)])
    make_annotation(far, ben, [span(2)])
    for sentence in (agreed, decided, open_work):
        make_annotation(sentence, ana)
    make_annotation(agreed, ben)
    for sentence in (decided, open_work):
        make_annotation(sentence, ben, [span(0)])
    make_gold(decided)
    make_assignment(open_work, ben, stage, mode=Mode.BLIND)
    make_prediction(near, [span(3)], [0, 0, 0, 0.9])
    pair = make_pair(project)
    make_tag(pair, "relevant", user=ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)
    make_tag(pair, "relevant", kind="silver")

    waiting = queue(project, "es", judge)

    assert [(item.kind, item.pk, item.agreement, item.why) for item in waiting] == [
        ("sentence", far.pk, 0.25, "differs"),
        ("sentence", near.pk, 0.75, "differs"),
        ("sentence", doubtful.pk, 1.0, "doubt"),
        ("pair", pair.pk, 0.0, "differs"),
    ]
    items = adjudication_items(project, waiting, "es", judge)
    assert [(row["annotator"], row["spans"]) for row in items[0]["annotations"]] == [
        (str(ana), [span(0, 1)]),
        (str(ben), [span(2)]),
    ]
    assert items[1]["suggestions"]["spans"] == [span(3)]
    assert items[2]["annotations"][0]["comment"] == "metonymy?"
    assert [row["tag"] for row in items[3]["tags"]] == ["relevant", "discarded"]
    assert items[3]["suggestions"] == "relevant"


def test_queue_hides_what_the_adjudicator_did_blind(project: Project) -> None:
    ana, judge = make_member(project), make_member(project, "adjudicator")
    sentence = make_sentence(project)
    make_annotation(sentence, ana, [span(0)])
    make_annotation(sentence, judge, mode=Mode.BLIND)
    make_assignment(sentence, judge, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND, done=True)
    assert queue(project, "es", judge) == []
    assert len(queue(project, "es", ana)) == 1
