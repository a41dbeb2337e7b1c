"""A site on two machines that share no disk: two data folders, one database, one broker, one bucket."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import socket
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.site import Site, wait_until
from tests.storage import ObjectServer
from tests.tasks.test_killed_worker import PREDICT, SENTENCES, assert_every_sentence_once, job_state, make_corpus

pytestmark = pytest.mark.long


def beside(site: Site, folder: Path) -> Site:
    """Another machine of the same site, with a data folder of its own."""
    made = Site(folder)
    made.database_url = site.database_url
    made.env = {**site.env, "DATA_DIR": str(folder)}
    return made


@pytest.fixture
def other_folder(site: Site, tmp_path: Path) -> Iterator[Site]:
    made = beside(site, tmp_path / "other")
    yield made
    made.stop()


@pytest.mark.processes
def test_a_worker_that_does_not_see_the_files_does_not_start(site: Site, other_folder: Site) -> None:
    with site.served():
        pass

    refused = other_folder.manage("worker", check=False)

    assert refused.returncode != 0
    [line] = [line for line in refused.stderr.splitlines() if "does not see the site's files" in line]
    assert str(other_folder.folder) in line
    assert "STORAGE_URL" in line
    # Where the files are copied, it sees them.
    shutil.copy(site.folder / "site-id", other_folder.folder)
    process = other_folder.start("worker")
    wait_until(lambda: site.value("SELECT COUNT(*) FROM annotator_worker") or process.poll() is not None)
    assert process.poll() is None, other_folder.logs()


SETUP = """
import json
from django.db import transaction
from annotator.models import Role
from tests.factories import make_gold, make_member, make_project, make_token, span
from tests.tasks.test_train import figurative, labelled
with transaction.atomic():
    project = make_project("learning", languages=["es"])
    mara = make_member(project, Role.MANAGER, username="mara")
    labelled(project, mara, 100)
    figurative(project, 1001, 1003, 1004, 1006)
    make_gold(project.sentences.earliest("pk"), [span(0)])
print(json.dumps(make_token(mara)[1]))
"""
RELEASE = """
from annotator.jobs.actions import start_job
from annotator.models import JobKind, Project
start_job(project=Project.objects.get(), kind=JobKind.RELEASE, params={"partial": True}, by=None)
"""
LATIN = "Ana grimba la carta .\nLa vecina lee .\n"


@pytest.fixture
def web(server_site: Site, object_store: ObjectServer) -> Site:
    """The machine of the web server."""
    server_site.env["STORAGE_URL"] = object_store.with_bucket().url
    return server_site


@pytest.fixture
def other(web: Site, tmp_path: Path) -> Iterator[Site]:
    """The other machine."""
    made = beside(web, tmp_path / "other")
    yield made
    made.stop()


@dataclass(frozen=True)
class Caller:
    """Somebody who calls the API of a project."""

    address: str
    token: str

    def __call__(self, path: str, data: object = None) -> Any:
        """What a call answers: JSON, or the bytes of a file. With `data`, a POST."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(f"{self.address}/api/v1/projects/learning/{path}", body, headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- a server of our own
            content = answer.read()
        return json.loads(content) if answer.headers["Content-Type"] == "application/json" else content


def job_ends(site: Site, kind: str, *, by: Site) -> None:
    """Wait until the newest job of a kind has ended as it should, done by a machine."""
    state = f"SELECT state FROM annotator_job WHERE kind = '{kind}' ORDER BY id DESC LIMIT 1"  # noqa: S608
    wait_until(lambda: site.value(state) not in (None, "queued", "running"), what=by.logs())
    assert site.value(state) == "done", by.logs()


@pytest.mark.services
@pytest.mark.slow
def test_what_a_worker_of_another_machine_made_is_there_on_the_first(web: Site, other: Site) -> None:
    token = web.python(SETUP)
    with web.served() as address:
        call = Caller(address, token)
        worker = other.celery_worker("-Q", "default,ml", "--concurrency", "1", "-n", "other@%h")

        draft = call("imports/drafts/", {"dataset": "news"})["id"]
        call(f"imports/drafts/{draft}/text/", {"name": "news.txt", "text": LATIN})
        call(f"imports/drafts/{draft}/start/", {})
        job_ends(web, "import", by=other)
        web.python(RELEASE)
        job_ends(web, "release", by=other)
        web.command("train_detector", "--project", "learning", "--language", "es")
        job_ends(web, "train", by=other)
        call("archives/", {"pseudonyms": False})
        job_ends(web, "archive", by=other)

        [archive] = call("archives/")["archives"]
        content = call(f"archives/{archive['id']}/file/")
        assert hashlib.sha256(content).hexdigest() == archive["sha256"]
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            release = packed.read("releases/1.zip")
        assert web.value("SELECT sha256 FROM annotator_release") == hashlib.sha256(release).hexdigest()

        # What one machine has learnt, the other one uses.
        worker.terminate()
        worker.wait()
        web.celery_worker("-Q", "default,ml", "--concurrency", "1", "-n", "web@%h")
        web.command("predict", "learning", "--language", "es", "--detector", "trained:1")
        job_ends(web, "predict", by=web)

    assert not [path for name in ("releases", "archives", "uploads", "models") for path in web.folder.glob(name)]
    assert list((web.folder / "copies").rglob("model.json")), "its own copy of the detector"


class Flower:
    """Flower's API over a site's broker, on a port of its own."""

    def __init__(self, site: Site) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/api"
        # Its API asks for a sign-in unless it is told that none is needed.
        site.env["FLOWER_UNAUTHENTICATED_API"] = "1"
        site.celery_program("flower", f"--port={port}", "--address=127.0.0.1")

    def __call__(self, path: str) -> Any:
        with urllib.request.urlopen(f"{self.address}/{path}", timeout=30) as answer:  # noqa: S310 -- a server of our own
            return json.loads(answer.read())

    def knows(self, *workers: str) -> bool:
        """Whether it has met these workers."""
        try:
            return {name.partition("@")[0] for name in self("workers?refresh=1")} >= set(workers)
        except (urllib.error.URLError, ConnectionError):
            return False


@pytest.mark.services
@pytest.mark.slow
def test_flower_and_inspect_show_what_two_machines_do(web: Site, other: Site) -> None:
    make_corpus(web)
    flower = Flower(web)
    for site, name in ((web, "web"), (other, "other")):
        site.celery_worker("-Q", "ml", "--concurrency", "1", "--task-events", "-n", f"{name}@%h")
    wait_until(lambda: flower.knows("web", "other"), what=web.logs())

    web.command(*PREDICT)
    wait_until(lambda: web.value("SELECT done FROM annotator_job"), what=web.logs())
    active = json.loads(web.celery("inspect", "active", "--json"))
    with redis.Redis.from_url(web.env["CELERY_BROKER_URL"]) as broker:
        waiting = sum(broker.llen(key) for key in broker.keys("ml*"))
    assert web.value("SELECT done FROM annotator_job") < SENTENCES, "it had ended before"

    assert {name.partition("@")[0] for name in active} == {"web", "other"}
    assert {task["name"] for tasks in active.values() for task in tasks} == {"annotator.tasks.take_step"}
    assert waiting > 0, "what waits is the length of the queue"
    wait_until(lambda: job_state(web) not in ("queued", "running"), what=web.logs() + other.logs())
    assert_every_sentence_once(web)
    tasks = flower("tasks?limit=500").values()
    assert {task["worker"].partition("@")[0] for task in tasks if task["state"] == "SUCCESS"} == {"web", "other"}
    assert {task["name"] for task in tasks} >= {"annotator.tasks.take_step"}
