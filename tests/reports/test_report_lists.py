"""Which tables a project has, by its starting point and by what is there without a stage."""

from __future__ import annotations

import pytest

from annotator.core.starts import PRESETS, STARTS
from annotator.models import Counter, Project, Suggestion
from annotator.projects.actions.projects import create_project
from annotator.reports.queries.report_lists import has_answers, has_units, listed_reports
from annotator.reports.queries.tables import REPORTS
from tests.factories import make_annotation, make_gold, make_member, make_sentence, span

pytestmark = pytest.mark.django_db


def project_of(start: str, languages: list[str] | None = None) -> Project:
    return create_project(slug=start, preset=STARTS[start].preset(languages or ["es", "en"]), by=None)


def of_core(project: Project) -> list[str]:
    return [one.kind for one in listed_reports(project) if one.kind in REPORTS]


def countable(project: Project) -> list[str]:
    return [one.kind for one in listed_reports(project) if one.kind in REPORTS and one.there]


def test_the_reference_workflow_has_all_of_them_before_anything_is_in_it() -> None:
    project = create_project(slug="reference", preset=PRESETS["meta4xnli-es-en"], by=None)
    assert of_core(project) == ["detection", "interpretation", "correction", "projection", "translations"]
    assert countable(project) == []


@pytest.mark.parametrize(
    ("start", "tables"),
    [
        ("mabl", []),
        ("rating", []),
        ("best-worst", []),
        ("impli", ["detection", "correction"]),
        ("substitution", ["detection", "correction"]),
        ("labels", ["detection", "correction"]),
        ("parallel", ["detection", "correction", "projection"]),
        ("agreement", ["detection"]),
    ],
)
def test_a_project_has_those_of_its_stages(start: str, tables: list[str]) -> None:
    assert of_core(project_of(start)) == tables


def test_what_is_there_without_a_stage_is_counted() -> None:
    project = project_of("rating")
    sentence = make_sentence(project)
    make_gold(sentence)
    assert countable(project) == of_core(project) == ["detection"]
    make_annotation(sentence, make_member(project), [span(0)])
    target = make_sentence(project, language="en")
    Suggestion.objects.create(project=project, unit=target, layer=project.label_layer, kind="projection", content={})
    assert countable(project) == of_core(project) == ["detection", "correction", "projection"]


def test_work_in_a_stage_is_known_from_the_counters() -> None:
    project = project_of("labels")
    stage = project.stages.get(kind="correct", language="es")
    row = Counter.objects.create(project=project, stage=stage, user=make_member(project), blind_done=1)
    assert countable(project) == []
    Counter.objects.filter(pk=row.pk).update(own_done=1)
    assert countable(project) == ["correction"]


def test_a_review_of_projections_may_have_begun_from_nothing() -> None:
    project = project_of("parallel")
    assert "projection" not in countable(project)
    make_gold(make_sentence(project, language="en"))
    assert countable(project) == ["detection", "projection"]


def test_answers_of_a_sort_are_there_once_somebody_has_finished_one() -> None:
    project = project_of("mabl", ["en"])
    there = has_answers("spans")
    assert not there(project)
    make_annotation(make_sentence(project, language="en"), make_member(project))
    assert there(project)
    assert not has_answers("verdict")(project)
    assert has_units("sentence")(project)
    assert not has_units("figurative-pair")(project)
