"""A release becomes a dataset of a hub: against a server of our own that answers the hub's library as a hub does."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotator.models import Event, Project
from tests.commands.test_publish_release import CARD, TOKEN, project, released  # noqa: F401 -- a fixture

pytestmark = pytest.mark.django_db
DATASET = "letras/metaforas"


class Hub(HTTPServer):
    """What the hub was told: files by path, tags, who sees the dataset."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {"old.jsonl": b"of an earlier release"}
        self.tags: list[str] = []
        self.visibility = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        if self._refused():
            return
        path = self.path.partition("?")[0]
        if path.startswith(f"/api/datasets/{DATASET}/tree/"):
            there = [{"type": "file", "path": path, "size": 1, "oid": "0" * 40} for path in self.server.files]
            self._answer(200, there)
        else:
            siblings = [{"rfilename": path} for path in self.server.files]
            self._answer(200, {"id": DATASET, "sha": "0" * 40, "siblings": siblings, "private": True})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._refused():
            return
        path = self.path.partition("?")[0]
        of_dataset = path.removeprefix(f"/api/datasets/{DATASET}")
        if path == "/api/repos/create":
            self.server.visibility = json.loads(body)["visibility"]
            self._answer(200, {"url": f"{self.server.address}/datasets/{DATASET}"})
        elif of_dataset == "/preupload/main":
            asked = json.loads(body)["files"]
            files = [{"path": one["path"], "uploadMode": "regular", "shouldIgnore": False} for one in asked]
            self._answer(200, {"files": files})
        elif of_dataset == "/commit/main":
            self._commit([json.loads(line) for line in body.splitlines()])
        elif of_dataset.startswith("/tag/"):
            self.server.tags.append(json.loads(body)["tag"])
            self._answer(200, {})
        else:
            self._answer(200, {"errors": [], "warnings": []})

    def _commit(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            value = line["value"]
            if line["key"] == "file":
                self.server.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "deletedFile":
                del self.server.files[value["path"]]
        url = f"{self.server.address}/datasets/{DATASET}/commit/1"
        self._answer(200, {"commitUrl": url, "commitOid": "1" * 40, "hookOutput": "", "success": True})

    def _refused(self) -> bool:
        if self.headers["Authorization"] == f"Bearer {TOKEN}":
            return False
        self._answer(401, {"error": "Invalid token"})
        return True

    def _answer(self, status: int, value: Any) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: Any) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("PUBLISH_TOKEN", TOKEN)
    monkeypatch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    server = Hub()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def publish(hub: Hub, *options: str) -> str:
    out = io.StringIO()
    call_command(
        "publish_release", "letters", "1", f"--hub={DATASET}", f"--address={hub.address}", *options, stdout=out
    )
    return out.getvalue()


def test_the_files_become_those_of_a_private_dataset(project: Project, hub: Hub) -> None:  # noqa: F811 -- the fixture
    release = released(project, CARD)

    said = publish(hub)

    page = f"{hub.address}/datasets/{DATASET}"
    assert said == f"Release 1 is uploaded: {page}\n"
    names = ("README.md", "LICENSE", "CITATION.cff", "sentences.jsonl")
    assert hub.files == {name: f"this is {name}".encode() for name in names}
    assert (hub.visibility, hub.tags) == ("private", ["release-1"])
    event = Event.objects.get(verb="release.published")
    assert (event.subject_id, event.after) == (release.pk, {"number": 1, "page": page, "published": False})
    assert TOKEN not in str(event.after)


def test_it_is_public_on_request(project: Project, hub: Hub) -> None:  # noqa: F811 -- the fixture
    released(project, CARD)
    publish(hub, "--publish")
    assert hub.visibility == "public"


@pytest.mark.parametrize(
    ("card", "dataset", "token", "expected"),
    [
        ({}, DATASET, TOKEN, "names no authors"),
        (CARD, "a/b/c", TOKEN, "Enter the dataset as owner/name"),
        (CARD, DATASET, "hf_of_somebody", "refused the token"),
    ],
)
def test_what_is_refused_is_said_and_uploads_nothing(
    project: Project,  # noqa: F811 -- the fixture
    hub: Hub,
    monkeypatch: pytest.MonkeyPatch,
    card: dict[str, str],
    dataset: str,
    token: str,
    expected: str,
) -> None:
    released(project, card)
    monkeypatch.setenv("PUBLISH_TOKEN", token)

    with pytest.raises(CommandError, match=expected) as refusal:
        call_command("publish_release", "letters", "1", f"--hub={dataset}", f"--address={hub.address}")

    assert "hf_of_somebody" not in str(refusal.value)
    assert list(hub.files) == ["old.jsonl"]
    assert not Event.objects.filter(verb="release.published").exists()


def test_a_hub_that_is_away_is_said(project: Project, hub: Hub) -> None:  # noqa: F811 -- the fixture
    released(project, CARD)

    with pytest.raises(CommandError, match="cannot be reached"):
        call_command("publish_release", "letters", "1", f"--hub={DATASET}", "--address=http://127.0.0.1:9")
