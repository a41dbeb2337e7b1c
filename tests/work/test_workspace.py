"""What a workspace shows of an item."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotator.domain.labels.tags import Role as SegmentRole
from annotator.models import Assignment, Mode, Pair, Project, Sentence, Stage, Unit, User
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.answering.queries.workspace import own_items, workspace_items
from annotator.work.lexicon.queries.lemmas import LemmaMemory, lemma_memory
from annotator.work.queue.actions.assignments import claim
from api.v1.sending import items_shown
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
    make_silver,
    make_tag,
    span,
    spans,
    stage_of,
)

pytestmark = pytest.mark.django_db


def sentence_of(segment: Any, language: str = "es") -> Sentence:
    return Sentence.objects.select_related("segment").get(segment=segment, language=language, is_current=True)


def claimed(stage: Stage, user: User, count: int = 1) -> list[Assignment]:
    rows = claim(stage=stage, user=user, count=count, now=timezone.now())
    assert rows
    return rows


def shown(assignments: list[Assignment], user: User) -> list[dict[str, Any]]:
    """The items as they are sent."""
    rows = [
        Assignment.objects.select_related("item", "unit__segment", "stage__layer", "stage__project").get(pk=row.pk)
        for row in assignments
    ]
    return items_shown(workspace_items(rows[0].stage.project, rows, user))


def item(assignment: Assignment, user: User) -> dict[str, Any]:
    return shown([assignment], user)[0]


def save(assignment: Assignment, version: int, content: dict[str, Any], by: User, **more: Any) -> None:
    save_annotation(
        project=assignment.stage.project,
        assignment=assignment.pk,
        version=version,
        content=content,
        by=by,
        now=timezone.now(),
        **({"done": False} | more),
    )


def test_sentence_with_suggestion_origins_and_words(project: Project, ana: User) -> None:
    sentence = make_sentence(project, "La inflación devora , 3 salarios")
    make_prediction(sentence, [{**span(2), "score": 0.9}, {**span(1), "score": 0.6}], [0, 0.6, 0.9, 0, 0, 0])
    [assignment] = claimed(stage_of(project, "correct"), ana)
    save(assignment, 0, spans(span(2), span(5)), ana, doubt=True, comment="so")

    told = item(assignment, ana)

    assert (told["id"], told["kind"], told["mode"], told["state"]) == (assignment.pk, "correct", "review", "open")
    assert told["stage"] == {
        "id": assignment.stage_id,
        "kind": "correct",
        "language": "es",
        "layer": "labels",
        "content_type": "spans",
    }
    assert (told["unit"]["uid"], told["unit"]["kind"]) == (sentence.segment.uid, "sentence")
    assert told["unit"]["lemmas"][:3] == ["el", "inflación", "devorar"]
    assert told["unit"]["content_words"] == [False, True, True, False, False, True]
    annotation = told["annotation"]
    assert (annotation["version"], annotation["doubt"], annotation["comment"]) == (1, True, "so")
    assert annotation["can_undo"]
    assert {key: [row["tokens"] for row in rows] for key, rows in annotation["origins"].items()} == {
        "kept": [[2]],
        "added": [[5]],
        "removed": [[1]],
    }
    assert told["suggestion"]["probabilities"] == [0, 0.6, 0.9, 0, 0, 0]
    assert (told["suggestion"]["kind"], told["suggestion"]["name"]) == ("prediction", "crf")
    assert "source" not in told
    assert told["gold"] is False


def test_what_an_answer_begins_from_is_shown_before_it_is_saved(project: Project, ana: User) -> None:
    sentence = make_sentence(project)
    make_prediction(sentence, [{**span(2), "score": 0.9}], [0, 0, 0.9])
    [assignment] = claimed(stage_of(project, "correct"), ana)
    annotation = item(assignment, ana)["annotation"]
    assert (annotation["version"], annotation["state"], annotation["can_undo"]) == (0, "unseen", False)
    assert annotation["content"] == spans(span(2))
    assert [row["tokens"] for row in annotation["origins"]["kept"]] == [[2]]


@pytest.mark.parametrize("saved", [False, True])
def test_suggestions_stay_those_that_were_claimed_with(project: Project, saved: bool, ana: User) -> None:
    sentence = make_sentence(project)
    old = make_prediction(sentence, [span(2)], [0, 0, 0.9])
    [assignment] = claimed(stage_of(project, "correct"), ana)
    if saved:
        save(assignment, 0, spans(), ana)
    old.is_current = False
    old.save()
    make_prediction(sentence, [span(0)], [0.9, 0, 0])
    assert item(assignment, ana)["suggestion"]["content"] == spans(span(2))


def test_nothing_is_suggested_afterwards_on_an_answer_that_began_from_nothing(project: Project, ana: User) -> None:
    sentence = make_sentence(project)
    [assignment] = claimed(stage_of(project, "correct"), ana)
    save(assignment, 0, spans(span(1)), ana)
    make_prediction(sentence, [span(0)], [0.9, 0, 0])
    told = item(assignment, ana)
    assert (told["suggestion"], told["annotation"]["content"]) == (None, spans(span(1)))


def test_projection_comes_with_its_source(project: Project, ana: User) -> None:
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(spanish, english, [span(1)], [span(2)])
    [assignment] = claimed(stage_of(project, "project-review", "en"), ana)
    told = item(assignment, ana)
    assert told["source"]["tokens"] == ["El", "tiempo", "vuela"]
    assert (told["source"]["language"], told["source"]["unit"], told["source"]["spans"], told["source"]["links"]) == (
        "es",
        spanish.pk,
        [span(2)],
        [[0, 0, 0.9]],
    )
    assert told["sources"] == [told["source"]]
    assert (told["suggestion"]["kind"], told["suggestion"]["content"]) == ("projection", spans(span(1)))


def test_of_two_source_languages_both_are_shown_the_projects_first_one_first() -> None:
    project = make_project(languages=("es", "ca", "en"))
    ana = make_member(project)
    spanish = make_sentence(project)
    catalan = make_sentence(project, "El temps vola", language="ca", segment=spanish.segment)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(catalan, english, [span(0)], [span(1)])
    make_projection(spanish, english, [span(1)], [span(2)])
    [assignment] = claimed(stage_of(project, "project-review", "en"), ana)
    told = item(assignment, ana)
    assert [row["language"] for row in told["sources"]] == ["es", "ca"]
    assert told["source"] == told["sources"][0]
    assert told["annotation"]["content"] == told["suggestion"]["content"] == spans(span(1))
    save(assignment, 0, spans(), ana)
    assert [row["language"] for row in item(assignment, ana)["sources"]] == ["es", "ca"]


def test_context_is_the_premise_group_in_the_language(project: Project, ana: User) -> None:
    pair = make_pair(project, premise="uno", hypothesis="dos", inference="entailment")
    third = make_sentence(
        project, "tres", segment=make_segment(project, role=SegmentRole.HYPOTHESIS, group=pair.premise.group)
    )
    make_sentence(project, "three", language="en", segment=third.segment)
    make_sentence(project, "otra historia")
    make_second_pair(pair, third)
    stage = stage_of(project, "correct")
    Stage.objects.filter(pk=stage.pk).update(context="inference")
    middle = make_assignment(sentence_of(pair.hypothesis), ana, stage)
    first = make_assignment(sentence_of(pair.premise), ana, stage)

    in_the_middle, at_first = shown([middle, first], ana)

    context = in_the_middle["context"]
    assert [row["text"] for row in context["before"]] == ["uno"]
    assert [row["text"] for row in context["after"]] == ["tres"]
    assert context["pair"] == [{"role": "prem", "inference": "entailment", "text": "uno"}]
    assert [(row["inference"], row["text"]) for row in at_first["context"]["pair"]] == [
        ("entailment", "dos"),
        ("neutral", "tres"),
    ]


def make_second_pair(pair: Pair, hypothesis: Unit) -> None:
    """The premise of `pair` with another hypothesis."""
    Pair.objects.create(
        project=pair.project,
        segment=pair.project.slots.create(kind="pair", uid="set:pair:third", dataset="set", position=10_000),
        pair_id="third",
        dataset="set",
        premise=pair.premise,
        hypothesis=hypothesis.segment,
        inference="neutral",
        position=10_000,
    )


def test_context_is_near_however_long_the_document_is(project: Project, ana: User) -> None:
    sentences = [
        make_sentence(project, f"número {number}", segment=make_segment(project, group="document"))
        for number in range(30)
    ]
    stage = stage_of(project, "correct")
    middle, last = (make_assignment(sentences[number], ana, stage) for number in (15, 29))
    in_the_middle, at_last = shown([middle, last], ana)
    context = in_the_middle["context"]
    assert [row["text"] for row in context["before"]] == [f"número {number}" for number in range(5, 15)]
    assert [row["text"] for row in context["after"]] == [f"número {number}" for number in range(16, 26)]
    assert [row["text"] for row in at_last["context"]["before"]] == [f"número {number}" for number in range(19, 29)]


def test_blind_items_show_own_labels_only(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    sentence = make_sentence(project)
    prediction = make_prediction(sentence, [span(2)], [0, 0, 0.9])
    make_annotation(sentence, ana, [span(1)])
    assignment = make_assignment(sentence, ben, stage_of(project, "correct"), mode=Mode.BLIND)
    assignment.shown = [prediction.pk]
    assignment.save()
    told = item(assignment, ben)
    assert (told["mode"], told["suggestion"], told["annotation"]["content"]) == ("blind", None, spans())
    assert told["annotation"]["origins"] == {"kept": [], "added": [], "removed": []}


@pytest.mark.parametrize("saved", [False, True])
def test_labels_hidden_since_are_hidden_in_review_items_too(project: Project, saved: bool, ben: User) -> None:
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_projection(spanish, english, [span(1)], [span(2)])
    [assignment] = claimed(stage_of(project, "project-review", "en"), ben)
    if saved:
        save(assignment, 0, spans(), ben)
    make_assignment(spanish, ben, stage_of(project, "correct"), mode=Mode.BLIND)
    told = item(assignment, ben)
    assert (told["mode"], told["suggestion"], told["source"], told["sources"]) == ("blind", None, None, [])
    assert told["annotation"]["content"] == spans()
    assert told["annotation"]["origins"] == {"kept": [], "added": [], "removed": []}


def test_pair_shows_labels_suggestion_and_own_tag(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    pair = make_pair(project)
    make_gold(sentence_of(pair.premise), [span(2)])
    make_silver(pair, "relevant", language="es", source="en")
    stage = stage_of(project, "pair-tag")
    [assignment] = claimed(stage, ana)
    make_tag(pair, "discarded", user=ben, mode=Mode.BLIND)

    told = item(assignment, ana)
    assert (told["kind"], told["pair"]["pair_id"], told["pair"]["inference"]) == ("pair-tag", pair.pair_id, "neutral")
    assert (told["pair"]["premise"]["labels"], told["pair"]["premise"]["spans"]) == ("gold", [span(2)])
    assert (told["pair"]["hypothesis"]["labels"], told["proposed"]) == ("none", None)
    assert (told["suggestion"]["kind"], told["suggestion"]["content"]) == ("transfer", {"value": "relevant"})
    # Silver is shown; nobody's answer begins from it.
    assert (told["annotation"]["content"], told["annotation"]["version"]) == ({"value": None}, 0)

    other = make_pair(project)
    silver = make_silver(other, "relevant", language="es", source="en")
    blind = make_assignment(other, ben, stage, mode=Mode.BLIND)
    blind.shown = [silver.pk]
    blind.save()
    assert item(blind, ben)["suggestion"] is None


def test_pairs_without_labels_are_proposed(project: Project, ana: User) -> None:
    pair, other = make_pair(project), make_pair(project)
    for segment in (pair.premise, pair.hypothesis, other.premise):
        make_gold(sentence_of(segment))
    first, second = shown(claimed(stage_of(project, "pair-tag"), ana, count=2), ana)
    assert (first["pair"]["id"], first["proposed"]) == (pair.pk, "no_metaphor")
    assert second["proposed"] is None


def test_many_items_cost_as_many_queries_as_one(
    project: Project, django_assert_max_num_queries: DjangoAssertNumQueries, ana: User
) -> None:
    stages = stage_of(project, "correct"), stage_of(project, "pair-tag")
    for _ in range(10):
        make_prediction(sentence_of(make_pair(project).premise), [], [0, 0, 0])
    for stage in stages:
        rows = claimed(stage, ana, count=10)
        for some in (rows[:1], rows):
            with django_assert_max_num_queries(7):
                assert len(items_shown(workspace_items(project, some, ana))) == len(some)


def test_own_items_in_short(project: Project, ana: User) -> None:
    stage = stage_of(project, "correct")
    first, second = make_sentence(project, "uno"), make_sentence(project, "dos")
    make_assignment(second, ana, stage)
    finished = make_assignment(first, ana, stage)
    save(finished, 0, spans(), ana, done=True, doubt=True)
    make_assignment(make_sentence(project), make_member(project), stage)

    def told(state: str = "") -> list[tuple[str, str, bool]]:
        rows, more = own_items(stage, ana, state=state)
        assert not more
        return [(row.text, row.assignment.state, row.assignment.doubtful) for row in rows]

    assert told() == [("uno", "done", True), ("dos", "open", False)]
    assert told("done") == [("uno", "done", True)]


def test_own_items_of_replaced_texts_are_left_out(project: Project, ana: User) -> None:
    stage = stage_of(project, "correct")
    sentence = make_sentence(project)
    make_assignment(sentence, ana, stage, done=True)
    Sentence.objects.filter(pk=sentence.pk).update(is_current=False)
    assert own_items(stage, ana) == ([], False)


def test_own_pairs_are_named_by_their_hypothesis(project: Project, ana: User) -> None:
    stage = stage_of(project, "pair-tag")
    make_assignment(make_pair(project, hypothesis="Nadie vuela"), ana, stage)
    [row], _more = own_items(stage, ana)
    assert row.text == "Nadie vuela"


def memory_of(project: Project, lemma: str, user: User) -> LemmaMemory:
    return lemma_memory(project, language="es", lemma=lemma, user=user)


@pytest.mark.parametrize("given", ["volar", "Vuela", "vuela", " vuelan ", "“vuela,"])
def test_lemma_memory_takes_a_lemma_or_a_form(project: Project, given: str, ana: User) -> None:
    make_annotation(make_sentence(project, "vuela y vuela"), ana, [span(2)])
    make_sentence(project, "vuelan sin decidir")
    memory = memory_of(project, given, ana)
    assert (memory.lemma, memory.labelled, memory.unlabelled) == ("volar", 1, 1)


def test_lemma_memory_counts_by_occurrence_and_follows_new_text(project: Project, ana: User) -> None:
    make_annotation(make_sentence(project, "vuela y vuela"), ana, [span(2)])
    make_sentence(project, "vuelan sin decidir")
    memory = memory_of(project, "volar", ana)
    assert (memory.labelled, memory.unlabelled) == (1, 1)
    assert [(row.index, row.labelled) for row in memory.examples] == [(2, True), (0, False)]
    make_annotation(make_sentence(project, "volaron"), ana, [span(0)])
    assert memory_of(project, "volar", ana).labelled == 2


@pytest.mark.parametrize("mode", ["review", "blind", "gold"])
def test_the_item_at_hand_is_no_evidence_for_itself(project: Project, mode: str) -> None:
    """Whatever stands on it: a review, a blind answer of one's own, or gold."""
    ana, text = make_member(project), "vuela y vuela"
    at_hand, other = make_sentence(project, text), make_sentence(project, "vuelan")
    if mode == "gold":
        make_gold(at_hand, [span(2)])
    else:
        make_assignment(at_hand, ana, stage_of(project, "correct"), mode=mode, done=True)
        make_annotation(at_hand, ana, [span(2)], mode=mode)

    def told(unit: int | None) -> tuple[int, int, list[str]]:
        found = lemma_memory(project, language="es", lemma="volar", user=ana, unit=unit)
        return found.labelled, found.unlabelled, [row.uid for row in found.examples]

    uid = at_hand.segment.uid
    assert told(None) == (1, 1, [uid, uid])
    assert told(other.pk) == (1, 1, [uid, uid])
    assert told(at_hand.pk) == (0, 0, [])
    make_annotation(other, ana, [span(0)])
    assert told(at_hand.pk) == (1, 0, [other.segment.uid])
    # So it is while an import hides sentences.
    project.imports.create()
    assert told(at_hand.pk) == (1, 0, [other.segment.uid])


