"""The reports page: which tables are listed, what is said of those that are not there yet, and to whom."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

import annotator.tasks  # noqa: F401 -- registers the handlers
from annotator import jobs
from annotator.actions.jobs import start_job
from annotator.actions.projects import create_project
from annotator.models import Annotation, Job, JobState, Project, Role
from annotator.presets import PRESETS, STARTS
from tests.factories import make_gold, make_member, make_sentence, span

pytestmark = pytest.mark.django_db

LABELS = ["Labels", "Pairs", "Corrections", "Projections"]


def project_of(start: str) -> Project:
    preset = STARTS[start].preset(["en"]) if start in STARTS else PRESETS[start]
    return create_project(slug="letters", preset=preset, by=None)


def read(client: Client, project: Project, role: str = Role.MANAGER) -> str:
    client.force_login(make_member(project, role))
    return client.get(reverse("reports", args=["letters"])).text


def tables(page: str) -> list[str]:
    return re.findall(r'<h2 id="report-[^"]*">([^<]*)', page)


def to_come(page: str) -> list[str]:
    return re.findall(r'<dt class="strong">([^<]*)', page)


@pytest.mark.parametrize(
    ("start", "announced"),
    [
        ("meta4xnli-es-en", LABELS),
        ("labels", ["Labels", "Corrections"]),
        ("mabl", ["Validation", "Categories", "Agreement on categories", "Figurative pairs", "Concepts"]),
        ("impli", ["Validation", "Pairs by class", "Valid pairs", "Silver pairs", "Labels", "Corrections"]),
        ("substitution", ["Samples", "Triples", "Repeated answers", "Labels", "Corrections"]),
        ("rating", ["Ratings"]),
        ("best-worst", ["Best–worst scaling"]),
    ],
)  # fmt: skip
def test_a_new_project_is_told_what_will_be_counted_and_nothing_else(
    client: Client, start: str, announced: list[str]
) -> None:
    page = read(client, project_of(start))
    assert page.count("Nothing to count yet") == 1
    assert sorted(to_come(page)) == sorted(announced)
    assert tables(page) == []
    assert "Not counted yet" not in page, "there is nothing that a job could count"


def test_languages_are_compared_where_there_are_several(client: Client) -> None:
    preset = STARTS["mabl"].preset(["es", "en"])
    page = read(client, create_project(slug="letters", preset=preset, by=None))
    assert {"Concepts", "Overlap of concepts", "Shared concepts"} <= set(to_come(page))


def test_tables_with_rows_stand_above_those_to_come(client: Client) -> None:
    project = project_of("labels")
    make_gold(make_sentence(project, language="en"), [span(0)])
    page = read(client, project)
    assert (tables(page), to_come(page)) == (["Labels"], ["Corrections"])
    assert page.index("report-detection") < page.index("Nothing to count yet")


def test_a_project_without_a_stage_that_is_counted_says_so(client: Client) -> None:
    project = project_of("labels")
    project.stages.all().delete()
    page = read(client, project)
    assert "this one has none that a table counts" in page
    assert (tables(page), to_come(page)) == ([], [])


def test_annotators_are_told_that_there_is_more_for_adjudicators(client: Client) -> None:
    project = project_of("mabl")
    page = read(client, project, Role.ANNOTATOR)
    assert "Validation" not in to_come(page)
    assert "Figurative pairs" in to_come(page)
    assert "They are for those who adjudicate." in page
    assert "They are for those who adjudicate." not in read(client, project, Role.ADJUDICATOR)


class TestCounting:
    @pytest.fixture
    def rated(self) -> Project:
        project = project_of("rating")
        layer = project.layers.get(slug="ratings")
        sentence = make_sentence(project, language="en")
        for value in (2, 5):
            Annotation.objects.create(
                project=project, unit=sentence, layer=layer, user=make_member(project), state="done",
                mode="blind", content={"value": value},
            )  # fmt: skip
        return project

    def test_one_press_counts_all_tables(self, client: Client, rated: Project) -> None:
        before = read(client, rated)
        assert "Not counted yet. A job counts" in before
        assert to_come(before) == ["Ratings"]
        sent = client.post(reverse("report-count", args=["letters"]))
        job = Job.objects.get()
        assert sent.headers["Location"] == reverse("job", args=["letters", job.pk])
        assert "It is being counted." in client.get(reverse("reports", args=["letters"])).text
        # A second press finds it under way.
        client.post(reverse("report-count", args=["letters"]))
        assert Job.objects.count() == 1
        jobs.run_job(job.pk, worker="here")
        page = client.get(reverse("reports", args=["letters"])).text
        assert (tables(page), to_come(page)) == (["Ratings"], [])
        assert "Counted on" in page
        assert "Count again" in page

    def test_what_another_kind_has_since_is_not_counted_yet(self, client: Client, rated: Project) -> None:
        Job.objects.create(project=rated, kind="count", state=JobState.DONE, result={"figures": {}})
        page = read(client, rated)
        assert "Not counted yet:" in page
        assert to_come(page) == ["Ratings"]

    def test_a_project_with_nothing_to_count_is_counted_at_once(self, client: Client) -> None:
        project = project_of("rating")
        job = start_job(project=project, kind="count", params={}, by=None)
        jobs.run_job(job.pk, worker="here")
        job.refresh_from_db()
        assert (job.state, job.result) == (JobState.DONE, {})
        assert to_come(read(client, project)) == ["Ratings"]
