"""Who is blind on which segment."""

from __future__ import annotations

import pytest
from django.db.models import Q

from annotator.kinds.pair_tags.sides import pair_views
from annotator.models import BlindMark, Item, Mode, Project, Segment, Sentence, Unit, User
from annotator.work.blind.queries.blind import blind_on, blind_segments, blind_units, hiding, is_blind, labels_blind
from annotator.work.lexicon.queries.lemmas import lemma_memory
from annotator.work.queue.actions.items import retire
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


def sentence_of(segment: Segment, language: str = "es") -> Sentence:
    return Sentence.objects.select_related("segment").get(segment=segment, language=language, is_current=True)


def test_review_work_blinds_nobody(project: Project, ben: User) -> None:
    sentence = make_sentence(project)
    make_assignment(sentence, ben, stage_of(project, "correct"))
    assert not is_blind(ben, sentence)


@pytest.mark.parametrize("done", [False, True])
def test_blind_on_the_segment_until_gold_is_decided(project: Project, ben: User, done: bool) -> None:
    sentence, other = make_sentence(project), make_sentence(project)
    make_assignment(sentence, ben, stage_of(project, "correct"), mode=Mode.BLIND, done=done)
    assert is_blind(ben, sentence)
    assert not is_blind(ben, other)
    assert not is_blind(make_member(project), sentence)
    make_gold(sentence)
    assert not is_blind(ben, sentence)


def test_gold_in_another_language_does_not_end_it(project: Project, ben: User) -> None:
    sentence = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=sentence.segment)
    make_assignment(sentence, ben, stage_of(project, "correct"), mode=Mode.BLIND)
    make_gold(english)
    assert is_blind(ben, english)


def test_a_blind_pair_hides_both_its_segments_until_its_tag_is_gold(project: Project, ben: User) -> None:
    pair = make_pair(project)
    for segment in (pair.premise, pair.hypothesis):
        make_sentence(project, "Time flies", language="en", segment=segment)
    english = make_pair_unit(pair, "en")
    make_assignment(pair, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND)
    both = {pair.premise_id, pair.hypothesis_id}
    make_gold(sentence_of(pair.premise))
    make_tag(pair, "relevant", language="en")
    assert blind_segments(ben, project, [*both, 999_999]) == both
    assert blind_units(ben, project, [unit_of(pair), english]) == {unit_of(pair).pk, english.pk}
    make_tag(pair, "relevant")
    assert blind_segments(ben, project, both) == set()


def test_a_pair_is_hidden_by_either_side(project: Project, ben: User) -> None:
    pair = make_pair(project)
    make_assignment(sentence_of(pair.premise), ben, stage_of(project, "correct"), mode=Mode.BLIND)
    assert is_blind(ben, unit_of(pair))
    assert not is_blind(make_member(project), unit_of(pair))


def test_the_condition_agrees_with_the_set(project: Project, ben: User) -> None:
    sentences = [make_sentence(project) for _ in range(3)]
    pair = make_pair(project)
    make_assignment(sentences[1], ben, stage_of(project, "correct"), mode=Mode.BLIND)
    make_assignment(pair, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND)
    condition: Q = blind_on(ben, project, "segment_id", hiding(project, project.label_layer))
    hidden = Sentence.objects.filter(condition)
    assert {row.segment_id for row in hidden} == {sentences[1].segment_id, pair.premise_id, pair.hypothesis_id}
    assert {row.segment_id for row in hidden} == blind_segments(
        ben, project, Sentence.objects.values_list("segment_id", flat=True)
    )
    assert Sentence.objects.filter(~condition).count() == 2


def test_a_layer_may_let_another_be_seen(project: Project, ben: User) -> None:
    pair = make_pair(project)
    tags = stage_of(project, "pair-tag")
    make_assignment(pair, ben, tags, mode=Mode.BLIND)
    labels = project.label_layer
    assert blind_segments(ben, project, [pair.premise_id], labels) == {pair.premise_id}
    tags.layer.shows = [labels.slug]
    tags.layer.save()
    assert blind_segments(ben, project, [pair.premise_id], labels) == set()
    assert blind_segments(ben, project, [pair.premise_id], tags.layer) == {pair.premise_id}
    assert is_blind(ben, unit_of(pair))


