"""Why something failed, kept once and read by people of several languages."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.core.errors import ActionError
from annotator.domain.messages import Message, Sentence, joined, message, message_of
from annotator.formats.common.errors import FormatError
from annotator.jobs.actions import retry_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Project, Role
from annotator.models.stored_error import error_columns
from tests.factories import make_member, make_sentence

pytestmark = pytest.mark.django_db

TAKEN = "The short name “%(slug)s” is taken. Choose another one."
TAKEN_ES = "El nombre corto «corpus» ya está en uso"


def failed(project: Project, said: Sentence) -> Job:
    return Job.objects.create(
        project=project, kind=JobKind.IMPORT, params={"draft": ""}, state=JobState.FAILED, **error_columns(said)
    )


def test_one_row_is_read_in_the_language_of_each_reader(client: Client, project: Project) -> None:
    job = failed(project, message(TAKEN, slug="corpus"))
    client.force_login(make_member(project, Role.MANAGER))
    places = [
        reverse("job", args=[project.slug, job.pk]),
        reverse("jobs", args=[project.slug]),
        f"/api/v1/projects/{project.slug}/jobs/{job.pk}/",
    ]
    for place in places:
        english = client.get(place, headers={"Accept-Language": "en"}).content.decode()
        spanish = client.get(place, headers={"Accept-Language": "es"}).content.decode()
        assert "is taken. Choose another one" in english, place
        assert TAKEN_ES not in english, place
        assert TAKEN_ES in spanish, place
        assert "is taken" not in spanish, place
    job.refresh_from_db()
    assert job.error == "The short name “corpus” is taken. Choose another one."


def test_the_standard_text_of_what_nobody_expected_is_told_so_too(project: Project) -> None:
    job = Job.objects.create(project=project, kind=JobKind.RELABEL, params={"layer": 0, "change": {}})

    with translation.override("es"):
        run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.error.startswith("Something unexpected went wrong")
    assert job.error_shown == job.error
    with translation.override("es"):
        assert job.error_shown.startswith("Se ha producido un error inesperado")
        assert str(job.pk) in job.error_shown


def test_what_a_job_refuses_is_read_in_the_language_of_each_reader(project: Project) -> None:
    job = Job.objects.create(project=project, kind=JobKind.RELEASE, params={"partial": False, "mapping": ""})

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.error == job.error_shown == "This project has no gold yet, so there is nothing to export."
    with translation.override("es"):
        assert job.error_shown.startswith("Este proyecto todavía no tiene etiquetas gold")


def test_a_detectors_refusal_is_kept_in_parts(project: Project) -> None:
    params = {"language": "es", "detector": "trained:99", "only_unprojected": False, "chunk": 20}
    make_sentence(project)
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, params=params)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.error.startswith("This project has no detector “trained:99”.")
    assert job.error_said["gaps"] == {"detector": "trained:99"}


def test_an_older_row_shows_its_text(client: Client, project: Project) -> None:
    job = Job.objects.create(
        project=project, kind=JobKind.IMPORT, params={"draft": ""}, state=JobState.FAILED, error="100 % of %(x)s."
    )
    client.force_login(make_member(project, Role.MANAGER))
    page = client.get(reverse("job", args=[project.slug, job.pk]), headers={"Accept-Language": "es"})
    assert "100 % of %(x)s." in page.content.decode()


HOSTILE = ["100 % sure %(slug)s %s %n %(", "<img src=x onerror=alert(1)>", "a\0b", "\ud800", "{0} {slug}", ""]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_fills_a_gap_is_shown_as_it_is(client: Client, project: Project, hostile: str) -> None:
    job = failed(project, message(TAKEN, slug=message(TAKEN, slug=hostile)))
    job.refresh_from_db()

    shown = hostile.replace("\0", "�").replace("\ud800", "�")
    assert job.error_shown == TAKEN.replace("%(slug)s", TAKEN.replace("%(slug)s", shown)) == job.error
    client.force_login(make_member(project, Role.MANAGER))
    page = client.get(reverse("job", args=[project.slug, job.pk])).content.decode()
    assert "<img src=x" not in page


@pytest.mark.parametrize(
    "kept",
    [
        [],
        "text",
        7,
        {"text": "%(slug)s"},
        {"text": "", "gaps": {}},
        {"text": 7, "gaps": {}},
        {"text": "%(slug)s", "gaps": {"other": 1}},
        {"text": "%(slug)d", "gaps": {"slug": "word"}},
        {"text": "%(slug)099999999d", "gaps": {"slug": 1}},
        {"text": "%(slug)s", "gaps": {"slug": {"text": "%d", "gaps": {"x": 1}}}},
        {"text": "%(slug)s", "gaps": ["slug"]},
    ],
)
def test_what_is_no_sentence_shows_the_text_beside_it(project: Project, kept: Any) -> None:
    job = failed(project, "The disk is full.")
    Job.objects.filter(pk=job.pk).update(error_said=kept)
    job.refresh_from_db()
    assert job.error_shown == "The disk is full."


@pytest.mark.parametrize(
    "said",
    [
        message("It stopped."),
        message("%(part)s of %(all)d, %(share).2f %%", part=1, all=3, share=0.5),
        message("%(path)s: %(why)s", path=PurePosixPath("a/b"), why=message("50 %")),
        joined(["a", message("%(n)d b", n=2)], "; "),
    ],
)
def test_a_sentence_says_the_same_when_it_was_kept(said: Message) -> None:
    assert str(Message.from_json(json.loads(json.dumps(said.to_json())))) == str(said)


def test_a_retry_forgets_why_it_failed(project: Project) -> None:
    job = retry_job(job=failed(project, message(TAKEN, slug="corpus")), by=None)
    assert (job.error, job.error_said, job.error_shown) == ("", None, "")


def test_errors_of_files_and_of_actions_say_themselves() -> None:
    error = FormatError("a.txt", 3, message(TAKEN, slug="corpus"), "none")
    assert str(message_of(error)) == str(error)
    assert str(error) == "a.txt:3: expected The short name “corpus” is taken. Choose another one., got none"
    refused = ActionError(message(TAKEN, slug="corpus"))
    with translation.override("es"):
        assert "is taken" not in str(refused)
        assert "is taken" in str(refused.message)
    assert str(ActionError("100 %")) == "100 %"
