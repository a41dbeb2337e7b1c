"""Processes of Python that begin with their libraries loaded: most of what starting a command costs is importing.

`Process` is a process as `subprocess.Popen([sys.executable, *arguments])` would start, forked from one that waits with
the libraries loaded, with those modules of ours that read no settings, and with word lists (tests/loaded.py). What
depends on the environment, Django's settings first of all, is loaded by each process itself. They share what Python
hashes with: where it matters that an order does not depend on it, take a fresh interpreter.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What none of these loads is loaded later: that takes time, no more. Not pytest, which settings look for.
# And all of annotator.domain.
PRELOADED = (
    *("allauth.core.ratelimit", "anyascii", "asyncio", "celery.app.amqp", "celery.bin.worker"),
    *("celery.concurrency.thread", "celery.fixups.django", "celery.worker", "charset_normalizer"),
    *("django.contrib.admin", "django.contrib.auth.password_validation", "django.contrib.postgres.fields"),
    *("django.core.cache.backends.filebased", "django.core.mail", "django.core.management.commands.migrate"),
    *("django.core.management.commands.runserver", "django.core.serializers.json", "django.core.servers.basehttp"),
    *("django.db.backends.postgresql.base", "django.db.backends.sqlite3.base", "django.db.models.functions"),
    *("django.forms.models", "django.middleware.csrf", "django.template.defaulttags", "django.template.loader_tags"),
    *("django.test", "django.views.i18n", "django_htmx.middleware", "kombu.transport.filesystem"),
    *("kombu.transport.redis", "langcodes", "logging.config", "markdown_it", "numpy", "psycopg2.errors"),
    *("pycrfsuite", "pygments.lexers", "rest_framework.request", "rest_framework.response", "sentencex"),
    *("whitenoise.middleware", "yaml"),
    *("annotator.environment", "mlworkers.engines.aligners.lexical.aligner", "tests.loaded"),
)


def _ask(arguments: Sequence[str], env: Mapping[str, str], *standard: int) -> socket.socket:
    """Send a request; returns the line over which it is answered."""
    control, theirs = socket.socketpair()
    with theirs:
        socket.send_fds(_server(), [b"+"], [theirs.fileno(), *standard])
    control.sendall(json.dumps([arguments, dict(env)]).encode() + b"\n")
    return control


class Process:
    """A process of Python. As subprocess.Popen, as far as tests need it."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], stdin: int, stdout: int, stderr: int) -> None:
        self.arguments = list(arguments)
        self.returncode: int | None = None
        self._control = _ask(self.arguments, env, stdin, stdout, stderr)
        self._said = self._control.makefile("r")
        self.pid = int(self._said.readline())

    def poll(self) -> int | None:
        """The exit code, negative for a signal's number; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises subprocess.TimeoutExpired."""
        code = self._look(timeout)
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.arguments, timeout)
        return code

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._control], [], [], timeout)[0]:
            self.returncode = int(self._said.readline())
            self._said.close()
            self._control.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@cache
def _server() -> socket.socket:
    """The process that others are forked from: it ends with this one, and takes them along."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _serve(requests: socket.socket) -> list[str]:
    """Fork a process for each request; in each of them this returns, with its arguments. Ends when nobody asks."""
    woken, wake = socket.socketpair()
    for end in (woken, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # Ctrl-C is for who asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    running: dict[int, socket.socket] = {}
    while True:
        ready = select.select([requests, woken], [], [])[0]
        if woken in ready:
            woken.recv(1000)
            _tell_ended(running)
        if requests not in ready:
            continue
        asked, descriptors, _flags, _address = socket.recv_fds(requests, 1, 4)
        if not asked:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            os._exit(0)
        control = socket.socket(fileno=descriptors[0])
        with control.makefile("r") as request:
            arguments, env = json.loads(request.readline())
        if (pid := os.fork()) == 0:
            for inherited in (requests, woken, wake, control, *running.values()):
                inherited.close()
            _begin(env, descriptors[1:])
            return arguments
        else:
            control.sendall(f"{pid}\n".encode())
            running[pid] = control
        for descriptor in descriptors[1:]:
            os.close(descriptor)


def _tell_ended(running: dict[int, socket.socket]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        # Maybe nobody wants to know.
        with running.pop(pid) as control, suppress(BrokenPipeError):
            control.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _begin(env: dict[str, str], standard: list[int]) -> None:
    """Become what a new process is: with this environment, these three files, and no others."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, descriptor in enumerate(standard):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()


def _run(arguments: list[str]) -> None:
    """What `python` does with them."""
    first, *rest = arguments
    if first == "-c":
        sys.argv = [first, *rest[1:]]
        exec(rest[0], {"__name__": "__main__"})  # noqa: S102 -- as `python -c` does
    elif first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    from tests.frames import with_room

    domain = pkgutil.walk_packages([str(ROOT / "annotator" / "domain")], "annotator.domain.")
    for name in (*PRELOADED, *(module.name for module in domain)):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with_room(_run, _serve(socket.socket(fileno=int(sys.argv[1]))))
