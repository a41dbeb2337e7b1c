"""A sample project in the browser: web server and worker together, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotator.management.base import Command as BaseCommand
from annotator.management.commands.healthy import ask_web
from annotator.management.supervisor import start_child, take_the_place_of_this_process
from annotator.sample.demo import DEMO_USERS, demo_password

# People come first: one save in twenty took 2.4 times as long beside an import, and with this it is 1.6 times.
NICE = 10
START_SECONDS = 60
STOP_SECONDS = 15


class Command(BaseCommand):
    help = "Load the sample project and serve it, with a worker, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="where the web server listens (8000)")

    def handle(self, *args: Any, **options: Any) -> None:
        port = options["port"]
        check_port(port)
        self.stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._asked_to_stop)
        self._run("-m", "annotator", "migrate", "--verbosity", "0", "--no-input", "--skip-checks")
        self._run("-m", "annotator", "load_sample")
        processes = {
            "web server": start("-m", "gunicorn", "annotator.wsgi", "--bind", f"127.0.0.1:{port}", *GUNICORN),
            "worker": start(*WORKER),
        }
        try:
            self._wait_for_web(port, processes)
            self._greet(port)
            if not self.stop.is_set():
                check_alive(processes)
                web, worker = (process.pid for process in processes.values())
                os.environ.update(child_environment())
                take_the_place_of_this_process(web, worker, [sys.executable, *WORKER])
        finally:
            self.note("Stopping …")
            end(list(processes.values()))

    def _run(self, *arguments: str) -> None:
        """Run a command to its end, in a process of its own."""
        if self.stop.is_set():
            return
        running = start(*arguments)
        while running.poll() is None:
            if self.stop.wait(0.1):
                end([running])
                return
        if running.returncode:
            raise CommandError(f"{' '.join(arguments)} has failed; its last lines are above.")

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.stop.set()

    def _wait_for_web(self, port: int, processes: dict[str, subprocess.Popen[bytes]]) -> None:
        for _attempt in range(START_SECONDS * 5):
            check_alive(processes)
            try:
                ask_web(port)
            except CommandError:
                if self.stop.wait(0.2):
                    return
            else:
                return
        raise CommandError(f"The web server did not answer within {START_SECONDS} seconds.")

    def _greet(self, port: int) -> None:
        if self.stop.is_set():
            return
        self.say(f"\nTranslatio is at http://127.0.0.1:{port}/\n")
        for user in DEMO_USERS:
            self.say(f"  {user.username:<8}{user.does}")
        self.say(f"\nThe password of all of them is: {demo_password()}")
        self.say(
            f"The data is in {settings.DATA_DIR}. Ctrl-C stops everything; the next start continues where you left.\n"
        )
        self.stdout.flush()


GUNICORN = ("--config", "python:annotator.gunicorn_conf", "--log-level", "warning")


WORKER = ("-m", "annotator", "worker", "--nice", str(NICE))


def check_port(port: int) -> None:
    """Raise CommandError when the port is taken, with who has it where that can be seen."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(
                f"Port {port} cannot be used ({error.strerror}{holder_of(port)}). Another demo may be running; "
                f"otherwise use another port: make demo PORT={port + 1}"
            ) from error


def holder_of(port: int) -> str:
    """Who listens to a port of this machine: ": process 17, python manage.py demo"; "" where that cannot be seen."""
    with suppress(OSError):
        tables = [table.read_text() for table in Path("/proc/net").glob("tcp*")]
        rows = [line.split() for table in tables for line in table.split("\n")[1:] if line]
        # Its own address, its state (0A: it listens) and its inode are the second, fourth and tenth column.
        sockets = {f"socket:[{row[9]}]" for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"}
        for descriptor in Path("/proc").glob("[0-9]*/fd/*"):
            with suppress(OSError):
                if os.readlink(descriptor) in sockets:
                    process = descriptor.parts[2]
                    words = Path("/proc", process, "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    return f": process {process}, {words.strip()[:100]}"
    return ""


def child_environment() -> dict[str, str]:
    """Environment of the demo's processes, added to this one's."""
    return {
        "LOG_LEVEL": os.environ.get("LOG_LEVEL", "WARNING"),
        # Otherwise every thread keeps freed memory of its own.
        "MALLOC_ARENA_MAX": os.environ.get("MALLOC_ARENA_MAX", "2"),
        "DJANGO_SETTINGS_MODULE": "annotator.settings",
        "DATA_DIR": str(settings.DATA_DIR),
    }


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start Python with `arguments`."""
    return start_child([sys.executable, *arguments], cwd=settings.BASE_DIR, env={**os.environ, **child_environment()})


def check_alive(processes: dict[str, subprocess.Popen[bytes]]) -> None:
    """Raise CommandError when one of them has ended."""
    for name, process in processes.items():
        if process.poll() is not None:
            raise CommandError(f"The {name} has ended with exit code {process.returncode}; its last lines are above.")


def end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Ask all to end, and end those that do not."""
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
