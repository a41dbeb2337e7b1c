"""Rules that the database itself keeps."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Gold,
    GoldSource,
    Item,
    Layer,
    Mode,
    Project,
    Sentence,
    Stage,
    Suggestion,
    User,
)
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_sentence,
    make_silver,
    make_tag,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


def item_of(sentence: Sentence) -> Item:
    return Item.objects.get(unit=sentence, stage=stage_of(sentence.project, "correct"))


def test_an_item_has_no_more_answers_than_are_wanted_and_any_number_of_blind_ones_beside_them(project: Project) -> None:
    sentence = make_sentence(project)
    stage = stage_of(project, "correct")
    make_assignment(sentence, make_member(project), stage)
    make_assignment(sentence, make_member(project), stage, mode=Mode.BLIND)
    make_assignment(sentence, make_member(project), stage, mode=Mode.BLIND)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_assignment(sentence, make_member(project), stage)
    item = item_of(sentence)
    assert (item.answers_wanted, item.answers_open, item.extra_open) == (1, 1, 2)
    assert Assignment.objects.count() == 3


def test_a_person_answers_an_item_once(project: Project) -> None:
    sentence, ana = make_sentence(project), make_member(project)
    make_assignment(sentence, ana, stage_of(project, "correct"), mode=Mode.BLIND)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_assignment(sentence, ana, stage_of(project, "correct"))
    assert Assignment.objects.count() == 1


def test_a_unit_is_in_a_stage_once(project: Project) -> None:
    sentence = make_sentence(project)
    item = item_of(sentence)
    with pytest.raises(IntegrityError), transaction.atomic():
        Item.objects.create(project=project, stage=item.stage, unit=sentence, reading=0)


def test_an_answer_is_always_to_an_item_and_on_a_unit(project: Project) -> None:
    sentence = make_sentence(project)
    item = item_of(sentence)
    whole = {"item": item, "unit": sentence}
    for missing in whole:
        given = {name: row for name, row in whole.items() if name != missing}
        with pytest.raises(IntegrityError), transaction.atomic():
            Assignment.objects.create(project=project, stage=item.stage, user=make_member(project), reading=0, **given)


@pytest.mark.parametrize(
    ("model", "field"),
    [(Assignment, "mode"), (Assignment, "state"), (Annotation, "state"), (Gold, "source"), (Item, "state"),
     (Stage, "mode"), (Suggestion, "kind")],
)  # fmt: skip
def test_codes_are_those_that_are_known(project: Project, model: type, field: str) -> None:
    sentence, ana = make_sentence(project), make_member(project)
    make_prediction(sentence, [], [0.0, 0.0, 0.0])
    make_assignment(sentence, ana, stage_of(project, "correct"))
    make_annotation(sentence, ana)
    make_gold(sentence)
    rows = model._default_manager.all()
    assert rows.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**{field: "elsewhere"})


def test_a_blind_annotation_cannot_refer_to_a_suggestion(project: Project) -> None:
    sentence = make_sentence(project)
    prediction = make_prediction(sentence, [span(2)], [0.1, 0.1, 0.9])
    with pytest.raises(IntegrityError), transaction.atomic():
        make_annotation(sentence, make_member(project), mode=Mode.BLIND, suggestion=prediction)


def test_a_unit_has_one_current_suggestion_of_each_source_and_one_current_revision(project: Project) -> None:
    sentence = make_sentence(project)
    make_prediction(sentence, [], [0.0, 0.0, 0.0])
    with pytest.raises(IntegrityError), transaction.atomic():
        make_prediction(sentence, [], [0.0, 0.0, 0.0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Sentence.objects.create(
            project=project, segment=sentence.segment, language="es", revision=2, tokens=["Otro"], token_count=1
        )
    assert Suggestion.objects.count() == 1


def test_a_unit_has_one_gold_in_a_layer_and_one_annotation_a_person(project: Project) -> None:
    sentence, ana, ben = make_sentence(project), make_member(project), make_member(project)
    make_annotation(sentence, ana)
    make_annotation(sentence, ben)
    make_gold(sentence)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_annotation(sentence, ana)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_gold(sentence)
    # A second layer on the same sentence has its own.
    more = Layer.objects.create(project=project, slug="categories", content_type=Layer.SPANS, unit_kind="sentence")
    Annotation.objects.create(project=project, unit=sentence, layer=more, user=ana, content=spans())
    Gold.objects.create(project=project, unit=sentence, layer=more, content=spans(), source=GoldSource.IMPORTED)
    assert (Annotation.objects.count(), Gold.objects.count()) == (3, 2)


def test_a_reopened_decision_keeps_its_place(project: Project) -> None:
    sentence = make_sentence(project)
    gold = make_gold(sentence)
    Gold.all_rows.filter(pk=gold.pk).update(reopened=True)
    assert not Gold.objects.exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        make_gold(sentence)


def test_one_gold_and_one_silver_tag_per_pair_and_language_and_one_per_person(project: Project) -> None:
    pair, ana = make_pair(project), make_member(project)
    make_sentence(project, "Time flies", language="en", segment=pair.premise)
    make_sentence(project, "Nobody looks", language="en", segment=pair.hypothesis)
    make_pair_unit(pair, "en")

    def again(tag: str, user: User | None, language: str) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            make_tag(pair, tag, user=user, language=language)

    for language in ("es", "en"):
        make_tag(pair, "relevant", user=ana, language=language)
        make_tag(pair, "relevant", user=make_member(project), language=language)
        make_tag(pair, "relevant", language=language)
        make_silver(pair, "relevant", language=language, source="en" if language == "es" else "es")
    for language in ("es", "en"):
        again("discarded", ana, language)
        again("discarded", None, language)
        with pytest.raises(IntegrityError), transaction.atomic():
            make_silver(pair, "discarded", language=language, source="en" if language == "es" else "es")
    assert unit_of(pair).annotations.filter(content=choice("relevant")).count() == 2


def test_a_stage_has_one_counter_a_person_and_one_for_what_nobody_did(project: Project) -> None:
    stage, ana = stage_of(project, "correct"), make_member(project)
    Counter.objects.filter(stage=stage).delete()
    for user in (ana, None):
        Counter.objects.create(project=project, stage=stage, user=user)
        with pytest.raises(IntegrityError), transaction.atomic():
            Counter.objects.create(project=project, stage=stage, user=user)
    assert Counter.objects.filter(stage=stage).count() == 2


def test_a_stage_wants_an_answer(project: Project) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Stage.objects.filter(pk=stage_of(project, "correct").pk).update(answers_wanted=0)


def test_somebody_is_blind_on_a_segment_once_for_an_assignment(project: Project) -> None:
    row = make_assignment(make_sentence(project), make_member(project), stage_of(project, "correct"), mode=Mode.BLIND)
    mark = BlindMark.objects.get(assignment=row)
    with pytest.raises(IntegrityError), transaction.atomic():
        BlindMark.objects.create(project=project, assignment=row, user=row.user, segment=mark.segment, layer=mark.layer)


def test_an_id_of_a_segment_and_a_slug_of_a_layer_are_there_once(project: Project) -> None:
    segment = make_sentence(project).segment
    with pytest.raises(IntegrityError), transaction.atomic():
        project.slots.create(uid=segment.uid, dataset="set", position=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Layer.objects.create(project=project, slug="labels", content_type=Layer.SPANS, unit_kind="sentence")
