"""Threads: how they share Python's lock, and calls that must not take long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def switch_often() -> None:
    """Let threads have the lock half a millisecond after they ask for it. By default it is five, as long as a save.

    A thread that holds the database's lock gives Python's away with each statement, and everybody who writes waits
    until it has it back.
    """
    sys.setswitchinterval(0.0005)


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` gives, or raises, in a thread of its own.

    Raises TimeoutError after so many seconds. The thread continues, and its result is ignored.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="within", daemon=True).start()
    return future.result(seconds)
