"""Who is blind on which segment."""

from __future__ import annotations

import pytest
from django.db.models import Q

from annotator.models import Mode, Project, Sentence, StageKind, User
from annotator.queries.blind import blind_on, blind_segments, is_blind, is_blind_on_pair, labels_blind
from annotator.queries.lemmas import lemma_memory
from annotator.queries.workspace import pair_sides
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project)


def test_review_work_blinds_nobody(project: Project, ben: User) -> None:
    sentence = make_sentence(project)
    make_assignment(sentence, ben, stage_of(project, StageKind.CORRECT))
    assert not is_blind(ben, sentence.segment)


@pytest.mark.parametrize("done", [False, True])
def test_blind_on_the_segment_until_gold_is_decided(project: Project, ben: User, done: bool) -> None:
    sentence, other = make_sentence(project), make_sentence(project)
    make_assignment(sentence, ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND, done=done)
    assert is_blind(ben, sentence.segment)
    assert not is_blind(ben, other.segment)
    assert not is_blind(make_member(project), sentence.segment)
    make_gold(sentence)
    assert not is_blind(ben, sentence.segment)


def test_gold_in_another_language_does_not_end_it(project: Project, ben: User) -> None:
    sentence = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=sentence.segment)
    make_assignment(sentence, ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    make_gold(english)
    assert is_blind(ben, english.segment)


def test_a_blind_pair_hides_both_its_segments_until_its_tag_is_gold(project: Project, ben: User) -> None:
    pair = make_pair(project)
    make_assignment(pair, ben, stage_of(project, StageKind.PAIR_TAG), mode=Mode.BLIND)
    both = {pair.premise_id, pair.hypothesis_id}
    make_gold(pair.premise.sentences.get())
    make_tag(pair, "relevant", language="en")
    assert blind_segments(ben, project, [*both, 999_999]) == both
    assert is_blind_on_pair(ben, pair)
    make_tag(pair, "relevant")
    assert blind_segments(ben, project, both) == set()


def test_a_pair_is_hidden_by_either_side(project: Project, ben: User) -> None:
    pair = make_pair(project)
    make_assignment(pair.premise.sentences.get(), ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    assert is_blind_on_pair(ben, pair)
    assert not is_blind_on_pair(make_member(project), pair)


def test_the_condition_agrees_with_the_set(project: Project, ben: User) -> None:
    sentences = [make_sentence(project) for _ in range(3)]
    pair = make_pair(project)
    make_assignment(sentences[1], ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    make_assignment(pair, ben, stage_of(project, StageKind.PAIR_TAG), mode=Mode.BLIND)
    condition: Q = blind_on(ben, project, "segment_id")
    hidden = Sentence.objects.filter(condition)
    assert {row.segment_id for row in hidden} == {sentences[1].segment_id, pair.premise_id, pair.hypothesis_id}
    assert Sentence.objects.filter(~condition).count() == 2


def test_lemma_memory_shows_own_labels_only_while_blind_work_is_open(project: Project, ben: User) -> None:
    ana = make_member(project)
    first, second, third = (make_sentence(project) for _ in range(3))
    make_annotation(first, ana, [span(2)])
    make_annotation(second, ben, mode=Mode.BLIND)
    make_gold(third, [span(2)])

    def seen(user: User) -> tuple[int, int]:
        memory = lemma_memory(project, language="es", lemma="vuela", user=user)
        assert memory.lemma == "volar"
        return memory.labelled, memory.unlabelled

    assert seen(ben) == seen(ana) == (2, 1)
    correct = stage_of(project, StageKind.CORRECT)
    work = make_assignment(make_sentence(project), ben, correct, mode=Mode.BLIND)
    assert labels_blind(ben, project, "es")
    assert seen(ben) == (0, 1)
    assert seen(ana) == (2, 1)
    work.state = "done"
    work.save()
    make_assignment(first, ben, correct, mode=Mode.BLIND, done=True)
    assert seen(ben) == (1, 1)  # all but the segment on which they are still blind


def test_sides_of_a_pair_carry_own_labels_or_none_where_blind(project: Project, ben: User) -> None:
    ana = make_member(project)
    pair = make_pair(project)
    premise, hypothesis = pair.premise.sentences.get(), pair.hypothesis.sentences.get()
    make_annotation(premise, ana, [span(2)])
    make_annotation(hypothesis, ana, [span(1)])
    make_annotation(hypothesis, ben, [span(0)], mode=Mode.BLIND)
    make_assignment(pair, ben, stage_of(project, StageKind.PAIR_TAG), mode=Mode.BLIND)

    def labels(user: User) -> list[tuple[str, list[dict[str, object]]]]:
        sides = pair_sides(project, "es", [pair], user)
        return [(sides[pk]["labels"], sides[pk]["spans"]) for pk in (pair.premise_id, pair.hypothesis_id)]

    assert labels(ben) == [("none", []), ("own", [span(0)])]
    assert labels(ana) == [("own", [span(2)]), ("own", [span(1)])]
    assert labels(make_member(project)) == [("annotation", [span(2)]), ("annotation", [span(1)])]
    make_gold(premise, [span(1)])
    assert labels(ana)[0] == ("gold", [span(1)])
    assert labels(ben)[0] == ("none", [])


def test_blind_work_on_a_text_that_was_replaced_is_over(project: Project, ben: User) -> None:
    old = make_sentence(project)
    make_assignment(old, ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    assert labels_blind(ben, project, "es")

    Sentence.objects.filter(pk=old.pk).update(is_current=False)
    new = Sentence.objects.create(
        project=project, segment=old.segment, language="es", revision=2, tokens=["Pasa"], token_count=1
    )

    # Nobody could ever finish it, so it would hide the segment, the memory and the releases for good.
    assert not labels_blind(ben, project, "es")
    assert not is_blind(ben, new.segment)
