"""A release goes to a repository with the person's own token: against a server of our own that answers as Zenodo."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.models import Event, Project, Release
from tests.factories import make_project, make_release

pytestmark = pytest.mark.django_db

TOKEN = "a-token-of-ana"
CARD = {
    "authors": "Ruiz, Ana; 0000-0002-1825-0097; Letras\nSalas, Ben",
    "licence_labels": "CC-BY-4.0",
    "title": "Metáforas",
}


class Repository(HTTPServer):
    """What a repository was told, and what it stored."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.metadata: dict[str, Any] = {}
        self.published = False
        self.elsewhere = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/api"


class Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_POST(self) -> None:
        self._body()
        if self._refused():
            return
        if self.path == "/api/deposit/depositions":
            bucket = self.server.elsewhere or f"{self.server.address}/files/bucket"
            self._answer(201, {"id": 7, "links": {"bucket": bucket}})
        elif self.path == "/api/deposit/depositions/7/actions/publish":
            self.server.published = True
            self._answer(202, {"doi": "10.5072/zenodo.7", "links": {"html": "https://repository.example/7"}})
        else:
            self._answer(404, {})

    def do_PUT(self) -> None:
        body = self._body()
        if self._refused():
            return
        if self.path.startswith("/api/files/bucket/"):
            self.server.files[self.path.rpartition("/")[2]] = body
            self._answer(201, {})
        elif "Metáforas" in (metadata := json.loads(body)["metadata"])["title"]:
            self.server.metadata = metadata
            reserved = {"prereserve_doi": {"doi": "10.5072/zenodo.7"}}
            self._answer(200, {"metadata": reserved, "links": {"html": "https://repository.example/7"}})
        else:
            self._answer(400, {"message": "Validation error."})

    def _refused(self) -> bool:
        if self.headers["Authorization"] == f"Bearer {TOKEN}":
            return False
        self._answer(401, {"message": "Unauthorized"})
        return True

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"]))

    def _answer(self, status: int, value: dict[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def repository(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    monkeypatch.setenv("PUBLISH_TOKEN", TOKEN)
    server = Repository()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def project(tmp_path: Path, settings: Any) -> Project:
    settings.MEDIA_ROOT = tmp_path
    return make_project("letters")


def released(project: Project, card: dict[str, str]) -> Release:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in ("README.md", "LICENSE", "CITATION.cff", "sentences.jsonl"):
            file.writestr(name, f"this is {name}")
    about = {"project": {"name": "Letters", "languages": ["es", "en"], "dataset_card": card}}
    return make_release(project, content=packed.getvalue(), manifest=about)


def publish(repository: Repository, *options: str) -> str:
    out = io.StringIO()
    call_command("publish_release", "letters", "1", f"--address={repository.address}", *options, stdout=out)
    return out.getvalue()


def test_it_is_uploaded_as_a_draft_with_what_the_card_says(project: Project, repository: Repository) -> None:
    release = released(project, CARD)

    said = publish(repository)

    assert said == "Release 1 is a draft: https://repository.example/7\nDOI: 10.5072/zenodo.7\n"
    assert set(repository.files) == {release.file_name, "README.md", "LICENSE", "CITATION.cff"}
    assert len(repository.files[release.file_name]) == release.size
    assert repository.files["LICENSE"] == b"this is LICENSE"
    assert repository.metadata["creators"] == [
        {"name": "Ruiz, Ana", "affiliation": "Letras", "orcid": "0000-0002-1825-0097"},
        {"name": "Salas, Ben"},
    ]
    assert (repository.metadata["license"], repository.metadata["version"]) == ("cc-by-4.0", "1")
    assert not repository.published
    assert TOKEN not in str(list(Event.objects.values_list("before", "after")))


def test_it_is_published_on_request(project: Project, repository: Repository) -> None:
    released(project, CARD)

    assert "Release 1 is published" in publish(repository, "--publish")
    assert repository.published


def test_a_release_without_authors_is_not_uploaded(project: Project, repository: Repository) -> None:
    released(project, {})

    with pytest.raises(CommandError, match="Release 1 names no authors"):
        publish(repository)
    assert not repository.files


def test_a_token_that_is_refused_is_said_and_not_shown(
    project: Project, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    released(project, CARD)
    monkeypatch.setenv("PUBLISH_TOKEN", "another")

    with pytest.raises(CommandError, match="refused the token") as refusal:
        publish(repository)
    assert "another" not in str(refusal.value)


def test_what_the_repository_refuses_is_said(project: Project, repository: Repository) -> None:
    released(project, CARD | {"title": "Nothing"})

    with pytest.raises(CommandError, match=r"error 400: .*Validation error"):
        publish(repository)


@pytest.mark.parametrize("elsewhere", ["https://repository.invalid/bucket", "http://repository.invalid/bucket"])
def test_nobody_else_gets_the_token(project: Project, repository: Repository, elsewhere: str) -> None:
    released(project, CARD)
    repository.elsewhere = elsewhere

    with pytest.raises(CommandError, match=r"https://|as Zenodo does"):
        publish(repository)


def test_a_release_that_is_not_there_is_refused(project: Project) -> None:
    with pytest.raises(CommandError, match="has no release 1"):
        call_command("publish_release", "letters", "1")


def test_an_address_in_the_clear_is_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    released(project, CARD)
    monkeypatch.setenv("PUBLISH_TOKEN", TOKEN)

    with pytest.raises(CommandError, match="must begin with https://"):
        call_command("publish_release", "letters", "1", "--address=http://repository.invalid/api")
