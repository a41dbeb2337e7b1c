"""Let eight people label while every twenty seconds something fails, and check that no save is lost.

    make soak                                          # 30 minutes, or SOAK="--minutes 3 --seed 7"

PostgreSQL, Redis, a web server as shipped, two workers and the clock are started in folders of their own, and
supervised as systemd and Docker do. People save through the API and try again as pages do; a manager starts jobs
all the time. Each save that the site acknowledges is written to a ledger. Then the faults stop, all jobs must end, and
the database is compared with the ledger. Exits with 1 if anything was found. The seed says which faults come when.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from types import FrameType
from typing import Any

import psycopg2

from bench.soak import MANAGER, PASSWORD, SLUG, WRITERS
from bench.soak.client import Client, NoAnswerError, Tally
from bench.soak.faults import Faults
from bench.soak.jobs import Manager
from bench.soak.servers import Disk, is_open, kill_all, processes_with, redis_command, wait_until
from bench.soak.supervisor import Service, Supervisor
from bench.soak.writers import Ledger, Writer
from tests.postgresql import PostgreSQL, free_port

ROOT = Path(__file__).resolve().parents[2]
EVERY = 20.0
DISK_MEGABYTES = 768
# Seconds for what is under way to end after the faults.
LIMIT = 900
UNFINISHED = "SELECT kind, id FROM annotator_job WHERE state IN ('queued', 'running')"


class Soak:
    """A site in a folder, those who use it, and what came of it."""

    def __init__(self, folder: Path, stack: ExitStack, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.tally = Tally()
        self.over = threading.Event()
        self.findings: list[str] = []
        self.disk = Disk(folder / "data", DISK_MEGABYTES)
        stack.callback(self.disk.remove)
        (folder / "postgres").mkdir()
        # As it comes: what is committed is on the disk.
        self.postgres = PostgreSQL(folder / "postgres")
        self.postgres.start()
        stack.callback(self.postgres.stop)
        redis_port, self.web_port = free_port(), free_port()
        self.redis_url = f"redis://127.0.0.1:{redis_port}/0"
        self.env = {
            **os.environ,
            "DATA_DIR": str(self.disk.folder),
            "DATABASE_URL": f"{self.postgres.url}/postgres",
            "CELERY_BROKER_URL": self.redis_url,
            "SECRET_KEY": f"only for a soak of {folder}",
            "LOG_LEVEL": "INFO",
            "PYTHONPATH": str(ROOT),
        }
        self.supervisor = Supervisor()
        stack.callback(self._stop)
        self._add("redis", redis_command(folder / "redis", redis_port))
        wait_until(lambda: is_open(redis_port), seconds=20, what="Redis")
        self._run("manage.py", "migrate", "--verbosity", "0")
        self.stage = json.loads(self._run("-m", "bench.soak.prepare"))["stage"]
        gunicorn = ["--config", "python:annotator.gunicorn_conf", "--bind", f"127.0.0.1:{self.web_port}"]
        self.web = self._add("web", [_program("gunicorn"), *gunicorn, "annotator.wsgi"])
        celery = [_program("celery"), "-A", "annotator"]
        queues = ["--queues", "default,ml,ml-gpu", "--concurrency", "2"]
        self.workers = [
            self._add(name, [*celery, "worker", *queues, "-n", f"{name}@%h"]) for name in ("worker-1", "worker-2")
        ]
        self._add("beat", [*celery, "beat"])
        self.supervisor.watch()
        wait_until(lambda: is_open(self.web_port), seconds=60, what="the web server")

    def _add(self, name: str, command: Any) -> Service:
        return self.supervisor.add(Service(name, command, self.env, self.folder))

    def _run(self, *arguments: str) -> str:
        """The output of a script."""
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=self.env, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed.")
        return done.stdout.decode()

    def _stop(self) -> None:
        self.supervisor.stop()
        self.findings += [f"{name} did not end when it was asked to" for name in self.supervisor.stubborn]
        if left := processes_with(f"DATA_DIR={self.disk.folder}"):
            self.findings.append(f"processes were left: {left}")
            kill_all(left)

    def run(self, minutes: float) -> dict[str, Any]:
        """The work and the faults, for so long; then what must hold. Returns the numbers of the report."""
        ledger = Ledger(self.folder / "ledger")
        writers = []
        for number in range(WRITERS):
            client = Client(self.web_port, self.tally)
            client.take_token(f"writer-{number}", PASSWORD)
            writers.append(Writer(number, self.seed, client, ledger, SLUG, self.stage))
        manager = Manager(self.seed, Client(self.web_port, self.tally), SLUG, MANAGER, PASSWORD)
        people: list[Writer | Manager] = [*writers, manager]
        for thread in people:
            thread.start()
        faults = Faults(
            seed=self.seed,
            web=self.web,
            web_port=self.web_port,
            workers=self.workers,
            postgres=self.postgres,
            redis_url=self.redis_url,
            disk=self.disk,
        )
        faults.run(EVERY, time.monotonic() + 60 * minutes, self.over)
        for thread in people:
            thread.over.set()
        deadline = time.monotonic() + LIMIT
        for thread in people:
            thread.join(max(0, deadline - time.monotonic()))
            if thread.is_alive():
                self.findings.append(f"{thread.name} got no answer within {LIMIT} s")
        self.findings += [thread.trouble for thread in people if thread.trouble]
        self.findings += [f"answered with a fault: {what}" for what in self.tally.unexpected]
        began = time.monotonic()
        while (unfinished := self._unfinished()) and time.monotonic() < deadline:
            time.sleep(0.5)
        self.findings += [f"the job did not end within {LIMIT} s: {job}" for job in unfinished]
        ended = time.monotonic() - began
        try:
            self.findings += manager.damaged_files()
        except NoAnswerError:
            self.findings.append("project backups could not be downloaded after all faults")
        report = json.loads(self._run("-m", "bench.soak.checks", str(self.folder / "ledger")))
        self.findings += report["findings"]
        return {**report, "faults": faults.done, "gap": ledger.longest_gap, "ended": ended}

    def _unfinished(self) -> list[Any]:
        with closing(psycopg2.connect(self.env["DATABASE_URL"])) as connection, connection.cursor() as cursor:
            cursor.execute(UNFINISHED)
            return list(cursor.fetchall())


def _program(name: str) -> str:
    """One that is installed beside this Python."""
    return str(Path(sys.executable).parent / name)


def table(title: str, numbers: Mapping[str, Any]) -> None:
    print(f"\n| {title} | |\n|---|---:|")
    for name, number in sorted(numbers.items()):
        print(f"| {name} | {number} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and ledger in any case")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="translatio-soak-"))
    folder.chmod(0o755)
    print(f"Seed {options.seed}, {options.minutes:g} minutes, in {folder}", flush=True)
    signal.signal(signal.SIGTERM, _interrupt)
    ended = False
    try:
        with ExitStack() as stack:
            soak = Soak(folder, stack, options.seed)
            report = soak.run(options.minutes)
        ended = not soak.findings
    finally:
        if ended and not options.keep:
            shutil.rmtree(folder)
    minutes = f"{options.minutes:g}"
    table(f"saves in {minutes} minutes", report["saves"])
    table("faults", report["faults"])
    table("answers by status (none: no answer)", soak.tally.statuses)
    jobs = {f"{kind}, {state}": number for kind, states in report["jobs"].items() for state, number in states.items()}
    table("jobs", jobs)
    print(f"\nLongest time without an acknowledged save: {report['gap']:.1f} s")
    print(f"All jobs had ended {report['ended']:.1f} s after the last fault")
    if not soak.disk.limited:
        print("LEFT OUT: the disk was not filled, as this user may not mount a small one.")
    if not report["integrity"]:
        print("LEFT OUT: there is no command check_integrity.")
    for finding in soak.findings:
        print(f"FOUND: {finding}")
    print(f"{len(soak.findings)} findings" + ("" if ended else f"; logs and ledger: {folder}"))
    return 0 if ended else 1


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
