"""The samples of the starting points: the same from page, API and command, for whoever may create projects."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotator.core.starts import STARTS
from annotator.models import Event, Gold, Import, Item, Job, Project, Unit
from tests.clients import client_of
from tests.drafts import run_all
from tests.factories import make_user

SAMPLED = [name for name, start in STARTS.items() if start.samples]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]


def create(client: Client, **sent: Any) -> Any:
    new = {"name": "Tried", "source": "English (en)", "targets": ["español (es)"], "start": "mabl", "sample": "on"}
    return client.post(reverse("new-project"), new | sent)


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(make_user("mara"))
    return client


def holds(slug: str) -> list[Any]:
    """What of a project does not depend on who made it: its units, where they came from, and its items."""
    units = Unit.objects.filter(project__slug=slug).order_by("pk")
    items = Item.objects.filter(project__slug=slug).order_by("stage__position", "unit__pk")
    imports = Import.objects.filter(project__slug=slug, published_at__isnull=False).order_by("pk")
    return [
        list(units.values_list("segment__uid", "language", "kind", "tokens", "spaces", "lemmas", "origin_line")),
        list(items.values_list("stage__kind", "stage__language", "unit__segment__uid", "state")),
        list(imports.values_list("dataset", "publishable")),
    ]


@pytest.mark.parametrize("name", SAMPLED)
def test_page_and_command_bring_the_same(signed_in: Client, name: str) -> None:
    answer = create(signed_in, start=name)
    jobs = list(Job.objects.order_by("pk"))
    assert answer.headers["Location"] == reverse("job", args=["tried", jobs[-1].pk])
    assert not Unit.objects.exists(), "a job brings it"
    run_all(jobs)
    call_command("create_project", "commanded", start=name, languages="en,es", sample=True, stdout=StringIO())
    assert holds("tried") == holds("commanded")
    assert {unit.language for unit in Unit.objects.filter(project__slug="tried")} == {"en", "es"}
    assert not Gold.objects.exists(), "nothing is decided on it"
    page = signed_in.get(answer.headers["Location"]).content.decode()
    assert "The import is finished" in page


def test_a_job_leads_to_what_came_and_not_to_writing_more(signed_in: Client) -> None:
    create(signed_in, start="mabl")
    jobs = list(Job.objects.order_by("pk"))
    run_all(jobs)
    project = Project.objects.get(slug="tried")
    # Files of one language alone are what such a project is made of: each leads to its own.
    for job, language in zip(jobs, ("en", "es"), strict=True):
        page = signed_in.get(reverse("job", args=["tried", job.pk])).content.decode()
        judged = project.stages.get(kind="validate", language=language)
        assert f'href="{reverse("work", args=["tried", judged.pk])}"' in page
        assert "The files have no sentences in" not in page


def test_without_the_tick_nothing_is_brought(signed_in: Client) -> None:
    answer = create(signed_in, sample="")
    assert answer.headers["Location"] == reverse("project", args=["tried"])
    assert not Job.objects.exists()


def test_the_languages_that_have_a_sample_get_it(signed_in: Client) -> None:
    create(signed_in, source="ca", targets=["es"])
    run_all(Job.objects.all())
    assert {unit.language for unit in Unit.objects.all()} == {"es"}


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"source": "ca", "targets": []}, "A sample exists only in these languages: en, es."),
        ({"start": "labels"}, "This template has no sample."),
        ({"name": ""}, "This field is required"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_made(signed_in: Client, sent: dict[str, Any], says: str) -> None:
    before = Event.objects.count()
    answer = create(signed_in, **sent)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert (Project.objects.count(), Job.objects.count(), Event.objects.count()) == (0, 0, before)


def test_whoever_may_not_create_projects_gets_none(signed_in: Client, settings: Any) -> None:
    settings.PROJECT_CREATORS = "chosen"
    assert create(signed_in).status_code == 403
    signed_in.logout()
    assert create(signed_in).status_code == 302
    assert (Project.objects.count(), Job.objects.count()) == (0, 0)


def test_the_page_offers_it_where_there_is_one(signed_in: Client) -> None:
    def drawn(**sent: Any) -> str:
        answer = signed_in.get(reverse("new-project"), sent, headers={"HX-Request": "true"})
        return " ".join(answer.content.decode().split())

    assert "With sample data" not in drawn(start="labels")
    assert "in these languages: English (en) and Spanish (es)." in drawn(start="rating")
    assert "in these languages: Spanish (es)." in drawn(start="rating", source="ca", targets=["es"])
    none = drawn(start="rating", source="ca", sample="on")
    assert "A sample exists only in English (en) and Spanish (es)." in none
    assert 'aria-describedby="sample-help" disabled' in none
    assert 'aria-describedby="sample-help" checked' in drawn(start="rating", source="es", sample="on")


def test_the_api_brings_it_too() -> None:
    user = make_user()
    sent = {"name": "Tried", "languages": ["es"], "start": "impli", "sample": True}
    refused = client_of(user).post("/api/v1/projects/", sent | {"languages": ["ca"]})
    assert (refused.status_code, Project.objects.count()) == (400, 0)
    assert client_of(user).post("/api/v1/projects/", sent).status_code == 200
    run_all(Job.objects.all())
    assert Unit.objects.filter(project__slug="tried", language="es").count() == 12
