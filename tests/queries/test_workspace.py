"""What a workspace shows of an item."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from annotator.actions.annotations import open_annotation, save_annotation
from annotator.domain.spans import Span
from annotator.models import Annotation, Mode, Pair, Project, SegmentRole, StageKind
from annotator.queries.lemmas import content_words, lemma_memory, lemma_of
from annotator.queries.workspace import item, items, own_items, proposed_pairs
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_projection,
    make_segment,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def test_sentence_with_suggestions_origins_and_words(project: Project) -> None:
    ana = make_member(project)
    sentence = make_sentence(project, "La inflación devora , 3 salarios")
    make_prediction(sentence, [{**span(2), "score": 0.9}, {**span(1), "score": 0.6}], [0, 0.6, 0.9, 0, 0, 0])
    assignment = make_assignment(sentence, ana, stage_of(project, StageKind.CORRECT))
    annotation = open_annotation(assignment=assignment, by=ana)
    spans = [Span((2,), "METAPHOR"), Span((5,), "METAPHOR")]
    save_annotation(annotation=annotation, version=1, spans=spans, doubt=True, comment="so", done=False, by=ana)

    shown = item(assignment, ana)

    assert (shown["id"], shown["kind"], shown["mode"], shown["state"]) == (assignment.pk, "sentence", "review", "open")
    assert shown["sentence"]["uid"] == sentence.segment.uid
    assert shown["sentence"]["lemmas"][:3] == ["el", "inflación", "devorar"]
    assert shown["sentence"]["content"] == [False, True, True, False, False, True]
    assert (shown["annotation"]["version"], shown["annotation"]["doubt"], shown["annotation"]["comment"]) == (
        2,
        True,
        "so",
    )
    assert shown["annotation"]["can_undo"]
    origins = shown["annotation"]["origins"]
    assert {key: [row["tokens"] for row in rows] for key, rows in origins.items()} == {
        "kept": [[2]],
        "added": [[5]],
        "removed": [[1]],
    }
    assert shown["suggestions"]["probabilities"] == [0, 0.6, 0.9, 0, 0, 0]
    assert (shown["suggestions"]["kind"], shown["suggestions"]["name"]) == ("prediction", "crf")
    assert shown["source"] is None
    assert shown["gold"] is False


def test_suggestions_stay_those_that_were_opened(project: Project) -> None:
    ana = make_member(project)
    sentence = make_sentence(project)
    old = make_prediction(sentence, [span(2)], [0, 0, 0.9])
    assignment = make_assignment(sentence, ana, stage_of(project, StageKind.CORRECT))
    open_annotation(assignment=assignment, by=ana)
    old.is_current = False
    old.save()
    make_prediction(sentence, [span(0)], [0.9, 0, 0])
    assert item(assignment, ana)["suggestions"]["spans"] == [span(2)]


def test_projection_comes_with_its_source(project: Project) -> None:
    ana = make_member(project)
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(spanish, english, [span(1)], [span(2)])
    assignment = make_assignment(english, ana, stage_of(project, StageKind.PROJECT_REVIEW, "en"))
    open_annotation(assignment=assignment, by=ana)
    shown = item(assignment, ana)
    assert shown["source"]["tokens"] == ["El", "tiempo", "vuela"]
    assert (shown["source"]["language"], shown["source"]["spans"], shown["source"]["links"]) == (
        "es",
        [span(2)],
        [[0, 0, 0.9]],
    )
    assert (shown["suggestions"]["kind"], shown["suggestions"]["spans"]) == ("projection", [span(1)])


def test_context_is_the_premise_group_in_the_language(project: Project) -> None:
    ana = make_member(project)
    pair = make_pair(project, premise="uno", hypothesis="dos", inference="entailment")
    third = make_sentence(
        project,
        "tres",
        segment=make_segment(project, role=SegmentRole.HYPOTHESIS, group=pair.premise.group),
    )
    make_sentence(project, "three", language="en", segment=third.segment)
    make_sentence(project, "otra historia")
    Pair.objects.create(
        project=project,
        pair_id="third",
        dataset="set",
        premise=pair.premise,
        hypothesis=third.segment,
        inference="neutral",
        position=10_000,
    )
    stage = stage_of(project, StageKind.CORRECT)
    middle = make_assignment(pair.hypothesis.sentences.get(), ana, stage)
    first = make_assignment(pair.premise.sentences.get(), ana, stage)

    in_the_middle, at_first = items([middle, first], ana)

    context = in_the_middle["context"]
    assert [row["text"] for row in context["before"]] == ["uno"]
    assert [row["text"] for row in context["after"]] == ["tres"]
    assert context["pair"] == [{"role": "prem", "inference": "entailment", "text": "uno"}]
    assert [(row["inference"], row["text"]) for row in at_first["context"]["pair"]] == [
        ("entailment", "dos"),
        ("neutral", "tres"),
    ]


def test_blind_items_show_own_labels_only(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    sentence = make_sentence(project)
    make_prediction(sentence, [span(2)], [0, 0, 0.9])
    make_annotation(sentence, ana, [span(1)])
    assignment = make_assignment(sentence, ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    open_annotation(assignment=assignment, by=ben)
    shown = item(assignment, ben)
    assert (shown["mode"], shown["suggestions"], shown["source"]) == ("blind", None, None)
    assert shown["annotation"]["spans"] == []


def test_labels_hidden_since_are_hidden_in_review_items_too(project: Project) -> None:
    ben = make_member(project)
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(spanish, english, [span(1)], [span(2)])
    assignment = make_assignment(english, ben, stage_of(project, StageKind.PROJECT_REVIEW, "en"))
    open_annotation(assignment=assignment, by=ben)
    Annotation.objects.update(spans=[])
    make_assignment(spanish, ben, stage_of(project, StageKind.CORRECT), mode=Mode.BLIND)
    shown = item(assignment, ben)
    assert (shown["mode"], shown["suggestions"], shown["source"]) == ("blind", None, None)
    assert shown["annotation"]["origins"] == {"kept": [], "added": [], "removed": []}


def test_pair_shows_labels_suggestion_and_own_tag(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    pair = make_pair(project)
    make_gold(pair.premise.sentences.get(), [span(2)])
    stage = stage_of(project, StageKind.PAIR_TAG)
    assignment = make_assignment(pair, ana, stage)
    make_tag(pair, "relevant", kind="silver")
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)

    shown = item(assignment, ana)
    assert (shown["kind"], shown["pair"]["pair_id"], shown["pair"]["inference"]) == ("pair", pair.pair_id, "neutral")
    assert (shown["pair"]["premise"]["labels"], shown["pair"]["premise"]["spans"]) == ("gold", [span(2)])
    assert (shown["pair"]["hypothesis"]["labels"], shown["suggested"]) == ("none", "relevant")
    assert shown["tag"] == {"tag": None, "version": 0, "comment": "", "can_undo": False}

    blind = make_assignment(make_pair(project), ben, stage, mode=Mode.BLIND)
    make_tag(blind.pair, "relevant", kind="silver")  # type: ignore[arg-type]
    assert item(blind, ben)["suggested"] is None


def test_pairs_without_labels_are_proposed(project: Project) -> None:
    ana = make_member(project)
    pair = make_pair(project)
    for segment in (pair.premise, pair.hypothesis):
        make_gold(segment.sentences.get())
    stage = stage_of(project, StageKind.PAIR_TAG)
    shown, total = proposed_pairs(stage, ana)
    assert ([row["id"] for row in shown], total) == ([pair.pk], 1)
    assert item(make_assignment(pair, ana, stage), ana)["suggested"] == "no_metaphor"


def test_many_items_cost_as_many_queries_as_one(
    project: Project, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ana = make_member(project)
    stage, tagging = stage_of(project, StageKind.CORRECT), stage_of(project, StageKind.PAIR_TAG)
    assignments = []
    for _ in range(10):
        pair = make_pair(project)
        sentence = pair.premise.sentences.get()
        make_prediction(sentence, [], [0, 0, 0])
        assignments += [make_assignment(sentence, ana, stage), make_assignment(pair, ana, tagging)]
        open_annotation(assignment=assignments[-2], by=ana)
    with django_assert_max_num_queries(20):
        assert len(items(assignments, ana)) == 20


def test_own_items_in_short(project: Project) -> None:
    ana = make_member(project)
    stage = stage_of(project, StageKind.CORRECT)
    first, second = make_sentence(project, "uno"), make_sentence(project, "dos")
    make_assignment(second, ana, stage)
    finished = make_assignment(first, ana, stage, done=True)
    make_annotation(first, ana, doubt=True)
    make_assignment(make_sentence(project), make_member(project), stage)
    assert [(row["text"], row["state"], row["doubt"]) for row in own_items(stage, ana)] == [
        ("uno", "done", True),
        ("dos", "open", False),
    ]
    assert [row["id"] for row in own_items(stage, ana, "done")] == [finished.pk]


@pytest.mark.parametrize(
    ("token", "language", "lemma"),
    [("“Atacaron,", "es", "atacar"), ("fought", "en", "fight"), ("Etxeak", "eu", "etxeak"), ("…", "es", "…")],
)
def test_lemmas(token: str, language: str, lemma: str) -> None:
    assert lemma_of(token, language) == lemma


def test_content_words_are_neither_function_words_nor_numbers_nor_marks() -> None:
    assert content_words(["They", "fought", "1999", "—", "for", "home,"], "en") == [
        False, True, False, False, False, True,
    ]  # fmt: skip


def test_lemma_memory_counts_by_occurrence_and_follows_new_text(project: Project) -> None:
    ana = make_member(project)
    make_annotation(make_sentence(project, "vuela y vuela"), ana, [span(2)])
    make_sentence(project, "vuelan sin decidir")
    memory = lemma_memory(project, language="es", lemma="volar", user=ana)
    assert (memory.labelled, memory.unlabelled) == (1, 1)
    assert [(row["index"], row["labelled"]) for row in memory.examples] == [(2, True), (0, False)]
    make_annotation(make_sentence(project, "volaron"), ana, [span(0)])
    assert lemma_memory(project, language="es", lemma="volar", user=ana).labelled == 2


def test_lemma_memory_shows_some_of_both(project: Project) -> None:
    ana = make_member(project)
    for index in range(14):
        make_annotation(make_sentence(project, "vuela"), ana, [span(0)] if index < 12 else [])
    examples = lemma_memory(project, language="es", lemma="volar", user=ana).examples
    assert [row["labelled"] for row in examples] == [True] * 8 + [False] * 2
