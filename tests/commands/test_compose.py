"""Each service of docker-compose.yml, its command and health check run as they are written, without containers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.architecture.test_compose import SERVICES
from tests.forks import ROOT
from tests.postgresql import free_port, run_sql
from tests.site import wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]

GIVEN = {"SECRET_KEY": "only for tests of docker-compose.yml", "POSTGRES_PASSWORD": "not asked for here"}
# Seconds that a service has to become healthy.
PATIENCE = 120


def substituted(text: str) -> str:
    """With variables as compose fills them in."""
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: GIVEN.get(found[1]) or found[2] or "", text)


class Composed:
    """The services in a folder, at ports of this machine."""

    def __init__(self, folder: Path, postgres: str) -> None:
        self.folder = folder
        self.ports = {"web": free_port(), "redis": free_port(), "proxy": free_port()}
        database = urlsplit(postgres)
        # Where services find each other, and folders that containers have.
        self._places = {
            "@postgres/": f"@127.0.0.1:{database.port}/",
            "redis://redis:6379": f"redis://127.0.0.1:{self.ports['redis']}",
            "0.0.0.0:8000": f"127.0.0.1:{self.ports['web']}",
            "web:8000": f"127.0.0.1:{self.ports['web']}",
            "listen 8080": f"listen 127.0.0.1:{self.ports['proxy']}",
            "/tmp/nginx": f"{folder}/nginx",  # noqa: S108 -- the container's
            "/data": f"{folder}/data",
        }
        # For what a container has at its usual port: options of the same programs.
        self._options = {
            "redis-server": ["--port", str(self.ports["redis"]), "--dir", str(folder)],
            "redis-cli": ["-p", str(self.ports["redis"])],
        }
        self._base = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(database.port),
            "DATA_DIR": str(folder / "data"),
            "HOME": str(folder),
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def mapped(self, text: str) -> str:
        text = substituted(text)
        for place, here in self._places.items():
            text = text.replace(place, here)
        return text

    def env(self, name: str) -> dict[str, str]:
        given = SERVICES[name].get("environment", {})
        return {**self._base, **{key: self.mapped(str(value)) for key, value in given.items()}}

    def arguments(self, command: str | Sequence[str]) -> list[str]:
        words = [self.mapped(word) for word in (command.split() if isinstance(command, str) else command)]
        program = words[0]
        return [program, *self._options.get(program, []), *words[1:]]

    def run(self, name: str, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            arguments, cwd=ROOT, env=self.env(name), capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def start(self, name: str, arguments: Sequence[str]) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                arguments, cwd=ROOT, env=self.env(name), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def healthy(self, name: str) -> bool:
        """Whether the health check says so."""
        kind, *check = SERVICES[name]["healthcheck"]["test"]
        words = check[0].split() if kind == "CMD-SHELL" else check
        if name == "web":
            words = [*words, "--port", str(self.ports["web"])]
        return self.run(name, self.arguments(words)).returncode == 0

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        for process in reversed(self.processes.values()):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def composed(tmp_path: Path, postgres: str) -> Iterator[Composed]:
    for program in ("redis-server", "nginx"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian packages: redis-server, nginx-light)")
    with ExitStack() as stack:
        run_sql(f"{postgres}/postgres", "CREATE DATABASE translatio")
        stack.callback(run_sql, f"{postgres}/postgres", "DROP DATABASE translatio WITH (FORCE)")
        made = Composed(tmp_path, postgres)
        stack.callback(made.stop)
        (tmp_path / "data").mkdir()
        yield made


def test_services_start_in_their_order_and_do_a_job(composed: Composed) -> None:
    order = TopologicalSorter(
        {name: service.get("depends_on", {}).keys() for name, service in SERVICES.items() if "profiles" not in service}
    )
    for name in order.static_order():
        begin: Callable[[], Any] = {
            "postgres": lambda: None,
            "migrate": lambda: migrate(composed),
            "proxy": lambda: proxy(composed),
        }.get(name, partial(start, composed, name))
        begin()
        if "healthcheck" in SERVICES[name]:
            wait_until(partial(composed.healthy, name), seconds=PATIENCE, what=name)

    address = f"http://127.0.0.1:{composed.ports['proxy']}/readyz/"
    with urllib.request.urlopen(address, timeout=30) as answer:
        assert answer.status == 200
    assert did_a_job(composed)
    assert {name: process.poll() for name, process in composed.processes.items() if process.poll() is not None} == {}


def migrate(composed: Composed) -> None:
    done = composed.run("migrate", composed.arguments(SERVICES["migrate"]["command"]))
    assert done.returncode == 0, done.stderr


def proxy(composed: Composed) -> None:
    """The image's own command, with the file that is mounted."""
    file = composed.folder / "nginx.conf"
    file.write_text(composed.mapped((ROOT / "nginx.conf").read_text()))
    composed.start("proxy", ["nginx", "-c", str(file), "-g", "daemon off;"])
    place = f"http://127.0.0.1:{composed.ports['proxy']}/healthz/"
    wait_until(lambda: answers(place), seconds=PATIENCE, what="nginx")


def start(composed: Composed, name: str) -> None:
    composed.start(name, composed.arguments(SERVICES[name]["command"]))


def answers(place: str) -> bool:
    try:
        with urllib.request.urlopen(place, timeout=5) as answer:  # noqa: S310 -- a server of our own
            return bool(answer.status == 200)
    except OSError:
        return False


def did_a_job(composed: Composed) -> bool:
    """Whether only the worker labels the sentences in a file."""
    text = composed.folder / "book.es.txt"
    text.write_text("El tiempo vuela .\nLa casa arde .\n")
    manage = ["python", "manage.py"]
    for arguments in (
        ["create_project", "corpus", "--preset", "meta4xnli-es-en"],
        ["import_files", str(text), "--project", "corpus", "--publishable"],
    ):
        done = composed.run("worker", [*manage, *arguments])
        assert done.returncode == 0, done.stderr
    done = composed.run("worker", [*manage, "predict", "corpus", "--language", "es", "--detector", "crf", "--wait"])
    assert done.returncode == 0, done.stderr + composed.logs()
    return "No worker" not in done.stderr
