"""Claiming and blind samples: who gets what, and who never does."""

from __future__ import annotations

import pytest

from annotator.actions.annotations import open_annotation, save_annotation
from annotator.actions.assignments import assign_blind, claim, claim_next, draw_pairs, free_open
from annotator.actions.errors import ActionError
from annotator.models import (
    Annotation,
    Assignment,
    AssignmentState,
    Event,
    Mode,
    Pair,
    Project,
    Sentence,
    Stage,
    StageKind,
    Tag,
    TagKind,
)
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    make_user,
    stage_of,
)
from tests.site import Site

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def correct(project: Project) -> Stage:
    return stage_of(project, StageKind.CORRECT)


def test_hands_out_in_reading_order_and_logs_it(project: Project, correct: Stage) -> None:
    first, second = make_sentence(project), make_sentence(project)
    make_sentence(project, "Time flies", language="en")
    ana = make_member(project)

    claimed = claim_next(stage=correct, user=ana)
    assert claimed is not None
    assert (claimed.sentence, claimed.user, claimed.mode, claimed.state) == (first, ana, "review", "open")
    assert Event.objects.get().after == {"stage": correct.pk, "sentence": first.pk, "pair": None}

    # Own open work comes again until it is done, or held.
    assert claim_next(stage=correct, user=ana) == claimed
    following = claim_next(stage=correct, user=ana, held=[claimed.pk])
    assert following is not None
    assert following.sentence == second
    assert claim_next(stage=correct, user=ana, held=[claimed.pk, following.pk]) is None
    assert Assignment.objects.count() == 2


def test_blind_work_comes_before_reviews_that_stand_earlier(project: Project, correct: Stage) -> None:
    early, late = make_sentence(project), make_sentence(project)
    ana = make_member(project)
    make_assignment(early, ana, correct)
    blind = make_assignment(late, ana, correct, mode=Mode.BLIND)

    assert claim_next(stage=correct, user=ana) == blind


def test_two_people_never_share_an_item(project: Project, correct: Stage) -> None:
    for _ in range(4):
        make_sentence(project)
    ana, ben = make_member(project), make_member(project)

    for_ana = claim(stage=correct, user=ana, count=3)
    for_ben = claim(stage=correct, user=ben, count=3)

    assert len(for_ana) == 3
    assert len(for_ben) == 1
    assert not {row.sentence_id for row in for_ana} & {row.sentence_id for row in for_ben}
    assert Annotation.objects.count() == 4  # each opened for the one who has it


@pytest.mark.parametrize("count", [0, 6])
def test_refuses_odd_counts(project: Project, correct: Stage, count: int) -> None:
    make_sentence(project)
    with pytest.raises(ActionError, match="Between 1 and 5"):
        claim(stage=correct, user=make_member(project), count=count)
    assert not Assignment.objects.exists()


def test_adjudication_is_not_claimed(project: Project) -> None:
    with pytest.raises(ActionError, match="queue of its own"):
        claim_next(stage=stage_of(project, StageKind.ADJUDICATE), user=make_member(project))


