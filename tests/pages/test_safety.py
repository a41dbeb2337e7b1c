"""What strangers write cannot become part of the pages, and what the pages may load."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.urls import reverse

from annotator.models import Job, JobKind, JobState, Mode, Project, Role, User
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_release,
    make_sentence,
    make_user,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"
ATTRIBUTE = "\"'><img/src=x>"


@pytest.fixture
def hostile(client: Client) -> Project:
    """A project in which everything that people or files can name is hostile."""
    project = make_project("letters")
    project.name = HOSTILE + ATTRIBUTE
    project.descriptions = {"en": HOSTILE + ATTRIBUTE}
    project.guidelines = {"en": HOSTILE + ATTRIBUTE}
    project.save()
    manager = make_member(project, Role.MANAGER)
    people = [make_member(project), make_member(project)]
    User.objects.update(first_name=HOSTILE + ATTRIBUTE)
    sentence = make_sentence(project, HOSTILE.replace(" ", "") + " " + ATTRIBUTE)
    type(sentence.segment).objects.update(dataset=HOSTILE, genre=HOSTILE)
    for person in (*people, manager):
        make_annotation(sentence, person, [span(0)], doubt=True, comment=HOSTILE + ATTRIBUTE)
        make_assignment(
            sentence, person, stage_of(project, "correct"), mode=Mode.BLIND if person != manager else Mode.REVIEW
        )
    make_gold(make_sentence(project), [span(0)])
    Job.objects.create(
        project=project,
        kind=JobKind.IMPORT,
        state=JobState.FAILED,
        error=HOSTILE + ATTRIBUTE,
        params={"dataset": HOSTILE + ATTRIBUTE},
        result={HOSTILE: {ATTRIBUTE: [HOSTILE]}, "datasets": [{"dataset": HOSTILE, "warnings": [HOSTILE]}]},
    )
    release = make_release(project)
    type(release).objects.update(
        manifest={"files": {HOSTILE: {"bytes": 1}}, "left_out": [{"id": HOSTILE, "reason": HOSTILE}]}
    )
    client.force_login(manager)
    return project


def addresses(project: Project) -> list[str]:
    slug = project.slug
    stage, job = stage_of(project, "correct").pk, Job.objects.get(kind=JobKind.IMPORT).pk
    plain = (
        "project", "agreement", "reports", "jobs", "releases", "members", "import", "guidelines", "guidelines-edit",
        "settings", "settings-copy", "settings-delete",
    )  # fmt: skip
    return [
        reverse("projects"),
        reverse("password"),
        reverse("account"),
        reverse("new-project"),
        reverse("settings-labels", args=[slug, "labels"]),
        reverse("settings-language", args=[slug, "es"]),
        *(reverse(name, args=[slug]) for name in plain),
        reverse("job", args=[slug, job]),
        reverse("release", args=[slug, 1]),
        reverse("items", args=[slug, stage]),
        reverse("person", args=[slug, project.memberships.earliest("pk").user_id]),
    ]


@pytest.mark.slow
def test_hostile_text_stays_text(client: Client, hostile: Project) -> None:
    for address in addresses(hostile):
        response = client.get(address)
        page = response.content.decode()

        assert response.status_code == 200, address
        assert "<script>alert" not in page, address
        assert "<img/src" not in page, address
        assert "&lt;script&gt;alert" in page, address


@pytest.mark.slow
def test_pages_hold_nothing_that_the_policy_forbids(client: Client, hostile: Project) -> None:
    for address in [*addresses(hostile), "/nowhere/"]:
        response = client.get(address)
        page = response.content.decode()

        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<[^>]+\s(?:style|on[a-z]+)=", page), address
        assert "<style" not in page, address
        for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
            assert 'src="/' in attributes or 'type="application/json"' in attributes, address
            assert not body.strip() or 'type="application/json"' in attributes, address
        for link in re.findall(r'\s(?:src|href|action)="([^"]*)"', page):
            assert link.startswith(("/", "#", "?")), (address, link)


def test_a_form_without_its_token_changes_nothing_and_says_why(hostile: Project) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(memberships__role=Role.MANAGER))

    response = strict.post(reverse("member-add", args=["letters"]), {"add-username": "x"})

    assert response.status_code == 403
    assert "Nothing was saved" in response.content.decode()


def test_an_unknown_address_has_a_page_of_its_own(client: Client) -> None:
    response = client.get("/nowhere/")

    assert response.status_code == 404
    assert "This page does not exist" in response.content.decode()


@override_settings(DEBUG=False)
def test_what_breaks_has_a_page_that_needs_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.raise_request_exception = False
    client.force_login(make_member(make_project("letters")))
    monkeypatch.setattr("annotator.projects.views.projects.project_cards", None)

    response = client.get(reverse("projects"))

    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()


@pytest.mark.slow
def test_every_label_of_a_form_names_a_field(client: Client, hostile: Project) -> None:
    for address in addresses(hostile):
        page = client.get(address).content.decode()
        ids = re.findall(r'\sid="([^"]+)"', page)

        assert len(ids) == len(set(ids)), address
        for target in re.findall(r'<label[^>]* for="([^"]+)"', page):
            assert target in ids, (address, target)
        for target in re.findall(r'aria-(?:labelledby|describedby|controls)="([^"]+)"', page):
            assert set(target.split()) <= set(ids), (address, target)


def test_the_page_of_the_api_lives_under_the_same_policy(client: Client) -> None:
    client.force_login(make_user())

    page = client.get(reverse("api:docs")).content.decode()

    assert "<style" not in page
    assert not re.search(r"<script>", page)
    scripts = re.findall(r'<script src="([^"]+)"', page)
    assert scripts
    assert all(script.startswith("/") for script in scripts)


def test_large_bodies_are_refused_before_anything_is_written(client: Client, settings: Any, tmp_path: Path) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = str(tmp_path)
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 0
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.IMPORT_MAX_BYTES = 2000, 2000
    manager = make_member(make_project("letters"), Role.MANAGER)

    def send(url: str, size: int) -> Any:
        return client.post(url, {"files": SimpleUploadedFile("corpus.zip", b"x" * size)})

    assert send(reverse("sign-in"), 70_000).status_code == 413
    client.force_login(manager)
    assert send(reverse("import", args=["letters"]), 7000).status_code == 413
    assert list(tmp_path.iterdir()) == []
    told = send(reverse("import", args=["letters"]), 4000)
    assert told.status_code == 422


def test_pages_are_compressed_and_their_length_does_not_tell_what_they_hold(client: Client, hostile: Project) -> None:
    address = reverse("guidelines", args=["letters"])

    packed = [client.get(address, headers={"Accept-Encoding": "gzip"}) for _time in range(8)]

    assert {response.headers["Content-Encoding"] for response in packed} == {"gzip"}
    assert "Accept-Encoding" in packed[0].headers["Vary"]
    plain = client.get(address)
    assert "Content-Encoding" not in plain.headers
    assert b"Skip to the content" in gzip.decompress(packed[0].content)
    assert len(packed[0].content) < len(plain.content) / 2
    # BREACH compares lengths: the same page has another one each time.
    assert len({len(response.content) for response in packed}) > 1


def test_what_the_api_answers_is_compressed_and_what_is_packed_already_is_not(client: Client, hostile: Project) -> None:
    answer = client.get("/api/v1/projects/letters/", headers={"Accept-Encoding": "gzip"})
    release = client.get(reverse("release-download", args=["letters", 1]), headers={"Accept-Encoding": "gzip"})

    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in release.headers
    assert int(release.headers["Content-Length"]) == len(b"".join(release))