def test_lemma_memory_shows_own_labels_only_while_blind_work_is_open(project: Project, ben: User, ana: User) -> None:
    first, second, third = (make_sentence(project) for _ in range(3))
    make_annotation(first, ana, [span(2)])
    make_annotation(second, ben, mode=Mode.BLIND)
    make_gold(third, [span(2)])

    def seen(user: User) -> tuple[int, int]:
        memory = lemma_memory(project, language="es", lemma="vuela", user=user)
        assert memory.lemma == "volar"
        assert len(memory.examples) == memory.labelled + memory.unlabelled
        return memory.labelled, memory.unlabelled

    assert seen(ben) == seen(ana) == (2, 1)
    correct = stage_of(project, "correct")
    work = make_assignment(make_sentence(project), ben, correct, mode=Mode.BLIND)
    assert labels_blind(ben, project, "es")
    assert seen(ben) == (0, 1)
    assert seen(ana) == (2, 1)
    save(work, {"spans": []})
    make_gold(work.unit)
    make_assignment(first, ben, correct, mode=Mode.BLIND, done=True)
    assert not labels_blind(ben, project, "es")
    # All but the segment on which they are still blind: it is nobody's for them until they label it themselves.
    assert seen(ben) == (1, 2)
    make_annotation(first, ben, mode=Mode.BLIND)
    assert seen(ben) == (1, 3)
    assert seen(ana) == (2, 2)


def test_lemma_memory_goes_by_what_the_layer_of_the_blind_work_shows(project: Project, ben: User) -> None:
    """Whoever tags pairs blind sees decided labels where the layer of tags says so, and only then."""
    pair, elsewhere = make_pair(project), make_sentence(project)
    for unit in (sentence_of(pair.premise), elsewhere):
        make_annotation(unit, make_member(project), [span(2)])
    tagging = stage_of(project, "pair-tag")
    make_assignment(pair, ben, tagging, mode=Mode.BLIND)

    def seen() -> int:
        return lemma_memory(project, language="es", lemma="vuela", user=ben).labelled

    assert seen() == 0
    tagging.layer.shows = [project.label_layer.slug]
    tagging.layer.save()
    assert seen() == 2
    make_assignment(elsewhere, ben, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
    assert seen() == 1, "blind in the layer itself: own labels alone"
    assert not blind_segments(make_member(project), project, [elsewhere.segment_id])


def test_sides_of_a_pair_carry_own_labels_or_none_where_blind(project: Project, ben: User, ana: User) -> None:
    pair = make_pair(project)
    premise, hypothesis = sentence_of(pair.premise), sentence_of(pair.hypothesis)
    make_annotation(premise, ana, [span(2)])
    make_annotation(hypothesis, ana, [span(1)])
    make_annotation(hypothesis, ben, [span(0)], mode=Mode.BLIND)
    make_assignment(pair, ben, stage_of(project, "pair-tag"), mode=Mode.BLIND)

    def labels(user: User) -> list[tuple[str, list[dict[str, object]]]]:
        view = pair_views(project, [unit_of(pair)], user)[unit_of(pair).pk]
        return [(side.labels, side.spans) for side in (view.premise, view.hypothesis)]

    assert labels(ben) == [("none", []), ("own", [span(0)])]
    assert labels(ana) == [("own", [span(2)]), ("own", [span(1)])]
    assert labels(make_member(project)) == [("annotation", [span(2)]), ("annotation", [span(1)])]
    make_gold(premise, [span(1)])
    assert labels(ana)[0] == ("gold", [span(1)])
    assert labels(ben)[0] == ("none", [])


def test_blind_work_on_a_text_that_was_replaced_is_over(project: Project, ben: User) -> None:
    old = make_sentence(project)
    make_assignment(old, ben, stage_of(project, "correct"), mode=Mode.BLIND)
    assert labels_blind(ben, project, "es")

    replace(old, user=ben)
    new = Unit.objects.create(
        project=project,
        segment=old.segment,
        language="es",
        revision=2,
        tokens=["Pasa"],
        token_count=1,
        touches=[old.segment_id],
    )

    # Nobody could ever finish it, so it would hide the segment, the memory and the releases for good.
    assert not labels_blind(ben, project, "es")
    assert not is_blind(ben, new)
    assert not BlindMark.objects.filter(live=True).exists()


def replace(sentence: Sentence, *, user: User) -> None:
    """Take a sentence out of use, as a new revision does."""
    Unit.objects.filter(pk=sentence.pk).update(is_current=False)
    retire(Item.objects.filter(unit=sentence), user=user)
