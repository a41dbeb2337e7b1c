"""The page of exports: what it offers and counts, starting one, its file; for whom, and at which cost."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.files.storage import site_files
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Mode, Project, Role, User
from annotator.releases.queries import export_page
from tests.factories import (
    make_annotation,
    make_assignment,
    make_export,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_sentence,
    make_tag,
    make_user,
    span,
    stage_of,
)

# A snapshot is a transaction of its own.
pytestmark = pytest.mark.django_db(transaction=True)
Choice = Mapping[str, Any]


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def ana(project: Project) -> User:
    """A person who has answered two sentences; one of them has gold, one a prediction."""
    found = make_member(project, username="ana")
    stage = stage_of(project, "correct")
    first, second = (make_sentence(project, text) for text in ("El tiempo vuela", "Nadie lo vio"))
    for sentence in (first, second):
        make_assignment(sentence, found, stage, done=True)
        make_annotation(sentence, found, [span(2)])
    make_gold(first, [span(2)])
    make_prediction(second, [span(0)], [0.9, 0.1, 0.1])
    make_gold(make_sentence(project, "Time flies", language="en"), [span(1)])
    return found


def get(client: Client, user: User, **choice: Any) -> str:
    client.force_login(user)
    response = client.get(reverse("exports", args=["letters"]), {"chosen": "1", **choice} if choice else {})
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def start(client: Client, user: User, **choice: Any) -> HttpResponse:
    client.force_login(user)
    return client.post(reverse("export-start", args=["letters"]), {"chosen": "1", **choice}, follow=True)


def options(text: str, name: str) -> list[str]:
    """What a list of the page offers."""
    select = text.partition(f'name="{name}">')[2].partition("</select>")[0]
    return re.findall(r"<option[^>]*>(.*?)</option>", select)


class TestChoices:
    def test_lists_and_numbers(self, client: Client, project: Project, mara: User, ana: User) -> None:
        text = get(client, mara)

        assert options(text, "layer") == ["Labels", "Interpretation", "Text only"]
        assert options(text, "labels") == ["Gold", "ana (2 answers)", "Suggestions by crf"]
        assert "JSON Lines" in options(text, "format")
        # Of one language alone.
        assert "WebAnno TSV 3 (INCEpTION)" not in options(text, "format")
        assert "webanno can store only one language. Choose one of: es, en." in text
        assert "2 sentences will be written." in text

    def test_of_a_person_in_one_language(self, client: Client, project: Project, mara: User, ana: User) -> None:
        text = get(client, mara, layer="labels", labels="person:ana", languages="es")

        assert "2 sentences will be written." in text
        assert "WebAnno TSV 3 (INCEpTION)" in options(text, "format")
        assert '<option value="person:ana" selected>' in text

    def test_formats_that_cannot_tell_the_undecided(
        self, client: Client, project: Project, mara: User, ana: User
    ) -> None:
        text = get(client, mara, layer="labels", labels="gold", languages=["es", "en"], undecided="on")

        assert "3 sentences will be written." in text
        assert "CoNLL 2003" not in options(text, "format")

    def test_pairs(self, client: Client, project: Project, mara: User) -> None:
        make_tag(make_pair(project), "relevant")

        text = get(client, mara, layer="interpretation", labels="gold", languages="es")

        assert "1 pair will be written." in text
        assert "CoNLL-U" not in options(text, "format")

    def test_nothing_to_choose(self, client: Client, project: Project, mara: User) -> None:
        assert "Nobody has labelled anything in this layer yet." in get(client, mara)
        make_sentence(project)
        assert "1 sentence will be written." in get(client, mara, layer="", languages="es")
        none = get(client, mara, layer="")
        assert "Choose at least one language." in none
        assert re.search(r'type="submit" disabled>\s*Export', none)

    def test_large_numbers_are_not_counted(
        self, client: Client, project: Project, mara: User, ana: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(export_page, "MAX_COUNTED", 1)

        text = get(client, mara, layer="labels", labels="person:ana", languages="es")

        assert "More than" in text
        assert "items will be written." in text
        assert "2 sentences" not in text


class TestStarting:
    def test_it_is_written_and_downloaded(self, client: Client, project: Project, mara: User, ana: User) -> None:
        choice = {"layer": "labels", "labels": "person:ana", "languages": "es", "format": "webanno"}

        shown = start(client, mara, **choice)

        job = Job.objects.get(kind=JobKind.EXPORT)
        assert shown.redirect_chain[-1][0] == reverse("exports", args=["letters"])
        assert "every 2s" in shown.content.decode()
        assert job.params["name"] == "ana"
        run_job(job.pk, worker="w")
        text = get(client, mara)
        address = reverse("export-download", args=["letters", job.pk])
        assert address in text
        assert "Labels · ana" in text
        assert "mara" in text
        answer = client.get(address)
        job.refresh_from_db()
        assert answer.headers["Content-Disposition"].endswith(f'{job.result["file"]}"')
        with zipfile.ZipFile(site_files().here(job.exported)) as packed:
            assert "METAPHOR" in packed.read(packed.namelist()[0]).decode()

    def test_the_list_alone_is_asked_for_while_one_is_written(
        self, client: Client, project: Project, mara: User, ana: User
    ) -> None:
        start(client, mara, layer="labels", labels="gold", languages="es", format="csv")
        asked = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "exports"}
        address = reverse("exports", args=["letters"])

        running = client.get(address, **asked)
        assert "<h1" not in running.content.decode()
        assert "HX-Refresh" not in running.headers
        run_job(Job.objects.get(kind=JobKind.EXPORT).pk, worker="w")
        assert client.get(address, **asked).headers["HX-Refresh"] == "true"

    @pytest.mark.parametrize(
        ("choice", "why"),
        [
            ({"languages": ["es", "en"], "format": "webanno"}, "Choose one of: es, en."),
            ({"languages": ["es"], "format": "nonsense"}, "Unknown format nonsense. Available:"),
            ({"languages": ["ca"], "format": "csv"}, "The project has no language ca. Available: es, en."),
            ({"languages": ["es"], "format": "csv", "labels": "person:nobody"}, "Check the username."),
            ({"languages": ["es"], "format": "csv", "labels": "nonsense"}, "Unknown value of “whose”"),
            ({"languages": ["es"], "format": "csv", "layer": "nonsense"}, "The project has no layer nonsense."),
            ({"format": "csv"}, "Choose at least one language."),
        ],
    )
    def test_refusals_say_what_to_do_and_keep_the_choice(
        self, client: Client, project: Project, mara: User, ana: User, choice: Choice, why: str
    ) -> None:
        shown = start(client, mara, **{"layer": "labels", "labels": "gold", **choice})

        assert why in shown.content.decode()
        assert "csrf" not in shown.redirect_chain[-1][0]
        assert f"format={choice['format']}" in shown.redirect_chain[-1][0]
        assert not Job.objects.filter(kind=JobKind.EXPORT).exists()

    def test_the_same_one_is_not_written_twice_at_once(
        self, client: Client, project: Project, mara: User, ana: User
    ) -> None:
        choice = {"layer": "labels", "labels": "gold", "languages": "es", "format": "csv"}
        start(client, mara, **choice)
        assert "This work is already in progress" in start(client, mara, **choice).content.decode()
        assert Job.objects.filter(kind=JobKind.EXPORT).count() == 1

    def test_also_in_an_archived_project(self, client: Client, project: Project, mara: User, ana: User) -> None:
        Project.objects.filter(pk=project.pk).update(archived_at=timezone.now())
        start(client, mara, layer="labels", labels="gold", languages="es", format="csv")
        assert Job.objects.get(kind=JobKind.EXPORT).state == JobState.QUEUED


class TestForWhom:
    def test_managers_alone(self, client: Client, project: Project) -> None:
        job = make_export(project)
        pages = [
            ("get", reverse("exports", args=["letters"])),
            ("post", reverse("export-start", args=["letters"])),
            ("get", reverse("export-download", args=["letters", job.pk])),
        ]
        people = [
            (make_member(project), 403),
            (make_member(project, Role.ADJUDICATOR), 403),
            (make_user(), 404),
        ]
        for member, status in people:
            client.force_login(member)
            for method, address in pages:
                assert getattr(client, method)(address).status_code == status
            assert "Export labels" not in client.get(reverse("releases", args=["letters"])).content.decode()

    def test_not_managers_who_work_blind(self, client: Client, project: Project, mara: User, ana: User) -> None:
        job = make_export(project)
        make_assignment(make_sentence(project), mara, stage_of(project, "correct"), mode=Mode.BLIND)

        text = get(client, mara)

        assert "You have blind items in this project" in text
        for hidden in ("ana (2 answers)", "export-form", "/download/"):
            assert hidden not in text
        choice = {"layer": "labels", "labels": "gold", "languages": "es", "format": "csv"}
        assert start(client, mara, **choice).status_code == 403
        assert client.get(reverse("export-download", args=["letters", job.pk])).status_code == 403
        assert Job.objects.filter(kind=JobKind.EXPORT).count() == 1

    @pytest.mark.parametrize("gone", [True, False], ids=["deleted", "of another project"])
    def test_no_file(self, client: Client, project: Project, mara: User, gone: bool) -> None:
        job = make_export(project if gone else make_project("other"))
        if gone:
            site_files().delete(job.exported)
        client.force_login(mara)

        shown = client.get(reverse("export-download", args=["letters", job.pk]), follow=True)

        assert shown.redirect_chain[-1][0] == reverse("exports", args=["letters"])
        assert "Export again." in shown.content.decode()


def test_statements_do_not_grow(client: Client, project: Project, mara: User, ana: User) -> None:
    counted = []
    for more in (0, 20):
        for _one in range(more):
            make_gold(make_sentence(project))
            make_export(project)
        get(client, mara)
        with CaptureQueriesContext(connection) as asked:
            get(client, mara)
        counted.append(len(asked))
    assert counted[0] == counted[1] <= 30


def test_hostile_choices_are_shown_as_text(client: Client, project: Project, mara: User, ana: User) -> None:
    text = get(client, mara, layer="<script>", labels='"><b>', languages="<i>", format="<u>")
    assert "<script>" not in text.partition("<main")[2]
