"""The reports page: which tables are listed, what is said of those that are not there yet, and to whom."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.starts import PRESETS, STARTS
from annotator.domain.states import Mode
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.models import Annotation, Assignment, Gold, GoldSource, Job, JobState, Project, Role, Segment, Unit
from annotator.projects.actions.projects import create_project
from annotator.reports.queries.figures import is_small
from tests.factories import enlarge, make_assignment, make_gold, make_member, make_sentence, span

pytestmark = pytest.mark.django_db

LABELS = ["Labels", "Pairs", "Corrections", "Projections", "How spans were translated"]
# What a page of a large project costs, whatever is in it.
STATEMENTS = {"reports": 33, "report-json": 6}


def project_of(start: str) -> Project:
    preset = STARTS[start].preset(["en"]) if start in STARTS else PRESETS[start]
    return create_project(slug="letters", preset=preset, by=None)


def read(client: Client, project: Project, role: str = Role.MANAGER) -> str:
    client.force_login(make_member(project, role))
    return client.get(reverse("reports", args=["letters"])).text


def tables(page: str) -> list[str]:
    """The tables to which the page has tabs. The first one is there."""
    found = re.findall(r'class="tab"[^>]*>([^<]*)', page)
    assert re.findall(r'<h2 id="report-[^"]*">([^<]*)', page) == found[:1]
    return found


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
        ("rating-marked", ["Ratings of marked expressions", "Labels", "Corrections"]),
        ("best-worst", ["Best–worst scaling"]),
        ("best-worst-marked", ["Best–worst scaling of marked expressions", "Labels", "Corrections"]),
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
    assert "This project has no stages with tables" in page
    assert (tables(page), to_come(page)) == ([], [])


def test_annotators_are_told_that_there_is_more_for_adjudicators(client: Client) -> None:
    project = project_of("mabl")
    page = read(client, project, Role.ANNOTATOR)
    assert "Validation" not in to_come(page)
    assert "Figurative pairs" in to_come(page)
    assert "They are for adjudicators." in page
    assert "They are for adjudicators." not in read(client, project, Role.ADJUDICATOR)


def rated() -> Project:
    project = project_of("rating")
    layer = project.layers.get(slug="ratings")
    sentence = make_sentence(project, language="en")
    for value in (2, 5):
        Annotation.objects.create(
            project=project, unit=sentence, layer=layer, user=make_member(project), state="done",
            mode="blind", content={"value": value},
        )  # fmt: skip
    make_gold(sentence, [span(0)])
    return project


def count(project: Project) -> Job:
    job = start_job(project=project, kind="count", params={}, by=None)
    jobs.run_job(job.pk, worker="here")
    job.refresh_from_db()
    return job


class TestASmallProject:
    def test_it_is_counted_when_the_page_is_opened(self, client: Client) -> None:
        project = rated()
        page = read(client, project)
        assert tables(page) == ["Ratings", "Labels"]
        for word in ("Counted on", "Not counted yet", reverse("report-count", args=["letters"])):
            assert word not in page
        make_gold(make_sentence(project, language="en"), [span(0)])
        rows = client.get(reverse("report-json", args=["letters", "detection"])).json()
        assert rows[-1]["labelled_sentences"] == 2, "it is always up to date"
        assert not Job.objects.exists()

    def test_whoever_answers_blind_gets_none_either_until_they_have_finished(self, client: Client) -> None:
        project = rated()
        manager = make_member(project, Role.MANAGER)
        client.force_login(manager)
        address, json = reverse("reports", args=["letters"]), reverse("report-json", args=["letters", "ratings"])
        stage = project.stages.get(kind="rate", language="en")
        own = make_assignment(make_sentence(project, language="en"), manager, stage, mode=Mode.BLIND)
        page = client.get(address).text
        assert tables(page) == ["Labels"]
        assert "once you finish or return your blind items" in page
        assert client.get(json).status_code == 403
        Assignment.objects.filter(pk=own.pk).update(state="done")
        assert tables(client.get(address).text) == ["Ratings", "Labels"]
        assert client.get(json).status_code == 200

    def test_texts_without_a_stage_make_it_large_as_well(self, client: Client) -> None:
        project = rated()
        assert is_small(project, 1)
        make_sentence(project, language="en")
        assert not is_small(project, 1)


def test_a_tab_has_its_own_address(client: Client) -> None:
    rated()
    page = read(client, Project.objects.get())
    address = reverse("report", args=["letters", "detection"])
    assert address in page
    shown = client.get(address).text
    assert re.findall(r'<h2 id="report-[^"]*">([^<]*)', shown) == ["Labels"]
    assert re.findall(r'class="tab"[^>]*aria-current="page">([^<]*)', shown) == ["Labels"]
    assert client.get(reverse("report", args=["letters", "nothing"])).status_code == 404
    for who, status in ((Role.ANNOTATOR, 403), (Role.ADJUDICATOR, 200)):
        client.force_login(make_member(Project.objects.get(), who))
        assert client.get(reverse("report", args=["letters", "ratings"])).status_code == status


class TestALargeProject:
    @pytest.fixture
    def project(self) -> Project:
        project = rated()
        enlarge(project)
        return project

    def test_one_press_counts_all_tables(self, client: Client, project: Project) -> None:
        before = read(client, project)
        assert "Not counted yet. A job counts it" in before
        assert (tables(before), to_come(before)) == ([], ["Ratings", "Labels"])
        assert client.get(reverse("report-json", args=["letters", "detection"])).status_code == 404
        sent = client.post(reverse("report-count", args=["letters"]))
        assert sent.headers["Location"] == reverse("reports", args=["letters"])
        job = Job.objects.get()
        under_way = client.get(reverse("reports", args=["letters"])).text
        assert "The count is running." in under_way
        # The page asks for the job's progress, and is loaded again at the end.
        assert f'hx-get="{reverse("job", args=["letters", job.pk])}"' in under_way
        assert "htmx.min.js" in under_way
        # A second press finds it under way.
        client.post(reverse("report-count", args=["letters"]))
        assert Job.objects.count() == 1
        jobs.run_job(job.pk, worker="here")
        asked = client.get(reverse("job", args=["letters", job.pk]), headers={"HX-Request": "true"})
        assert asked.headers["HX-Refresh"] == "true"
        page = client.get(reverse("reports", args=["letters"])).text
        assert (tables(page), to_come(page)) == (["Ratings", "Labels"], [])
        assert "Counted on" in page
        assert "Count again" in page
        assert "htmx.min.js" not in page

    def test_page_and_files_have_what_was_counted_last(self, client: Client, project: Project) -> None:
        count(project)
        page = read(client, project)
        assert "Sentences without gold" not in page
        make_gold(make_sentence(project, language="en"), [span(0)])
        make_sentence(project, language="en")
        rows = client.get(reverse("report-json", args=["letters", "detection"])).json()
        assert rows[-1]["labelled_sentences"] == 1
        count(project)
        rows = client.get(reverse("report-json", args=["letters", "detection"])).json()
        assert rows[-1]["labelled_sentences"] == 2
        client.post(reverse("set_language"), {"language": "es"})
        spanish = client.get(reverse("report", args=["letters", "detection"])).text
        assert "Oraciones sin etiquetas gold, que no se cuentan: 1." in spanish, "whoever reads it chooses the language"

    def test_what_another_kind_has_since_is_not_counted_yet(self, client: Client, project: Project) -> None:
        job = count(project)
        Job.objects.filter(pk=job.pk).update(result={"figures": {"detection": job.result["figures"]["detection"]}})
        page = read(client, project)
        assert "Not counted yet:" in page
        assert (tables(page), to_come(page)) == (["Labels"], ["Ratings"])

    def test_a_job_that_failed_says_why(self, client: Client, project: Project) -> None:
        count(project)
        Job.objects.create(project=project, kind="count", state=JobState.FAILED, error="The worker was stopped.")
        page = read(client, project)
        assert "The worker was stopped." in page
        assert "Count again" in page
        assert tables(page) == ["Ratings", "Labels"]
        count(project)
        assert "The worker was stopped." not in read(client, project)

    def test_annotators_get_no_figures_of_what_others_answered(self, client: Client, project: Project) -> None:
        count(project)
        page = read(client, project, Role.ANNOTATOR)
        assert tables(page) == ["Labels"]
        assert "They are for adjudicators." in page
        assert "Count again" not in page
        assert client.get(reverse("report-json", args=["letters", "ratings"])).status_code == 403
        assert client.get(reverse("report-json", args=["letters", "detection"])).status_code == 200
        assert client.post(reverse("report-count", args=["letters"])).status_code == 403

    def test_an_archived_project_can_be_counted(self, client: Client, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(archived_at=timezone.now())
        assert reverse("report-count", args=["letters"]) in read(client, project)
        client.post(reverse("report-count", args=["letters"]))
        jobs.run_job(Job.objects.get().pk, worker="here")
        assert tables(client.get(reverse("reports", args=["letters"])).text) == ["Ratings", "Labels"]

    def test_nothing_to_count_needs_no_job(self, client: Client) -> None:
        project = project_of("rating")
        enlarge(project)
        assert to_come(read(client, project)) == ["Ratings"]
        assert reverse("report-count", args=["letters"]) not in read(client, project)
        job = count(project)
        assert (job.state, job.result) == (JobState.DONE, {})

    @pytest.mark.parametrize("name", ["reports", "report-json"])
    def test_it_costs_the_same_however_large_it_is(self, client: Client, project: Project, name: str) -> None:
        count(project)
        client.force_login(make_member(project, Role.MANAGER))
        address = reverse(name, args=["letters", *(["detection"] if name == "report-json" else [])])
        numbers = []
        for wanted in (100, 2000):
            add_sentences(project, wanted - project.sentences.count())
            with CaptureQueriesContext(connection) as made:
                assert client.get(address).status_code == 200
            numbers.append(len(made))
            assert not [query["sql"] for query in made if 'annotator_gold"."content' in query["sql"]]
        assert numbers == [STATEMENTS[name]] * 2


def add_sentences(project: Project, number: int) -> None:
    """Sentences with gold."""
    before = project.sentences.count()
    segments = Segment.objects.bulk_create(
        Segment(project=project, uid=f"more:{before}:{at}", dataset="set", role="prem", position=at)
        for at in range(number)
    )
    units = Unit.objects.bulk_create(
        Unit(project=project, segment=segment, language="en", tokens=["Rain"], token_count=1) for segment in segments
    )
    Gold.objects.bulk_create(
        Gold(project=project, unit=unit, layer=project.label_layer, content={"spans": []}, source=GoldSource.IMPORTED)
        for unit in units
    )