def test_lemma_memory_shows_some_of_both(project: Project, ana: User) -> None:
    for index in range(14):
        make_annotation(make_sentence(project, "vuela"), ana, [span(0)] if index < 12 else [])
    memory = memory_of(project, "volar", ana)
    assert [row.labelled for row in memory.examples] == [True] * 8 + [False] * 2
    assert (memory.labelled, memory.unlabelled) == (12, 2)


def test_lemma_memory_of_a_word_that_is_nowhere(project: Project) -> None:
    make_sentence(project)
    memory = memory_of(project, "Jamás", make_member(project))
    assert (memory.lemma, memory.labelled, memory.unlabelled, memory.examples) == ("jamás", 0, 0, [])


def test_lemma_memory_leaves_out_what_is_not_published_yet(project: Project, ana: User) -> None:
    sentence = make_sentence(project, "vuela")
    make_annotation(sentence, ana, [span(0)])
    Sentence.objects.filter(pk=sentence.pk).update(imported=project.imports.create())
    assert memory_of(project, "volar", ana).labelled == 0
    project.imports.update(published_at=timezone.now())
    assert memory_of(project, "volar", ana).labelled == 1


def test_lemma_memory_asks_the_same_of_the_database_however_many_places(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries, ana: User
) -> None:
    for _ in range(12):
        make_annotation(make_sentence(project, "vuela"), ana, [span(0)])
    with django_assert_num_queries(2):
        memory_of(project, "volar", ana)
