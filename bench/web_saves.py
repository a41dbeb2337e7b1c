"""Measure the saves per second of one web process in the shipped configuration.

    DATABASE_URL=postgres://… DATA_DIR=/tmp/web python bench/web_saves.py --people 8 --saves 100

Starts gunicorn with the shipped configuration, WEB_WORKERS of 1 unless it is set, and lets people claim and save over
HTTP without a pause, each with a connection of their own. It prints saves per second, their duration, the
processor's milliseconds of the web processes for a save with its share of claims, and their memory (PSS).
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from bench.million import LANGUAGE, percentile, prepare

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

from annotator.projects.actions.projects import add_member
from annotator.models import Membership, Project, User

ROOT = Path(__file__).resolve().parents[1]
HELD = 20
TICKS = os.sysconf("SC_CLK_TCK")


class Annotator:
    """Somebody signed in, with a connection that is kept."""

    def __init__(self, project: Project, name: str, port: int) -> None:
        user = User.objects.get_or_create(username=name)[0]
        if not Membership.objects.filter(project=project, user=user).exists():
            add_member(project=project, user=user, role="annotator", by=None)
        client = Client()
        client.force_login(user)
        token = _get_new_csrf_string()
        cookies = {
            settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value,
            settings.CSRF_COOKIE_NAME: token,
        }
        self.headers = {
            "Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items()),
            "X-CSRFToken": token,
            "Content-Type": "application/json",
        }
        self.server = http.client.HTTPConnection("127.0.0.1", port)
        self.api = f"/api/v1/projects/{project.slug}/"
        self.stage = project.stages.get(kind="correct", language=LANGUAGE).pk
        self.held: list[dict[str, Any]] = []

    def call(self, path: str, body: dict[str, Any]) -> Any:
        self.server.request("POST", self.api + path, json.dumps(body), self.headers)
        answer = self.server.getresponse()
        found = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {found[:300]!r}")
        return json.loads(found)

    def save(self, count: int) -> list[float]:
        """Save so often, one sentence after another; the seconds of each save."""
        taken = []
        for _ in range(count):
            if not self.held:
                self.held = self.call(f"stages/{self.stage}/claim/", {"held": [], "count": HELD})["items"]
            item = self.held.pop(0)
            body = {"version": item["annotation"]["version"], "content": {"spans": []}, "done": True}
            began = time.perf_counter()
            self.call(f"assignments/{item['id']}/save/", body)
            taken.append(time.perf_counter() - began)
        return taken


def processes(parent: int) -> list[Path]:
    """The folders in /proc of gunicorn's workers."""
    return [Path(f"/proc/{pid}") for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def spent(workers: list[Path]) -> float:
    """Seconds of the processor."""
    fields = [(worker / "stat").read_text().rpartition(")")[2].split() for worker in workers]
    return sum(int(one[11]) + int(one[12]) for one in fields) / TICKS


def memory(worker: Path) -> int:
    """PSS in MB."""
    lines = (worker / "smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=13_280)
    parser.add_argument("--people", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--saves", type=int, default=100, help="of each person")
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    project, _manager, _annotator = prepare(options.sentences)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"WEB_WORKERS": "1", **os.environ}
    command = ["-m", "gunicorn", "--config", "python:annotator.gunicorn_conf", "--bind", f"127.0.0.1:{port}"]
    web = subprocess.Popen([sys.executable, *command, "annotator.wsgi"], cwd=ROOT, env=environment)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        everybody = [Annotator(project, f"bench-web-{number}", port) for number in range(max(options.people))]
        for person in everybody:
            person.save(5)
        workers = processes(web.pid)
        print(f"\n{connection.vendor}, web processes: {len(workers)}, processors: {os.cpu_count()}\n")
        print("| people | saves a second | p50 / p95, ms | processor, ms for a save | PSS, MB |")
        print("|---:|---:|---:|---:|---:|")
        for count in options.people:
            before, began = spent(workers), time.perf_counter()
            with ThreadPoolExecutor(count) as pool:
                taken = [
                    one for some in pool.map(lambda one: one.save(options.saves), everybody[:count]) for one in some
                ]
            passed, used = time.perf_counter() - began, spent(workers) - before
            print(
                f"| {count} | {len(taken) / passed:.1f} | {1000 * percentile(taken, 0.5):.1f} / "
                f"{1000 * percentile(taken, 0.95):.1f} | {1000 * used / len(taken):.1f} | "
                f"{', '.join(str(memory(worker)) for worker in workers)} |",
                flush=True,
            )
    finally:
        web.send_signal(signal.SIGTERM)
        web.wait()


if __name__ == "__main__":
    main()
