"""The places of lemmas follow the labels that stand."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotator.domain.effective_content import Answer
from annotator.domain.text.lookup import LONGEST
from annotator.models import Annotation, Layer, LemmaPlace, Mode, Project, Segment, Unit, User
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.lexicon.actions.lemmas import index_places, mark_places
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    span,
    spans,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db

NOW = timezone.now()


class Place:
    """A sentence whose second and third words are in the index."""

    def __init__(self) -> None:
        self.project: Project = make_project()
        self.unit: Unit = make_sentence(self.project, "El tiempo vuela")
        self.ana: User = make_member(self.project)
        self.judge: User = make_member(self.project, "adjudicator")
        self.stage = stage_of(self.project, "correct")
        self.layer = self.project.label_layer

    def save(self, user: User, *labelled: int, mode: str = Mode.REVIEW, done: bool = True) -> int:
        row = self.unit.assignments.filter(user=user).first() or make_assignment(self.unit, user, self.stage, mode=mode)
        version = Annotation.objects.filter(user=user).values_list("version", flat=True).first() or 0
        save_annotation(
            project=self.project,
            assignment=row.pk,
            version=version,
            content=spans(*map(span, labelled)),
            done=done,
            by=user,
            now=NOW,
        )
        return row.pk

    def marks(self) -> dict[str, bool | None]:
        return dict(LemmaPlace.objects.filter(unit=self.unit).order_by("index").values_list("form", "labelled"))


@pytest.fixture
def place() -> Place:
    return Place()


def test_only_content_words_are_indexed_with_lemma_and_form(place: Place) -> None:
    rows = LemmaPlace.objects.filter(unit=place.unit).order_by("index")
    assert [(row.index, row.lemma, row.form, row.labelled) for row in rows] == [
        (1, "tiempo", "tiempo", None),
        (2, "volar", "vuela", None),
    ]


def test_long_words_are_cut_for_the_index(place: Place) -> None:
    unit = make_sentence(place.project, "x" * 500)
    LemmaPlace.objects.filter(unit=unit).delete()
    index_places([unit])
    assert len(LemmaPlace.objects.get(unit=unit).form) == LONGEST


def test_they_follow_saving_reopening_and_undoing(place: Place) -> None:
    place.save(place.ana, 2, done=False)
    assert place.marks() == {"tiempo": None, "vuela": None}
    row = place.save(place.ana, 2)
    assert place.marks() == {"tiempo": False, "vuela": True}
    place.save(place.ana)
    assert place.marks() == {"tiempo": False, "vuela": False}
    undo_annotation(project=place.project, assignment=row, version=3, by=place.ana, now=NOW)
    assert place.marks() == {"tiempo": False, "vuela": True}
    undo_annotation(project=place.project, assignment=row, version=4, by=place.ana, now=NOW)
    assert place.marks() == {"tiempo": None, "vuela": None}


def test_the_review_stands_before_blind_answers_and_several_blind_ones_do_not(place: Place) -> None:
    ben, cid = make_member(place.project), make_member(place.project)
    place.save(ben, 1, mode=Mode.BLIND)
    assert place.marks() == {"tiempo": True, "vuela": False}
    place.save(cid, 1, mode=Mode.BLIND)
    assert place.marks() == {"tiempo": None, "vuela": None}
    place.save(place.ana, 2)
    assert place.marks() == {"tiempo": False, "vuela": True}


def test_gold_stands_before_answers_until_it_is_reopened(place: Place) -> None:
    place.save(place.ana, 2)
    decide_gold(unit=place.unit.pk, layer=place.layer, content=spans(span(1)), by=place.judge)
    assert place.marks() == {"tiempo": True, "vuela": False}
    reopen_gold(project=place.project, unit=place.unit.pk, layer=place.layer, version=1, by=place.judge)
    assert place.marks() == {"tiempo": False, "vuela": True}


def test_two_blind_answers_that_are_accepted_stand(place: Place) -> None:
    for user in (make_member(place.project), make_member(place.project)):
        make_annotation(place.unit, user, [span(2)], mode=Mode.BLIND)
    accept_agreed(project=place.project, layer=place.layer, language="es", by=place.judge, without_overlap=True)
    assert place.marks() == {"tiempo": False, "vuela": True}


def test_contents_of_other_layers_change_nothing(place: Place) -> None:
    place.save(place.ana, 2)
    before = place.marks()
    second = Layer.objects.create(
        project=place.project,
        slug="categories",
        content_type=Layer.SPANS,
        unit_kind=Segment.SENTENCE,
        scheme_data=place.layer.scheme_data,
        position=3,
    )
    rating = Layer.objects.create(
        project=place.project,
        slug="rating",
        content_type=Layer.CHOICE,
        unit_kind=Segment.SENTENCE,
        scheme_data={"values": ["good"]},
        position=4,
    )
    mark_places(place.unit, second, [Answer(Mode.REVIEW, spans())])
    mark_places(place.unit, second, [])
    mark_places(place.unit, rating, [], {"value": "good"})
    assert place.marks() == before


def test_units_without_tokens_cost_nothing(place: Place, django_assert_num_queries: object) -> None:
    unit = unit_of(make_pair(place.project))
    with django_assert_num_queries(0):  # type: ignore[operator]
        mark_places(unit, place.layer, [])


def test_other_sentences_stay_as_they_are(place: Place) -> None:
    other = make_sentence(place.project, "El tiempo vuela")
    place.save(place.ana, 2)
    assert set(LemmaPlace.objects.filter(unit=other).values_list("labelled", flat=True)) == {None}
