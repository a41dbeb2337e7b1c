"""Stands by the processes of the demo until it is asked to stop, or one of them ends; then it ends them all.

    python supervisor.py NAME:PID …

A program of its own that imports none of ours: it is there as long as the demo, and takes a tenth of the memory that
Django does. The processes are its children, since it takes the place of the one that started them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

ASKED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.2
STOP_SECONDS = 15.0


def take_the_place_of_this_process(names: dict[int, str]) -> None:
    """Become this program. `names`: by process id, what each child is called. Whoever asks to stop meanwhile is heard
    when it has started."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ASKED_BY)
    sys.stdout.flush()
    sys.stderr.flush()
    children = [f"{name}:{pid}" for pid, name in names.items()]
    os.execv(sys.executable, [sys.executable, "-I", "-S", __file__, *children])  # noqa: S606 -- no shell is wanted


def main(arguments: list[str]) -> int:
    names = {int(pid): name for name, _colon, pid in (one.rpartition(":") for one in arguments)}
    asked: list[int] = []
    for number in ASKED_BY:
        signal.signal(number, lambda number, _frame: asked.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKED_BY)
    ended = ""
    while not asked and not ended:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in names:
            code = os.waitstatus_to_exitcode(status)
            ended = f"The {names.pop(pid)} has ended with exit code {code}; its last lines are above."
        elif not pid:
            time.sleep(LOOK_SECONDS)
    print("Stopping …", file=sys.stderr, flush=True)
    _end(list(names))
    if ended:
        print(ended, file=sys.stderr, flush=True)
    return 1 if ended else 0


def _end(pids: list[int]) -> None:
    """Ask all to end, and end those that do not."""
    left = set(pids)
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
