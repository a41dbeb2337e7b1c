"""A data folder whose disk is full: people are told so within three seconds, and jobs continue when there is room."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import urllib.parse
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import on_servers
from tests.faults import SOON, Answer, Person, ask, make_person
from tests.site import Site, wait_until
from tests.tasks.test_killed_worker import (
    FEW,
    PREDICT,
    SENTENCES,
    assert_every_sentence_once,
    job_state,
    make_corpus,
)

pytestmark = pytest.mark.long

# Space for a new site, and for its uploads.
DISK = "48m"
FORM = "boundary"
SETTINGS = "/api/v1/projects/corpus/settings/"
START_ARCHIVE = """
from annotator.jobs.actions import start_job
from annotator.models import Project
start_job(project=Project.objects.get(), kind="archive", params={}, by=None)
"""
WAITING = """
import json
from annotator.jobs.queries import waiting_reason
from annotator.models import Job
print(json.dumps(waiting_reason(Job.objects.get())))
"""


@pytest.fixture
def small_site(any_site: Site) -> Iterator[Site]:
    """A site with a data folder on a small disk of its own. What its processes log is on another one."""
    data = any_site.folder / "data"
    data.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(data)], check=False, capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"This user may not mount a disk: {mounted.stderr.strip()}")
    any_site.env |= {"DATA_DIR": str(data), "TMPDIR": str(data)}
    if not any_site.database_url:
        shutil.move(any_site.folder / "db.sqlite3", data)
        (any_site.folder / "db.sqlite3").symlink_to(data / "db.sqlite3")
        any_site.env["DATABASE_URL"] = f"sqlite:///{data / 'db.sqlite3'}"
    try:
        yield any_site
    finally:
        any_site.stop()
        subprocess.run(["umount", "--lazy", str(data)], check=True)


@contextmanager
def full(site: Site) -> Iterator[None]:
    """No room while the block lasts."""
    path = Path(site.env["DATA_DIR"]) / "fills"
    with path.open("wb", buffering=0) as file:
        for piece in (1024 * 1024, 4096, 1):
            try:
                while file.write(b"0" * piece):
                    pass
            except OSError:
                continue
    try:
        yield
    finally:
        path.unlink()


def upload(person: Person, draft: int, name: str, content: bytes) -> Answer:
    """A file for an import, sent by script."""
    head = f'--{FORM}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
    headers = {
        "Authorization": person.headers["Authorization"],
        "Content-Type": f"multipart/form-data; boundary={FORM}",
    }
    body = head.encode() + content + f"\r\n--{FORM}--\r\n".encode()
    return ask(f"{person.address}/api/v1/projects/corpus/imports/drafts/{draft}/files/", headers, body)


def zipped(size: int) -> bytes:
    """A sound zip of about so many bytes, of noise that does not get smaller."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("corpus.txt", os.urandom(size // 2).hex())
    return made.getvalue()


def sign_in(address: str) -> Answer:
    """A sign-in that fails, and is counted."""
    page = ask(f"{address}/sign-in/")
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert found
    form = {"username": "ana", "password": "guess", "csrfmiddlewaretoken": found[1]}
    headers = {"Cookie": page.headers["Set-Cookie"].partition(";")[0]}
    return ask(f"{address}/sign-in/", headers, urllib.parse.urlencode(form).encode())


def test_people_are_told_and_served_again(small_site: Site) -> None:
    headers = make_person(small_site)
    with small_site.served("--config", "python:annotator.gunicorn_conf", "--threads", "4") as address:
        person = Person(address, headers)
        assert person.page().status == person.call().status == 200
        draft = person.call("/api/v1/projects/corpus/imports/drafts/", {}).json["id"]
        with full(small_site):
            sent = [upload(person, draft, "corpus.zip", zipped(size)) for size in (30_000, 300_000, 3_000_000)]
            # A database of its own disk has room.
            saved = [person.call(SETTINGS, {"name": f"{number} {'x' * 190}"}) for number in range(10)]
            seen = [person.page(), person.call(), ask(f"{address}/sign-in/"), sign_in(address)]

        assert max(one.seconds for one in (*sent, *saved, *seen)) < SOON
        told = sent if small_site.database_url else [*sent, saved[-1]]
        assert {one.status for one in told} == {503}
        for one in told:
            assert one.json["error"]["message"].startswith("The disk of this site is full")
        assert {one.status for one in (*saved, *seen)} <= {200, 503}
        assert person.page().status == 200
        assert upload(person, draft, "corpus.zip", zipped(30_000)).status == 200
        assert person.call(SETTINGS, {"name": "Another"}).status == 200
    log = (small_site.folder / "gunicorn.log").read_text()
    assert "Traceback" not in log
    # Each of two processes once for each fault.
    assert max(Counter(re.findall(r"django.request: (.*)", log)).values()) <= 2, log


@on_servers
def test_a_job_that_finds_no_room_says_so_and_continues(small_site: Site, any_site: Site) -> None:
    make_corpus(small_site, FEW)
    small_site.celery_worker("-Q", "default,ml", "--concurrency", "1")
    with full(small_site):
        small_site.python(START_ARCHIVE)
        wait_until(lambda: small_site.value("SELECT error FROM annotator_job"), seconds=30, what=small_site.logs())
        assert small_site.python(WAITING) == "The disk is full, so this waits. It will continue when there is room."

    wait_until(lambda: job_state(small_site) == "done", what=small_site.logs())
    assert small_site.value("SELECT error FROM annotator_job") == ""
    assert small_site.python(WAITING) == ""


@pytest.mark.processes
@pytest.mark.parametrize("any_site", ["site"], indirect=True)
def test_a_job_whose_database_finds_no_room_continues(small_site: Site, any_site: Site) -> None:
    make_corpus(small_site)
    small_site.worker()
    small_site.command(*PREDICT)
    wait_until(lambda: small_site.value("SELECT done FROM annotator_job"), what=small_site.logs())
    with full(small_site):
        assert small_site.value("SELECT done FROM annotator_job") < SENTENCES, "it had ended before"
        wait_until(lambda: "disk is full" in small_site.last_log(), seconds=30, what=small_site.logs())

    wait_until(lambda: job_state(small_site) not in ("queued", "running"), what=small_site.logs())
    assert_every_sentence_once(small_site)
    assert "Traceback" not in small_site.last_log(), small_site.last_log()
