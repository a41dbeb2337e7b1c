"""Keeps processes running as systemd and Docker do: one that ends is started again, and takes its children along."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

# Seconds before a process that ended is started again.
PAUSE = 1.0
# Seconds that a process has to end by itself.
GRACE = 30


class Service:
    """A command that is to run. Its output is added to a log; its process leads a group of its own."""

    def __init__(self, name: str, command: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self._command, self._env = list(command), dict(env)
        self._log = folder / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, env=self._env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.starts += 1

    def pids(self) -> list[int]:
        """Its process and the children of that."""
        if self.process is None or self.process.poll() is not None:
            return []
        pid = self.process.pid
        with suppress(OSError):
            return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        return []

    def kill_rest(self) -> None:
        """End what is left of a process that ended."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


class Supervisor:
    """Starts services in their order, and again when they end, until `stop`."""

    def __init__(self) -> None:
        self.services: list[Service] = []
        # Services that did not end when they were asked to.
        self.stubborn: list[str] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def add(self, service: Service) -> Service:
        service.start()
        self.services.append(service)
        return service

    def watch(self) -> None:
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(0.1):
            for service in self.services:
                if service.process is not None and service.process.poll() is not None:
                    service.kill_rest()
                    if self._over.wait(PAUSE):
                        return
                    service.start()

    def stop(self) -> None:
        """Ask all to end, the last one first; end what does not."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        for service in reversed(self.services):
            if service.process is None:
                continue
            service.process.terminate()
            deadline = time.monotonic() + GRACE
            while service.process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
            if service.process.poll() is None:
                self.stubborn.append(service.name)
            service.kill_rest()
            service.process.wait()
