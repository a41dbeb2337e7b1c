"""Redis, a small disk that can be filled, and what is left running."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

MEGABYTE = 1024 * 1024


def wait_until(condition: Callable[[], Any], *, seconds: float, what: str) -> Any:
    """Poll until `condition` gives something true, and return that. Raises SystemExit after so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise SystemExit(f"Waited {seconds:.0f} s in vain for {what}.")


def is_open(port: int) -> bool:
    """Whether something listens there."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def redis_command(folder: Path, port: int) -> Sequence[str]:
    """The command of a Redis server that keeps what it holds, as in docker-compose.yml."""
    folder.mkdir()
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("Not installed: redis-server.")
    return [program, "--port", str(port), "--bind", "127.0.0.1", "--appendonly", "yes", "--dir", str(folder)]


class Disk:
    """A folder of limited size, which can be filled and freed. `limited` is False where this process may not mount."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        folder.mkdir()
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "translatio-soak", str(folder)]
        self.limited = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Write until the disk is full."""
        piece = b"\0" * MEGABYTE
        with self._ballast.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(piece)

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def remove(self) -> None:
        if self.limited:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


def processes_with(text: str) -> list[int]:
    """Ids of the processes whose environment contains a text, this one apart."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if text.encode() in place.read_bytes() and int(place.parent.name) != os.getpid():
                found.append(int(place.parent.name))
    return found


def kill_all(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
