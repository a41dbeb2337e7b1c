"""An installation of its own for a test: data folder, database and broker, driven from outside by real processes."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import psycopg2

from tests.forks import ROOT, Process

# Django set up once, and then piece after piece of code, each in a namespace of its own: a line of JSON in, one out.
# Passwords are hashed as in all tests: the way that holds thieves up takes a third of a second for every user made.
# Servers and commands do not know it, so whoever is to sign in with a form needs a password of another hasher.
INTERPRETER = """
import contextlib, io, json, sys, traceback
import django
django.setup()
from django.conf import settings
from django.db import connections
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
for line in sys.stdin:
    said, error = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(json.loads(line), "<test>", "exec"), {"__name__": "__main__"})
    except BaseException:
        error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([error, said.getvalue()]), flush=True)
"""


def wait_until(condition: Callable[[], Any], *, seconds: float = 120, what: str = "") -> Any:
    """Poll until `condition` gives something true, and return that."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError(f"Waited {seconds} s in vain: {what or condition}")


class Interpreter:
    """A process of Python that runs what it is given, piece after piece."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        read, ask = os.pipe()
        answer, write = os.pipe()
        with open(read) as stdin, open(write, "w") as stdout, log.open("wb") as stderr:
            self._process = Process(["-c", INTERPRETER], env, stdin.fileno(), stdout.fileno(), stderr.fileno())
        self._questions, self._answers = open(ask, "w"), open(answer)  # noqa: SIM115 -- closed by `stop`

    def ask(self, code: str) -> str:
        """A line of JSON: the error, and what was printed. Nothing where the process has ended."""
        limit = threading.Timer(180, self._process.kill)
        limit.start()
        try:
            self._questions.write(json.dumps(code) + "\n")
            self._questions.flush()
            return self._answers.readline()
        finally:
            limit.cancel()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._questions.close()
        self._answers.close()


class Site:
    def __init__(self, folder: Path, *, database_url: str = "", broker_url: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.database_url = database_url
        self.env = {
            **os.environ,
            "DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "annotator.settings",
            "DATABASE_URL": database_url or f"sqlite:///{folder / 'db.sqlite3'}",
            "CELERY_BROKER_URL": broker_url or "filesystem://",
        }
        self._processes: list[Process] = []
        self._interpreter: Interpreter | None = None
        self._connection: psycopg2.extensions.connection | sqlite3.Connection | None = None

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        with (
            open(os.devnull) as nothing,
            TemporaryFile("w+", dir=self.folder) as stdout,
            TemporaryFile("w+", dir=self.folder) as stderr,
        ):
            process = Process(["manage.py", *arguments], self.env, nothing.fileno(), stdout.fileno(), stderr.fileno())
            try:
                process.wait(timeout=180)
            finally:
                process.kill()
            for file in (stdout, stderr):
                file.seek(0)
            done = subprocess.CompletedProcess(process.arguments, process.wait(), stdout.read(), stderr.read())
        if check:
            assert done.returncode == 0, done.stderr + done.stdout
        return done

    def python(self, code: str) -> Any:
        """Run code with Django set up; returns what it prints, read as JSON (None when it prints nothing).

        One process of the site's own runs it all: what is built and asked here is not what is tested, and a fresh
        interpreter for each piece would cost a second.
        """
        if self._interpreter is None:
            self._interpreter = Interpreter(self.env, self.folder / "python.log")
        answer = self._interpreter.ask(code)
        assert answer, self.logs()
        error, said = json.loads(answer)
        assert not error, error
        return json.loads(said) if said.strip() else None

    def command(self, *arguments: str) -> str:
        """What a management command says, where the process is not what is tested: given in that of `python`."""
        said: str = self.python(
            "import io, json\nfrom django.core.management import call_command\nsaid = io.StringIO()\n"
            f"call_command(*{arguments!r}, stdout=said)\nprint(json.dumps(said.getvalue()))"
        )
        return said

    def start(self, *arguments: str) -> Process:
        """Start a management command and leave it running; its output goes to a file in the site's folder."""
        return self._start("manage.py", *arguments)

    def _start(self, *arguments: str) -> Process:
        self._last_log = self.folder / f"{len(self._processes):02}-{arguments[1].lstrip('-')}.log"
        with open(os.devnull) as nothing, self._last_log.open("wb") as log:
            process = Process(list(arguments), self.env, nothing.fileno(), log.fileno(), log.fileno())
        self._processes.append(process)
        return process

    def celery(self, *arguments: str) -> str:
        """What a command of Celery says."""
        command = [sys.executable, "-m", "celery", "-A", "annotator", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout + done.stderr

    def beat(self) -> Process:
        """Start Celery's clock."""
        return self.celery_program("beat")

    def celery_program(self, *arguments: str) -> Process:
        """Start a command of Celery and leave it running."""
        return self._start("-m", "celery", "-A", "annotator", *arguments)

    def celery_worker(self, *arguments: str) -> Process:
        """Start Celery's own worker, and wait until it says that it listens."""
        return self._until_it_listens(self.celery_program("worker", *arguments))

    def worker(self, *arguments: str) -> Process:
        """Start a worker, and wait until it says that it listens."""
        return self._until_it_listens(self.start("worker", *arguments))

    def _until_it_listens(self, process: Process) -> Process:

        def listens() -> bool:
            assert process.poll() is None, self.logs()
            seen = f"SELECT COUNT(*) FROM annotator_worker WHERE name LIKE '%:{process.pid}:%'"  # noqa: S608
            return bool(self.value(seen))

        wait_until(listens, what="a worker that listens")
        return process

    @contextmanager
    def served(self, *options: str) -> Iterator[str]:
        """Pages by gunicorn, as in an installation, while the block lasts; its address, with the path that the site is
        below. `options` are gunicorn's."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            place = f"127.0.0.1:{probe.getsockname()[1]}"
        address = f"http://{place}{self.env.get('SCRIPT_NAME', '')}"
        command = ["-m", "gunicorn", "annotator.wsgi", "--bind", place, *options]
        with (self.folder / "gunicorn.log").open("wb") as log, open(os.devnull) as nothing:
            process = Process(command, self.env, nothing.fileno(), log.fileno(), log.fileno())
        try:
            wait_until(lambda: _answers(f"{address}/sign-in/"), what="gunicorn")
            yield address
        finally:
            process.terminate()
            process.wait()

    def value(self, sql: str) -> Any:
        """The first column of the first row, asked from outside Django; None when there is no row."""
        # Kept, as it is asked a hundred times a second while something is waited for.
        if self._connection is None:
            self._connection = self._connect()
        cursor = self._connection.cursor()
        cursor.execute(sql)
        row = cursor.fetchone()
        cursor.close()
        return row[0] if row else None

    def _connect(self) -> psycopg2.extensions.connection | sqlite3.Connection:
        if not self.database_url:
            return sqlite3.connect(self.folder / "db.sqlite3", timeout=30, isolation_level=None)
        connection = psycopg2.connect(self.database_url)
        connection.autocommit = True
        return connection

    def last_log(self) -> str:
        """What the process started last has said so far."""
        return self._last_log.read_text(errors="replace")

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
        if self._interpreter is not None:
            self._interpreter.stop()
        if self._connection is not None:
            self._connection.close()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 -- a server of our own
            return bool(answer.status == 200)
    except OSError:  # nobody there yet, or too busy with beginning
        return False
