"""A sample project in the browser: web server and worker together, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotator.management.base import Command as BaseCommand
from annotator.management.commands.healthy import ask_web
from annotator.management.supervisor import take_the_place_of_this_process
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
        self._run("manage.py", "migrate", "--verbosity", "0", "--no-input", "--skip-checks")
        self._run("manage.py", "load_sample")
        processes = {
            "web server": start("-m", "gunicorn", "annotator.wsgi", "--bind", f"127.0.0.1:{port}", *GUNICORN),
            "worker": start("manage.py", "worker", "--nice", str(NICE)),
        }
        try:
            self._wait_for_web(port, processes)
            self._greet(port)
            if not self.stop.is_set():
                check_alive(processes)
                take_the_place_of_this_process({process.pid: name for name, process in processes.items()})
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
            f"The data is in {settings.DATA_DIR}. Ctrl-C stops everything; the next start goes on where you left.\n"
        )
        self.stdout.flush()


# Loaded before the workers are forked, which share what they do not change. More threads only wait for each other: a
# request is work for the interpreter, which runs one at a time.
# Connections are kept open longer than people pause: one that closes just as a call begins is a call that fails.
GUNICORN = (
    *("--preload", "--workers", "2", "--threads", "2", "--worker-class", "gthread"),
    *("--keep-alive", "75", "--log-level", "warning"),
)


def check_port(port: int) -> None:
    """Raise CommandError when the port is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(
                f"Port {port} cannot be used ({error.strerror}). Another demo may be running; "
                f"otherwise take another port: make demo PORT={port + 1}"
            ) from error


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start Python with `arguments`, in a session of its own: Ctrl-C reaches this process alone, which ends it."""
    # Without the second variable every thread keeps freed memory of its own.
    env = {
        "LOG_LEVEL": "WARNING",
        "MALLOC_ARENA_MAX": "2",
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "annotator.settings",
    }
    return subprocess.Popen(  # noqa: S603
        [sys.executable, *arguments], cwd=settings.BASE_DIR, env=env, start_new_session=True
    )


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
