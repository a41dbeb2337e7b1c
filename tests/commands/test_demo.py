"""`make demo`'s command, as a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import urllib.request
from pathlib import Path

import pytest

from annotator.management.commands.demo import NICE
from tests.forks import Process
from tests.site import Site, wait_until


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
    return number


def answers(port: int, path: str) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
        status: int = response.status
    return status


def counts(folder: Path) -> list[tuple[int, ...]]:
    with sqlite3.connect(folder / "db.sqlite3") as connection:
        return [
            connection.execute(f"SELECT COUNT(*) FROM annotator_{table}").fetchone()  # noqa: S608
            for table in ("event", "annotation", "job", "gold", "user")
        ]


def test_the_demo_serves_stops_cleanly_comes_back_with_everything_and_leaves_no_orphans(
    tmp_path: Path, port: int
) -> None:
    site = Site(tmp_path / "site")
    demo = start_demo(site, port)
    assert "translatio" in site.last_log()
    assert answers(port, "/sign-in/") == 200
    worker = site.value("SELECT name FROM annotator_worker").split(":")[1]
    assert os.getpriority(os.PRIO_PROCESS, int(worker)) == os.getpriority(os.PRIO_PROCESS, demo.pid) + NICE

    demo.send_signal(signal.SIGINT)

    assert demo.wait(timeout=40) == 0, site.logs()
    assert site.value("SELECT COUNT(*) FROM annotator_worker") == 0
    with pytest.raises(OSError, match="refused"):
        answers(port, "/healthz/")
    before = counts(site.folder)

    demo = start_demo(site, port)
    assert counts(site.folder) == before
    worker = site.value("SELECT name FROM annotator_worker").split(":")[1]
    os.kill(int(worker), signal.SIGKILL)

    another = f"SELECT COUNT(*) FROM annotator_worker WHERE name NOT LIKE '%:{worker}:%'"  # noqa: S608
    wait_until(lambda: site.value(another), what="another worker")
    assert "The worker has ended with exit code -9; it is started again." in site.last_log()
    assert answers(port, "/sign-in/") == 200

    demo.kill()
    wait_until(lambda: not site.value(another), what="the end of the worker")
    wait_until(lambda: not listens(port), what="the end of the web server")


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def start_demo(site: Site, port: int) -> Process:
    """Start the demo, and wait until web server and worker are there."""
    demo = site.start("demo", "--port", str(port))
    wait_until(lambda: "Ctrl-C stops everything" in site.last_log(), seconds=90, what="the demo's greeting")
    assert f"http://127.0.0.1:{port}/" in site.last_log()
    assert answers(port, "/healthz/") == 200
    wait_until(lambda: site.value("SELECT COUNT(*) FROM annotator_worker"), what="the worker")
    return demo


def test_a_port_that_is_taken_is_named_before_anything_is_done(tmp_path: Path) -> None:
    site = Site(tmp_path / "site")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = site.manage("demo", "--port", str(port), check=False)

    assert answer.returncode == 1
    assert f"Port {port} cannot be used" in answer.stderr
    assert f"process {os.getpid()}, " in answer.stderr
    assert f"make demo PORT={port + 1}" in answer.stderr
    assert not (site.folder / "db.sqlite3").exists()


def test_health_is_told_by_exit_code(site: Site, port: int) -> None:
    assert site.manage("healthy", "--port", str(port), check=False).returncode == 1
    assert site.manage("healthy", "--worker", check=False).returncode == 1

    site.worker()

    assert site.manage("healthy", "--worker").stdout.strip() == "ok"


def test_the_sample_is_not_loaded_where_people_work(site: Site) -> None:
    site.python("from annotator.models import User; User.objects.create_user('carmen', password='of her own')")

    answer = site.manage("load_sample", check=False)

    assert answer.returncode == 1
    assert "DEMO_PASSWORD" in answer.stderr
    assert site.value("SELECT COUNT(*) FROM annotator_user") == 1
    assert site.value("SELECT COUNT(*) FROM annotator_project") == 0


def test_a_worker_names_a_queue_that_it_does_not_know(site: Site) -> None:
    answer = site.manage("worker", "--queues", "ml,nonesuch", check=False)

    assert answer.returncode == 1
    assert "'nonesuch'" in answer.stderr
    assert "default, ml" in answer.stderr
