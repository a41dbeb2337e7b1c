"""The page of the map of sentences: for whom, what it shows, what not, and at what cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotator.models import Import, Job, JobKind, JobState, Project, Role, Sentence, SentenceMap, Unit, User
from annotator.search.queries.sentence_map import map_of
from annotator.search.views.sentence_map import PER_PAGE
from tests.api.test_cost import scans
from tests.factories import make_member, make_sentence
from tests.pages.test_cost import fill

pytestmark = pytest.mark.django_db

ADDRESS = {name: reverse(name, args=["letters"]) for name in ("map", "map-points", "map-start")}
RESULT = {
    "sentences": {"es": 2, "en": 1},
    "of": {"es": 20, "en": 1},
    "skipped": {},
    "model": "encoder",
    "method": "PCA",
}
SETTINGS = {"model": "encoder", "sentences": 1000, "seed": 1}


@pytest.fixture
def sentences(project: Project) -> list[Sentence]:
    texts = (("El tiempo vuela .", "es"), ("Ana <b>lee</b> .", "es"), ("Time flies .", "en"))
    return [make_sentence(project, text, language=language) for text, language in texts]


def map_with(project: Project, units: list[Sentence]) -> SentenceMap:
    job = Job.objects.create(project=project, kind=JobKind.MAP, state=JobState.DONE, params=SETTINGS, result=RESULT)
    points = [[unit.pk, 100 * number, 50] for number, unit in enumerate(units)]
    return SentenceMap.objects.create(project=project, job=job, points=points)


def page(client: Client, user: User, **query: str) -> str:
    client.force_login(user)
    return client.get(ADDRESS["map"], query).content.decode()


def texts(client: Client, user: User) -> list[str]:
    client.force_login(user)
    return [row[5] for row in client.get(ADDRESS["map-points"]).json()["points"]]


class TestShown:
    def test_a_point_and_a_row_for_each_sentence(
        self, client: Client, project: Project, sentences: list[Sentence]
    ) -> None:
        map_with(project, sentences)
        ana = make_member(project)

        text = page(client, ana)
        for sentence in sentences:
            assert f'data-point="{sentence.pk}"' in text
        assert "&lt;b&gt;lee&lt;/b&gt;" in text
        assert "Spanish (es): 2 of 20 sentences." in text
        assert texts(client, ana) == ["El tiempo vuela .", "Ana <b>lee</b> .", "Time flies ."]
        # A member cannot draw another one.
        assert ADDRESS["map-start"] not in text

    def test_not_what_was_replaced_hidden_withheld_or_taken_back_since(
        self, client: Client, project: Project, sentences: list[Sentence]
    ) -> None:
        now = datetime.now(UTC)
        map_with(project, [*sentences, *(make_sentence(project, f"Texto {number} .") for number in range(3))])
        units = list(project.sentences.order_by("pk"))
        Unit.objects.filter(pk=units[0].pk).update(is_current=False)
        hidden = Import.objects.create(project=project, dataset="a")
        Unit.objects.filter(pk=units[1].pk).update(imported=hidden)
        withheld = Import.objects.create(project=project, dataset="b", publishable=False, published_at=now)
        Unit.objects.filter(pk=units[3].pk).update(imported=withheld)
        ana = make_member(project)

        assert texts(client, ana) == ["Texto 1 .", "Texto 2 .", "Time flies ."]
        text = page(client, ana)
        for gone in ("El tiempo vuela", "lee", "Texto 0"):
            assert gone not in text
        assert "3 sentences were replaced or withdrawn since." in text

    def test_page_by_page(self, client: Client, project: Project) -> None:
        rows = [make_sentence(project, f"Texto {number} .") for number in range(PER_PAGE + 1)]
        map_with(project, rows)
        ana = make_member(project)
        assert page(client, ana).count("data-point=") == PER_PAGE
        assert page(client, ana, page="2").count("data-point=") == 1

    def test_a_map_of_which_nothing_is_left(self, client: Client, project: Project, sentences: list[Sentence]) -> None:
        map_with(project, sentences)
        Unit.objects.update(is_current=False)
        ana = make_member(project)
        assert "No map yet" in page(client, ana)
        assert texts(client, ana) == []


class TestDrawing:
    @pytest.mark.usefixtures("sentences")
    def test_managers_start_it(self, client: Client, project: Project) -> None:
        mara = make_member(project, Role.MANAGER)
        assert ADDRESS["map-start"] in page(client, mara)

        client.post(ADDRESS["map-start"], SETTINGS)

        job = project.jobs.get()
        assert (job.kind, job.params, job.created_by) == ("map", SETTINGS, mara)
        text = page(client, mara)
        assert "A map is being drawn" in text
        assert ADDRESS["map-start"] not in text

    def test_it_is_not_offered_where_too_few_texts_may_be_published(
        self, client: Client, project: Project, sentences: list[Sentence]
    ) -> None:
        withheld = Import.objects.create(
            project=project, dataset="b", publishable=False, published_at=datetime.now(UTC)
        )
        Unit.objects.filter(pk=sentences[0].pk).update(imported=withheld)

        text = page(client, make_member(project, Role.MANAGER))

        assert ADDRESS["map-start"] not in text
        assert "A map needs at least 3 sentences that can be published, and the project has fewer." in text

    @pytest.mark.usefixtures("sentences")
    def test_numbers_that_cannot_be_are_refused_beside_their_field(self, client: Client, project: Project) -> None:
        client.force_login(make_member(project, Role.MANAGER))
        for changed in ({"sentences": "1"}, {"sentences": "7000"}, {"seed": "-1"}, {"model": ""}):
            answer = client.post(ADDRESS["map-start"], {**SETTINGS, **changed})
            assert answer.status_code == 422
            assert 'class="errors"' in answer.content.decode()
        assert not project.jobs.exists()

    def test_why_the_last_one_failed(self, client: Client, project: Project) -> None:
        Job.objects.create(project=project, kind=JobKind.MAP, state=JobState.FAILED, error="No such folder.")
        assert "No such folder." in page(client, make_member(project))

    def test_the_page_of_its_job_leads_to_it(self, client: Client, project: Project, sentences: list[Sentence]) -> None:
        made = map_with(project, sentences)
        client.force_login(make_member(project))
        assert ADDRESS["map"] in client.get(reverse("job", args=["letters", made.job_id])).content.decode()


def test_no_more_is_read_than_its_own_sentences(project: Project) -> None:
    rows = fill(project, 200)
    Import.objects.create(project=project, dataset="b", publishable=False, published_at=datetime.now(UTC))
    map_with(project, rows[:20])
    reader = make_member(project)
    with CaptureQueriesContext(connection) as asked:
        found = map_of(project, reader)
    assert found is not None
    assert len(found.points) == 20
    assert len(asked) == 6
    assert scans([query["sql"] for query in asked]) == []
