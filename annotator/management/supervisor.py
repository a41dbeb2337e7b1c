"""Stands by the processes of the demo until it is asked to stop, or the web server ends; then it ends them all.

    python supervisor.py WEB_PID WORKER_PID COMMAND …

A worker that ends is started again with COMMAND. A program of its own that imports none of ours: it is there as long as
the demo, and takes a tenth of the memory that Django does. The processes are its children, since it takes the place of
the one that started them.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

Child = subprocess.Popen[bytes]
ASKED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.2
STOP_SECONDS = 15.0
# Between two starts of a worker that ends at once.
PAUSE_SECONDS = 5.0
PR_SET_PDEATHSIG = 1


def start_child(command: Sequence[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> Child:
    """Start a process in a session of its own: Ctrl-C reaches this process alone, which ends it. On Linux it is asked
    to end when this process dies, however it does."""
    return subprocess.Popen(  # noqa: S603 -- commands of our own
        command,
        cwd=cwd,
        env=env,
        start_new_session=True,
        preexec_fn=_end_with_parent,  # noqa: PLW1509 -- no thread runs here that could hold a lock meanwhile
    )


def _end_with_parent() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def take_the_place_of_this_process(web: int, worker: int, command: Sequence[str]) -> None:
    """Become this program. A request to stop that arrives meanwhile takes effect when it has started."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ASKED_BY)
    sys.stdout.flush()
    sys.stderr.flush()
    own = [sys.executable, "-I", "-S", __file__]
    os.execv(sys.executable, [*own, str(web), str(worker), *command])  # noqa: S606 -- no shell is wanted


def main(arguments: Sequence[str]) -> int:
    web, worker = (int(pid) for pid in arguments[:2])
    command = arguments[2:]
    asked: list[int] = []
    for number in ASKED_BY:
        signal.signal(number, lambda number, _frame: asked.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKED_BY)
    started = time.monotonic()
    alive = {web, worker}
    ended = ""
    while not asked and not ended:
        pid, status = os.waitpid(-1, os.WNOHANG) if alive else (0, 0)
        alive.discard(pid)
        code = os.waitstatus_to_exitcode(status)
        if pid == web:
            ended = f"The web server has ended with exit code {code}; its last lines are above."
        elif pid == worker:
            print(f"The worker has ended with exit code {code}; it is started again.", file=sys.stderr, flush=True)
        elif worker not in alive and time.monotonic() - started > PAUSE_SECONDS:
            started = time.monotonic()
            worker = start_child(command).pid
            alive.add(worker)
        else:
            time.sleep(LOOK_SECONDS)
    print("Stopping …", file=sys.stderr, flush=True)
    _end(alive)
    if ended:
        print(ended, file=sys.stderr, flush=True)
    return 1 if ended else 0


def _end(left: set[int]) -> None:
    """Ask all to end, and end those that do not."""
    for pid in left:
        _send(pid, signal.SIGTERM)
    until = time.monotonic() + STOP_SECONDS
    while left and time.monotonic() < until:
        left -= {pid for pid in left if os.waitpid(pid, os.WNOHANG)[0]}
        time.sleep(LOOK_SECONDS / 4)
    for pid in left:
        _send(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
