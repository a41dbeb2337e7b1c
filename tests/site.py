"""An installation of its own for a test: data folder, database and broker, driven from outside by real processes."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg2

ROOT = Path(__file__).resolve().parent.parent
SETUP = "import django; django.setup(); "


def wait_until(condition: Callable[[], Any], *, seconds: float = 60, what: str = "") -> Any:
    """Poll until `condition` gives something true, and return that."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError(f"Waited {seconds} s in vain: {what or condition}")


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
        self._processes: list[subprocess.Popen[bytes]] = []

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            check=False,
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=180,
        )
        if check:
            assert done.returncode == 0, done.stderr + done.stdout
        return done

    def python(self, code: str) -> Any:
        """Run code with Django set up; returns what it prints, read as JSON (None when it prints nothing)."""
        done = subprocess.run(
            [sys.executable, "-c", SETUP + code],
            check=False,
            cwd=ROOT,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=180,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a management command and leave it running; its output goes to a file in the site's folder."""
        self._last_log = self.folder / f"{len(self._processes):02}-{arguments[0]}.log"
        log = self._last_log.open("wb")
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        self._processes.append(process)
        return process

    def worker(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a worker, and wait until it says that it listens."""
        process = self.start("worker", *arguments)

        def listens() -> bool:
            assert process.poll() is None, self.logs()
            seen = f"SELECT COUNT(*) FROM annotator_worker WHERE name LIKE '%:{process.pid}:%'"  # noqa: S608
            return bool(self.value(seen))

        wait_until(listens, what="a worker that listens")
        return process

    def value(self, sql: str) -> Any:
        """The first column of the first row, asked from outside Django; None when there is no row."""
        if self.database_url:
            connection = psycopg2.connect(self.database_url)
        else:
            connection = sqlite3.connect(self.folder / "db.sqlite3", timeout=30)
        try:
            cursor = connection.cursor()
            cursor.execute(sql)
            row = cursor.fetchone()
        finally:
            connection.close()
        return row[0] if row else None

    def last_log(self) -> str:
        """What the process started last has said so far."""
        return self._last_log.read_text(errors="replace")

    def logs(self) -> str:
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        for process in self._processes:
            process.kill()
            process.wait()
