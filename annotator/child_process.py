"""Work in a process of its own: for code that does not release Python's lock, or that can go on beside other work.

CRFsuite holds that lock for as long as an iteration takes. In a worker, whose threads share the process, another job
would stand still in the middle of a transaction, and everybody who saves would wait for it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext as _

# Seconds between two calls of `progress` while the child says nothing.
LOOK_SECONDS = 0.5
# The child computes; people who wait for the other processes come first.
NICE = 5

_T = TypeVar("_T")

Progress = Callable[[int, int], None]


class ChildDiedError(Exception):
    """The child process ended without an answer. The message says what to do."""


class Child(Generic[_T]):
    """A process that works out `function(*args, progress=…, **more)`.

    The function, its arguments and its result have to be picklable. The child ends with this process, however that
    ends, and with the `with` block.
    """

    def __init__(self, function: Callable[..., _T], *args: Any, **more: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, function, args, more), daemon=True)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Child[_T]:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()

    def wait(self, progress: Progress = lambda done, total: None) -> _T:
        """What the function returns.

        `progress` hears what the child reports, and its last report (at first 0 of 0) every half second; it may raise.
        Raises what the function raised, or ChildDiedError.
        """
        said = (0, 0)
        try:
            while True:
                if self._ours.poll(LOOK_SECONDS):
                    kind, value = self._ours.recv()
                    if kind == "returned":
                        return value
                    if kind == "raised":
                        raise value
                    said = value
                progress(*said)
        except EOFError:
            self._process.join()
            raise ChildDiedError(
                _(
                    "The process that did this work ended unexpectedly (exit code %(code)s). The machine may be short "
                    "of memory. Try again."
                )
                % {"code": self._process.exitcode}
            ) from None


def in_child_process(
    function: Callable[..., _T], *args: Any, progress: Progress = lambda done, total: None, **more: Any
) -> _T:
    """What a `Child` works out."""
    with Child(function, *args, **more) as child:
        return child.wait(progress)


def _work(connection: Connection, function: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> None:
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    os.nice(NICE)
    try:
        found = function(*args, progress=lambda done, total: connection.send(("progress", (done, total))), **more)
    except Exception as error:  # of any kind: it is raised again in the other process
        connection.send(("raised", error))
    else:
        connection.send(("returned", found))


def _end_with_parent() -> None:
    """A worker that is killed leaves no child behind that works on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