def test_leaves_out_what_is_decided_reviewed_elsewhere_or_replaced(project: Project, correct: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    make_gold(make_sentence(project))
    other_stage = Stage.objects.create(project=project, kind=StageKind.PROJECT_REVIEW, language="es", position=9)
    make_assignment(make_sentence(project), ben, other_stage)
    replaced = make_sentence(project)
    replaced.is_current = False
    replaced.save()
    assert claim_next(stage=correct, user=ana) is None


def test_own_work_on_decided_or_replaced_sentences_is_not_handed_out_again(project: Project, correct: Stage) -> None:
    ana = make_member(project)
    decided, replaced = make_sentence(project), make_sentence(project)
    make_assignment(decided, ana, correct)
    make_assignment(replaced, ana, correct)
    make_gold(decided)
    replaced.is_current = False
    replaced.save()
    assert claim_next(stage=correct, user=ana) is None


def test_blind_person_gets_no_review_of_that_segment_in_any_language(project: Project, correct: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    blind = make_assignment(spanish, ben, correct, mode=Mode.BLIND)
    in_english = stage_of(project, StageKind.CORRECT, "en")

    assert claim_next(stage=in_english, user=ben) is None
    assert claim_next(stage=correct, user=ben) == blind
    claimed = claim_next(stage=in_english, user=ana)
    assert claimed is not None
    assert claimed.sentence == english


def test_blind_work_done_leaves_the_review_to_somebody_else(project: Project, correct: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    make_assignment(make_sentence(project), ben, correct, mode=Mode.BLIND, done=True)
    assert claim_next(stage=correct, user=ben) is None
    assert claim_next(stage=correct, user=ana) is not None


def test_pairs_are_claimed_too_but_not_when_a_side_is_blind(project: Project, correct: Stage) -> None:
    ana, ben = make_member(project), make_member(project)
    pair = make_pair(project)
    make_assignment(pair.hypothesis.sentences.get(), ben, correct, mode=Mode.BLIND)
    stage = stage_of(project, StageKind.PAIR_TAG)

    assert claim_next(stage=stage, user=ben) is None
    claimed = claim_next(stage=stage, user=ana)
    assert claimed is not None
    assert (claimed.pair, claimed.sentence) == (pair, None)


def test_sample_is_seeded_in_whole_groups_and_the_same_for_all(project: Project, correct: Stage) -> None:
    pairs = [make_pair(project) for _ in range(8)]
    ana, ben, boss = make_member(project), make_member(project), make_member(project, "manager")

    summaries = assign_blind(project=project, language="es", users=[ana, ben], pairs=3, seed=7, by=boss)

    drawn = draw_pairs(project, "es", 3, 7)
    assert draw_pairs(project, "es", 3, 7) == drawn
    assert {tuple(draw_pairs(project, "es", 3, seed)) for seed in range(20)} != {tuple(drawn)}
    assert len(drawn) == 3
    assert set(drawn) < set(pairs)
    assert [(row.pairs, row.sentences, row.seen) for row in summaries] == [(3, 6, 0), (3, 6, 0)]
    for user in (ana, ben):
        own = Assignment.objects.filter(user=user)
        assert {row.mode for row in own} == {"blind"}
        assert {row.pair for row in own if row.pair} == set(drawn)
        assert {row.sentence.segment_id for row in own if row.sentence} == {
            pk for pair in drawn for pk in (pair.premise_id, pair.hypothesis_id)
        }
    assert Event.objects.filter(verb="assignment.blind", actor=boss).count() == 18
    assert Event.objects.get(verb="assignment.sample").after["seed"] == 7


def test_assigning_again_changes_nothing(project: Project) -> None:
    make_pair(project)
    ben = make_member(project)
    assign_blind(project=project, language="es", users=[ben], pairs=1, seed=1, by=None)
    before = list(Assignment.objects.values())

    again = assign_blind(project=project, language="es", users=[ben], pairs=1, seed=1, by=None)

    assert (again[0].pairs, again[0].sentences, again[0].already) == (0, 0, 3)
    assert list(Assignment.objects.values()) == before


def test_what_a_person_saw_with_suggestions_is_counted_and_left_out(project: Project, correct: Stage) -> None:
    ben = make_member(project)
    seen, tagged, decided, fresh = (make_pair(project) for _ in range(4))
    make_assignment(seen.premise.sentences.get(), ben, correct)
    make_tag(tagged, "relevant", user=ben)
    make_gold(decided.hypothesis.sentences.get())

    summary = assign_blind(project=project, language="es", users=[ben], pairs=4, seed=1, by=None)[0]

    assert (summary.pairs, summary.sentences, summary.seen, summary.decided) == (1, 2, 2, 1)
    blind = Assignment.objects.filter(mode=Mode.BLIND)
    assert {row.pair for row in blind if row.pair} == {fresh}


def test_an_annotation_seen_in_another_language_counts_as_seen(project: Project) -> None:
    ben = make_member(project)
    pair = make_pair(project)
    english = make_sentence(project, "Time flies", language="en", segment=pair.premise)
    make_annotation(english, ben)
    summary = assign_blind(project=project, language="es", users=[ben], pairs=1, seed=1, by=None)[0]
    assert (summary.pairs, summary.seen) == (0, 1)


def test_blind_work_is_for_members_and_languages_of_the_project(project: Project) -> None:
    make_pair(project)
    ben = make_member(project)
    with pytest.raises(ActionError, match="not a member"):
        assign_blind(project=project, language="es", users=[ben, make_user()], pairs=1, seed=1, by=None)
    with pytest.raises(ActionError, match="no stage"):
        assign_blind(project=project, language="fr", users=[ben], pairs=1, seed=1, by=None)
    with pytest.raises(ActionError, match="no pairs"):
        assign_blind(project=project, language="en", users=[ben], pairs=1, seed=1, by=None)
    with pytest.raises(ActionError, match="at least 1"):
        assign_blind(project=project, language="es", users=[ben], pairs=0, seed=1, by=None)
    assert not Assignment.objects.exists()


def test_claiming_after_done_goes_on(project: Project, correct: Stage) -> None:
    make_sentence(project)
    second = make_sentence(project)
    ana = make_member(project)
    claimed = claim_next(stage=correct, user=ana)
    assert claimed is not None
    save_annotation(
        annotation=open_annotation(assignment=claimed, by=ana),
        version=1,
        spans=[],
        doubt=False,
        comment="",
        done=True,
        by=ana,
    )
    claimed.refresh_from_db()
    assert claimed.state == AssignmentState.DONE
    following = claim_next(stage=correct, user=ana)
    assert following is not None
    assert following.sentence == second


CROWD = """
import threading
from django.db import connection
from annotator.actions.assignments import claim
from annotator.models import *
from tests.factories import *
project = make_project()
people = [make_member(project) for _ in range(6)]
for _ in range(60):
    make_sentence(project)
stage = stage_of(project, "correct")
start, faults = threading.Barrier(len(people)), []

def work(user):
    held = []
    start.wait()
    try:
        while got := claim(stage=stage, user=user, held=held, count=2):
            held += [row.pk for row in got]
    except Exception as error:
        faults.append(repr(error))
    finally:
        connection.close()

threads = [threading.Thread(target=work, args=(user,)) for user in people]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
import json
rows = Assignment.objects.all()
print(json.dumps({
    "faults": faults, "assignments": rows.count(),
    "sentences": rows.values("sentence").distinct().count(), "people": rows.values("user").distinct().count(),
    "events": Event.objects.filter(verb="assignment.claimed").count(), "opened": Annotation.objects.count(),
}))
"""


def test_six_people_asking_at_the_same_moment_share_nothing(any_site: Site) -> None:
    found = any_site.python(CROWD)
    assert found["faults"] == []
    assert (found["assignments"], found["sentences"], found["events"], found["opened"]) == (60, 60, 60, 60)
    assert found["people"] > 1


def test_pairs_whose_sentences_are_labelled_are_claimed_first_then_those_with_silver(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, StageKind.PAIR_TAG)
    half, blind, silver, reviewed, decided = (make_pair(project) for _ in range(5))
    make_tag(silver, Tag.RELEVANT, kind=TagKind.SILVER)
    make_tag(half, Tag.RELEVANT, kind=TagKind.SILVER, language="en")

    def sentences(pair: Pair) -> list[Sentence]:
        return [pair.premise.sentences.get(), pair.hypothesis.sentences.get()]

    make_annotation(sentences(half)[0], ben)
    for one in sentences(blind):
        make_annotation(one, ben, mode=Mode.BLIND)  # another person's blind labels are not shown to whoever tags
    for one in sentences(reviewed):
        make_annotation(one, ben)
    for one in sentences(decided):
        make_gold(one)

    claimed = claim(stage=stage, user=ana, count=5)

    assert [item.pair for item in claimed] == [reviewed, decided, silver, half, blind]


class TestFreeing:
    def test_a_freed_item_is_free_for_others_and_keeps_what_was_saved(self, project: Project, correct: Stage) -> None:
        sentence, finished = make_sentence(project), make_sentence(project)
        ana, ben = make_member(project), make_member(project)
        make_assignment(finished, ana, correct, done=True)
        (item,) = claim(stage=correct, user=ana)
        annotation = Annotation.objects.get(sentence=sentence, annotator=ana)
        save_annotation(annotation=annotation, version=1, spans=[], doubt=True, comment="?", done=False, by=ana)
        assert claim(stage=correct, user=ben) == []

        assert free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana) == 1

        event = Event.objects.get(verb="assignment.handed_back")
        assert (event.subject_id, event.actor, event.before["sentence"]) == (item.pk, ana, sentence.pk)
        (taken,) = claim(stage=correct, user=ben)
        assert taken.sentence == sentence
        assert Assignment.objects.filter(user=ana).get().sentence == finished
        assert Annotation.objects.get(sentence=sentence, annotator=ana).comment == "?"
        # Freed again, it comes back to the first person with what they had saved.
        assert free_open(stage=correct, user=ben, mode=Mode.REVIEW, by=ana) == 1
        assert Event.objects.filter(verb="assignment.freed").count() == 1
        (again,) = claim(stage=correct, user=ana)
        assert again.sentence == sentence
        assert Annotation.objects.get(sentence=sentence, annotator=ana).doubt

    def test_only_open_items_of_that_person_stage_and_mode(self, project: Project, correct: Stage) -> None:
        ana, ben = make_member(project), make_member(project)
        first, second, third, fourth = (make_sentence(project) for _ in range(4))
        wanted = make_assignment(first, ana, correct)
        kept = [
            make_assignment(second, ana, correct),
            make_assignment(third, ana, correct, mode=Mode.BLIND),
            make_assignment(third, ben, correct),
            make_assignment(fourth, ana, correct, done=True),
        ]

        def free(*ids: int) -> int:
            return free_open(stage=correct, user=ana, mode=Mode.REVIEW, by=ana, ids=ids)

        assert free(wanted.pk, *(row.pk for row in kept[1:])) == 1
        assert set(Assignment.objects.all()) == set(kept)
        assert free(wanted.pk) == 0
        assert Event.objects.count() == 1
