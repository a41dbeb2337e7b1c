"""Which pairs are tagged first: those whose sentences are labelled, then those with silver, then the rest."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.machines.actions.transfers import transfer_tags
from annotator.models import (
    Annotation,
    AnnotationState,
    Gold,
    Item,
    Layer,
    Mode,
    Pair,
    Project,
    Suggestion,
    Unit,
    User,
)
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.order import refresh_order
from tests.factories import (
    make_annotation,
    make_gold,
    make_pair,
    make_pair_unit,
    make_sentence,
    make_silver,
    make_tag,
    span,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db
MOOD = {"labels": ["CALM"]}


def sentences(pair: Pair, language: str = "es") -> tuple[Unit, Unit]:
    return pair.premise.units.get(language=language), pair.hypothesis.units.get(language=language)


def sentences_now(pair: Pair) -> list[Unit]:
    """As `sentences`, in the revisions that stand."""
    return [segment.units.get(language="es", is_current=True) for segment in (pair.premise, pair.hypothesis)]


def place(pair: Pair, language: str = "es") -> int:
    return Item.objects.get(unit=unit_of(pair, language), stage__kind="pair-tag").unlabelled


def test_the_order_is_the_one_in_which_pairs_are_claimed(project: Project, ana: User) -> None:
    rest, silver, labelled = (make_pair(project) for _ in range(3))
    make_silver(silver, "relevant", language="es", source="en")
    refresh_order(project, [unit_of(silver)])
    for sentence in sentences(labelled):
        make_annotation(sentence, ana, [span(1)])
        refresh_order(project, [sentence])

    claimed = claim(stage=stage_of(project, "pair-tag"), user=ana, count=3, now=timezone.now())

    assert [row.unit for row in claimed] == [unit_of(labelled), unit_of(silver), unit_of(rest)]


def test_both_sentences_must_be_finished_and_may_be_reopened(project: Project, ana: User) -> None:
    pair, other = make_pair(project), make_pair(project)
    premise, hypothesis = sentences(pair)
    assert place(pair) == 2

    make_gold(premise)
    refresh_order(project, [premise])
    assert place(pair) == 2
    annotation = make_annotation(hypothesis, ana)
    refresh_order(project, [hypothesis])
    assert (place(pair), place(other)) == (0, 2)

    annotation.state = AnnotationState.OPEN
    annotation.save()
    refresh_order(project, [hypothesis])
    assert place(pair) == 2

    make_gold(hypothesis)
    refresh_order(project, [hypothesis])
    assert place(pair) == 0
    Gold.objects.filter(unit=premise).update(reopened=True)
    refresh_order(project, [premise])
    assert place(pair) == 2


def test_what_comes_in_together_is_looked_at_pair_by_pair(project: Project) -> None:
    half, whole = make_pair(project), make_pair(project)
    make_gold(sentences(half)[0])
    for sentence in sentences(whole):
        make_gold(sentence)

    refresh_order(project, [*sentences(half), *sentences(whole)])

    assert (place(half), place(whole)) == (2, 0)


def test_only_what_stands_counts(project: Project, ana: User) -> None:
    """Not a further layer of labels, a text that was replaced, or a tag that is no longer suggested."""
    layered, replaced, withdrawn = (make_pair(project) for _ in range(3))
    further = Layer.objects.create(
        project=project, slug="mood", content_type="spans", unit_kind="sentence", scheme_data=MOOD, position=9
    )
    for sentence in sentences(layered):
        Annotation.objects.create(
            project=project, unit=sentence, layer=further, user=ana, state="done", content={"spans": []}
        )
    for sentence in sentences(replaced):
        make_annotation(sentence, ana)
        Unit.objects.filter(pk=sentence.pk).update(is_current=False)
        Unit.objects.create(
            project=project, segment=sentence.segment, language="es", tokens=["Otro"], token_count=1, revision=2,
            touches=[sentence.segment_id],
        )  # fmt: skip
    make_silver(withdrawn, "relevant", language="es", source="en")
    Suggestion.objects.update(is_current=False)
    pairs = [layered, replaced, withdrawn]

    refresh_order(project, [unit for pair in pairs for unit in sentences_now(pair)])
    assert [place(pair) for pair in pairs] == [2, 2, 2]
    for unit in [*(sentences_now(pair)[0] for pair in pairs), *map(unit_of, pairs)]:
        refresh_order(project, [unit])
    assert [place(pair) for pair in pairs] == [2, 2, 2]


def test_neither_blind_answers_nor_another_language_count(project: Project, ana: User) -> None:
    pair = make_pair(project)
    for sentence in sentences(pair):
        make_annotation(sentence, ana, mode=Mode.BLIND)
        make_gold(make_sentence(project, "Time flies", language="en", segment=sentence.segment))

    refresh_order(project, Unit.objects.all())
    make_pair_unit(pair, "en")

    assert (place(pair), place(pair, "en")) == (2, 0)


def test_pairs_that_come_in_later_have_their_place_at_once(project: Project) -> None:
    pair = make_pair(project)
    english = [
        make_sentence(project, "Time flies", language="en", segment=segment)
        for segment in (pair.premise, pair.hypothesis)
    ]
    for sentence in english:
        make_gold(sentence)
    make_pair_unit(pair, "en")

    assert (place(pair), place(pair, "en")) == (2, 0)


def test_silver_comes_before_the_rest(project: Project) -> None:
    pair, rest = make_pair(project), make_pair(project)
    for one in (pair, rest):
        for segment in (one.premise, one.hypothesis):
            make_sentence(project, "Time flies", language="en", segment=segment)
        make_pair_unit(one, "en")
    make_tag(pair, "relevant")

    transfer_tags(project=project, source="es", target="en", by=None)

    assert (place(pair, "en"), place(rest, "en"), place(pair, "es")) == (1, 2, 2)


def test_a_few_statements_for_a_sentence_and_none_where_there_are_no_pairs(
    project: Project, django_assert_num_queries: Any, ana: User
) -> None:
    pair = make_pair(project)
    premise, hypothesis = sentences(pair)
    alone = make_sentence(project)
    with django_assert_num_queries(1):
        refresh_order(project, [alone])
    with django_assert_num_queries(3):
        refresh_order(project, [premise])
    for sentence in (premise, hypothesis):
        make_annotation(sentence, ana, [span(1)])
    with django_assert_num_queries(3):
        refresh_order(project, [hypothesis])
    assert place(pair) == 0
    with django_assert_num_queries(1):
        refresh_order(project, [premise, hypothesis])

    project.inferences = []
    with django_assert_num_queries(0):
        refresh_order(project, [premise])
