"""Importing through the API, from files to sentences; who may; and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotator.jobs.running import run_job
from annotator.models import Import, Project, Role, Unit
from tests.clients import client_of
from tests.drafts import CATALAN, SPANISH, draft_of, make_plain, sentences
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]
BASE = "/api/v1/projects/corpus/imports/"


@pytest.fixture
def project() -> Project:
    return make_plain()


@pytest.fixture
def client(project: Project) -> APIClient:
    return client_of(make_member(project, Role.MANAGER, "mara"))


def file(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_from_files_to_sentences_and_back(client: APIClient, project: Project) -> None:
    draft = client.post(f"{BASE}drafts/").json()
    address = f"{BASE}drafts/{draft['id']}/"
    files = {"files": [file("novel.es.txt", SPANISH), file("novel.ca.txt", CATALAN)]}

    added = client.post(f"{address}files/", files, format="multipart").json()
    assert [(one["name"], one["language"]) for one in added["files"]] == [
        ("novel.es.txt", "es"),
        ("novel.ca.txt", "ca"),
    ]
    assert "stored" not in added["files"][0]
    changed = client.patch(address, {"dataset": "book", "licence": "CC0", "publishable": False}).json()
    assert (changed["dataset"], changed["licence"]) == ("book", "CC0")
    preview = client.get(f"{address}preview/").json()
    assert (preview["ready"], preview["counts"]["sentences"]) == (True, {"es": 3, "ca": 3})
    job = client.post(f"{address}start/").json()
    run_job(job["id"], worker="one")

    assert client.get(f"/api/v1/projects/corpus/jobs/{job['id']}/").json()["state"] == "done"
    assert sentences(project, "ca") == CATALAN.splitlines()
    [imported] = client.get(BASE).json()["imports"]
    assert (imported["dataset"], imported["licence"], imported["publishable"]) == ("book", "CC0", False)
    assert client.get(address).json()["imported"] == imported["id"]
    one = f"{BASE}{imported['id']}/"
    assert client.get(one).json()["sentences"] == {"es": 3, "ca": 3}
    assert client.patch(one, {"publishable": True}).json()["imported"]["publishable"]
    assert client.get(one).json()["imported"]["licence"] == "CC0"
    assert client.post(f"{BASE}{imported['id']}/take-back/").status_code == 200
    assert not Unit.objects.exists()
    assert not Import.objects.exists()


def test_what_was_not_sure_is_said_until_somebody_chooses(client: APIClient, project: Project) -> None:
    draft = draft_of(project, {"table.tsv": "Obra\tVersió\nEl tiempo vuela.\tEl temps vola.\n"})
    address = f"{BASE}drafts/{draft.pk}/"

    preview = client.get(f"{address}preview/").json()
    assert preview["counts"]["sentences"] == {"es": 1, "ca": 1}
    assert preview["doubts"] == ["the first row is read as column names, not as a sentence: “Obra | Versió”"]
    client.patch(address, {"options": {"header": True}}, format="json")
    assert client.get(f"{address}preview/").json()["doubts"] == []


def test_what_is_wrong_is_said_whether_anybody_looked_at_a_preview(client: APIClient, project: Project) -> None:
    draft = draft_of(project, {"t.csv": "id,text:es\n7,El sol .\n7,La luna .\n"})
    answer = client.get(f"{BASE}drafts/{draft.pk}/problems/").json()
    assert (answer["total"], [problem["line"] for problem in answer["problems"]]) == (1, [3])


def test_refusals_have_the_one_shape(client: APIClient, project: Project, settings: Any) -> None:
    draft = draft_of(project, {"t.csv": "id,text:es\n7,El sol .\n7,La luna .\n"})
    address = f"{BASE}drafts/{draft.pk}/"

    for answer in (
        client.post(f"{address}start/"),
        client.patch(address, {"dataset": "../x"}),
        client.patch(address, {"labels_as": "silver"}),
        client.patch(address, {"files": {"1": {"language": "fr"}}}),
        client.post(f"{address}files/", {}, format="multipart"),
        client.delete(f"{address}files/9/"),
    ):
        assert answer.status_code == 400
        assert answer.json()["error"]["message"]
    [problem] = client.get(f"{address}problems/").json()["problems"]
    assert (problem["file"], problem["line"], problem["severity"]) == ("t.csv", 3, "error")
    settings.IMPORT_MAX_BYTES = 100
    answer = client.post(f"{address}files/", {"files": [file("x.txt", "x" * 2_000_000)]}, format="multipart")
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
    assert not Unit.objects.exists()
