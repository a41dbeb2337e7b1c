"""Which suggestions are shown, and which one first."""

from __future__ import annotations

import pytest

from annotator.core.kind import kind_named
from annotator.models import Project, Suggestion, Unit
from annotator.work.answering.queries.suggestions import shown, shown_in
from tests.factories import make_pair, make_prediction, make_project, make_projection, make_sentence, make_silver, span

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project(languages=("es", "ca", "en"))


@pytest.fixture
def english(project: Project) -> Unit:
    """With a prediction and two projections, made in another order than that of the project's languages."""
    spanish = make_sentence(project)
    english = make_sentence(project, "Time flies", language="en", segment=spanish.segment)
    make_prediction(english, [span(0)], [0.9, 0.1])
    catalan = make_sentence(project, "El temps vola", language="ca", segment=spanish.segment)
    make_projection(catalan, english, [span(0)], [span(1)])
    make_projection(spanish, english, [span(1)], [span(2)])
    return english


def seen(project: Project, unit: Unit, *kinds: str) -> list[tuple[str, str]]:
    rows = shown(project, project.label_layer, [unit.pk], kinds)
    return [(row.kind, row.source_language) for row in rows.get(unit.pk, [])]


def test_the_kinds_that_are_named_in_their_order_and_earlier_languages_first(project: Project, english: Unit) -> None:
    assert seen(project, english, "projection", "prediction") == [
        ("projection", "es"),
        ("projection", "ca"),
        ("prediction", ""),
    ]
    assert seen(project, english, "prediction", "projection")[0] == ("prediction", "")
    assert seen(project, english, "prediction") == [("prediction", "")]
    assert seen(project, english) == []


def test_what_was_superseded_is_not_shown(project: Project, english: Unit) -> None:
    Suggestion.objects.filter(unit=english, source_language="es").update(is_current=False)
    assert seen(project, english, "projection") == [("projection", "ca")]


def test_other_layers_and_units_are_not_shown(project: Project, english: Unit) -> None:
    other = make_sentence(project)
    make_prediction(other, [span(1)], [0.1, 0.9, 0.1])
    assert seen(project, other, "projection", "prediction") == [("prediction", "")]
    assert project.tag_layer is not None
    assert shown(project, project.tag_layer, [english.pk], ["prediction", "projection"]) == {}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("correct", ["prediction"]), ("project-review", ["projection", "projection"]), ("pair-tag", [])],
)
def test_a_kind_of_work_says_what_it_shows(project: Project, english: Unit, kind: str, expected: list[str]) -> None:
    rows = shown_in(project, project.label_layer, kind_named(kind), [english.pk])
    assert [row.kind for row in rows.get(english.pk, [])] == expected


def test_silver_is_shown_where_pairs_are_tagged(project: Project) -> None:
    pair = make_pair(project)
    silver = make_silver(pair, "relevant", language="es", source="en")
    assert project.tag_layer is not None
    assert shown_in(project, project.tag_layer, kind_named("pair-tag"), [silver.unit_id]) == {silver.unit_id: [silver]}
