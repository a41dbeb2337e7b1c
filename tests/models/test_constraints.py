"""Rules that the database itself keeps."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotator.models import (
    Annotation,
    Assignment,
    Mode,
    PairTag,
    Prediction,
    Sentence,
    Stage,
    StageKind,
    Tag,
    TagKind,
)
from tests.factories import make_member, make_pair, make_prediction, make_project, make_sentence, span

pytestmark = pytest.mark.django_db


def assign(sentence: Sentence, user: object, mode: str) -> Assignment:
    stage = Stage.objects.get(project=sentence.project, kind=StageKind.CORRECT, language=sentence.language)
    return Assignment.objects.create(
        project=sentence.project, stage=stage, sentence=sentence, user=user, mode=mode, position=0
    )


def test_a_sentence_has_one_reviewer_per_stage_and_any_number_of_blind_annotators() -> None:
    project = make_project()
    sentence = make_sentence(project)
    assign(sentence, make_member(project), Mode.REVIEW)
    assign(sentence, make_member(project), Mode.BLIND)
    assign(sentence, make_member(project), Mode.BLIND)
    with pytest.raises(IntegrityError), transaction.atomic():
        assign(sentence, make_member(project), Mode.REVIEW)
    assert Assignment.objects.count() == 3


def test_an_assignment_is_of_a_sentence_or_of_a_pair_never_of_both() -> None:
    project = make_project()
    pair = make_pair(project)
    sentence = Sentence.objects.get(segment=pair.premise)
    stage = Stage.objects.get(project=project, kind=StageKind.PAIR_TAG)
    for wrong in ({"sentence": sentence, "pair": pair}, {}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Assignment.objects.create(project=project, stage=stage, user=make_member(project), position=0, **wrong)


def test_a_blind_annotation_cannot_refer_to_a_suggestion() -> None:
    project = make_project()
    sentence = make_sentence(project)
    prediction = make_prediction(sentence, [span(2)], [0.1, 0.1, 0.9])
    with pytest.raises(IntegrityError), transaction.atomic():
        Annotation.objects.create(
            project=project,
            sentence=sentence,
            annotator=make_member(project),
            mode=Mode.BLIND,
            prediction=prediction,
        )


def test_a_sentence_has_one_current_prediction_and_one_current_revision() -> None:
    project = make_project()
    sentence = make_sentence(project)
    make_prediction(sentence, [], [0.0, 0.0, 0.0])
    with pytest.raises(IntegrityError), transaction.atomic():
        make_prediction(sentence, [], [0.0, 0.0, 0.0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Sentence.objects.create(
            project=project, segment=sentence.segment, language="es", revision=2, tokens=["Otro"], token_count=1
        )
    assert Prediction.objects.count() == 1


def test_one_gold_and_one_silver_tag_per_pair_and_language_and_one_per_person() -> None:
    project = make_project()
    pair = make_pair(project)
    ana = make_member(project)

    def tag(kind: str, **more: object) -> None:
        PairTag.objects.create(project=project, pair=pair, language="es", kind=kind, tag=Tag.RELEVANT, **more)

    tag(TagKind.GOLD)
    tag(TagKind.SILVER)
    tag(TagKind.PERSON, user=ana)
    tag(TagKind.PERSON, user=make_member(project))
    for kind, more in ((TagKind.GOLD, {}), (TagKind.SILVER, {}), (TagKind.PERSON, {"user": ana}), (TagKind.PERSON, {})):
        with pytest.raises(IntegrityError), transaction.atomic():
            tag(kind, **more)
    assert PairTag.objects.count() == 4
