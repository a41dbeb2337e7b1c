"""Archives by the API: written, listed, downloaded, deleted; uploaded, looked into, restored by whoever may create."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.backup.actions.writing import write_archive
from annotator.core.files.storage import site_files
from annotator.models import ArchiveUpload, Job, JobKind, Project, Role, User
from tests.clients import client_of
from tests.factories import make_archive, make_member, make_project, make_sentence, make_user


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.mark.django_db(transaction=True)
def test_archives_are_started_listed_downloaded_and_deleted() -> None:
    project = make_project("letters")
    client = client_of(make_member(project, Role.MANAGER))
    base = "/api/v1/projects/letters/archives/"
    assert client.get(base).json() == {"archives": [], "changed": None, "next": None}

    job = client.post(base, {"pseudonyms": True}).json()
    assert (job["kind"], job["params"]) == ("archive", {"pseudonyms": True})
    assert client.post(base, {"pseudonyms": True}).status_code == 400
    made = make_archive(project, content=b"PK all of it")
    listed = client.get(base).json()
    assert [row["sha256"] for row in listed["archives"]] == [made.sha256]
    assert b"".join(client.get(f"{base}{made.pk}/file/").streaming_content) == b"PK all of it"
    assert client.delete(f"{base}{made.pk}/file/").json() == {"id": made.pk}
    assert not site_files().exists(made.stored)
    assert client.get(f"{base}{made.pk}/file/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_an_archive_is_uploaded_looked_into_and_restored() -> None:
    project = make_project("letters")
    make_member(project, username="ana")
    make_sentence(project)
    content = io.BytesIO()
    write_archive(project=project, file=content)
    client = client_of(restorer("berta"))

    def send(body: bytes) -> Any:
        return client.post("/api/v1/archives/", {"file": SimpleUploadedFile("a.zip", body)}, format="multipart")

    refused = send(b"PK")
    assert refused.status_code == 400
    assert "not a project backup" in refused.json()["error"]["message"]

    shown = send(content.getvalue()).json()
    address = f"/api/v1/archives/{shown['key']}/"
    assert (shown["state"], shown["holds"]["sentences"], shown["project"]) == ("waiting", {"es": 1}, None)
    assert shown["people"] == [{"username": "ana", "name": ""}]
    assert (shown["holds"]["left_out"], shown["holds"]["missing_releases"]) == ({}, [])
    assert client.get(address).json() == shown
    assert client_of(restorer("carla")).get(address).status_code == 404
    assert client_of(make_user()).get(address).status_code == 403
    assert client_of().get(address).status_code == 401
    assert client.post(f"{address}restore/", {"slug": "letters"}).status_code == 400
    assert Project.objects.count() == 1

    running = client.post(f"{address}restore/", {"slug": "again"}).json()
    assert (running["state"], running["job"]["kind"]) == ("running", JobKind.RESTORE)
    over = client.delete(address).json()
    assert (over["state"], over["error"]) == ("over", "It was cancelled.")
    assert Job.objects.filter(kind=JobKind.DELETE).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("creators", ["everybody", "chosen"])
def test_nobody_but_site_admins_uploads_until_it_is_given(settings: Any, folders: Path, creators: str) -> None:
    settings.PROJECT_CREATORS = creators
    client = client_of(make_user())

    answer = client.post("/api/v1/archives/", {"file": SimpleUploadedFile("a.zip", b"PK")}, format="multipart")

    assert answer.status_code == 403
    assert not ArchiveUpload.objects.exists()
    assert list(folders.rglob("*.zip")) == []


def restorer(username: str) -> User:
    """Somebody who was given the permission to restore backups."""
    user = make_user(username)
    user.restores_projects = True
    user.save()
    return user


@pytest.mark.django_db
def test_more_than_the_site_takes_is_refused_unread(settings: Any) -> None:
    settings.ARCHIVE_MAX_BYTES = 1000
    client = client_of(make_user(superuser=True))

    big = SimpleUploadedFile("a.zip", b"PK" * 600_000)
    answer = client.post("/api/v1/archives/", {"file": big}, format="multipart")

    assert answer.status_code == 413
