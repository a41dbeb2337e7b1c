"""Work in a process of its own: for code that does not release Python's lock, or that can continue beside other work.

CRFsuite holds that lock for as long as an iteration takes. In a worker, whose threads share the process, another job
would stand still in the middle of a transaction, and everybody who saves would wait for it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import AuthenticationString  # type: ignore[attr-defined]  # not in the stubs
from queue import SimpleQueue
from typing import Any, Generic, Self, TypeVar

from annotator.domain.messages import UserError, message
from annotator.domain.messages import gettext_noop as _

# Seconds between two calls of `progress` while the child says nothing.
LOOK_SECONDS = 0.5
# A fresh interpreter: this process may have threads, and a fork has none of them but holds their locks.
CONTEXT: SpawnContext | ForkServerContext = multiprocessing.get_context("spawn")
# The child computes; people who wait for the other processes come first.
NICE = 5

_T = TypeVar("_T")
_Question = TypeVar("_Question")

Progress = Callable[[int, int], None]


def allow_children() -> None:
    """Let this process of Celery's pool have children.

    The pool's library, a fork of multiprocessing, stands in for it here: as a daemon, which Python lets have none, and
    with a key that only that library can hand on.
    """
    process = multiprocessing.current_process()
    process.daemon = False
    process._config["authkey"] = AuthenticationString(process.authkey)  # type: ignore[attr-defined]  # not in its stub


class ChildDiedError(UserError):
    """The child process ended without an answer. The message says what to do."""


class _Process:
    """A process that ends with this one, however that ends, and with the `with` block."""

    def __init__(self, work: Callable[..., None], *args: Any) -> None:
        self._ours, theirs = CONTEXT.Pipe()
        self._process = CONTEXT.Process(target=_begin, args=(work, theirs, *args), daemon=True)
        self._process.start()
        theirs.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()

    def _received(self) -> tuple[str, Any]:
        """What it says next. Raises what it raised, or ChildDiedError."""
        try:
            kind, value = self._ours.recv()
        except (EOFError, ConnectionError):
            raise self._died() from None
        if kind == "raised":
            raise value
        return kind, value

    def _died(self) -> ChildDiedError:
        self._process.join()
        return ChildDiedError(
            message(
                _(
                    "The process that did this work ended unexpectedly (exit code %(code)s). The machine may be short "
                    "of memory. Try again."
                ),
                code=self._process.exitcode,
            )
        )


class Child(_Process, Generic[_T]):
    """A process that works out `function(*args, progress=…, **more)`.

    The function, its arguments and its result have to be picklable.
    """

    def __init__(self, function: Callable[..., _T], *args: Any, **more: Any) -> None:
        super().__init__(_work, function, args, more)

    def wait(self, progress: Progress = lambda done, total: None) -> _T:
        """What the function returns.

        `progress` hears what the child reports, and its last report (at first 0 of 0) every half second; it may raise.
        Raises what the function raised, or ChildDiedError.
        """
        reported = (0, 0)
        while True:
            if self._ours.poll(LOOK_SECONDS):
                kind, value = self._received()
                if kind == "returned":
                    found: _T = value
                    return found
                reported = value
            progress(*reported)


class Helper(_Process, Generic[_Question, _T]):
    """A process that works out `function(question)` for one question after the other, while we do something else.

    The function, questions and answers have to be picklable.
    """

    def __init__(self, function: Callable[[_Question], _T]) -> None:
        super().__init__(_answer, function)

    def ask(self, question: _Question) -> None:
        """Does not wait for the answer. Raises ChildDiedError."""
        try:
            self._ours.send(question)
        except ConnectionError:
            raise self._died() from None

    def answer(self) -> _T:
        """The answer to the first question that has none yet. Raises what the function raised, or ChildDiedError."""
        _kind, value = self._received()
        found: _T = value
        return found


def in_child_process(
    function: Callable[..., _T], *args: Any, progress: Progress = lambda done, total: None, **more: Any
) -> _T:
    """What a `Child` works out."""
    with Child(function, *args, **more) as child:
        return child.wait(progress)


def _begin(work: Callable[..., None], connection: Connection, *args: Any) -> None:
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    os.nice(NICE)
    work(connection, *args)


def _work(connection: Connection, function: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> None:
    try:
        found = function(*args, progress=lambda done, total: connection.send(("progress", (done, total))), **more)
    except Exception as error:  # of any kind: it is raised again in the other process
        connection.send(("raised", error))
    else:
        connection.send(("returned", found))


def _answer(connection: Connection, function: Callable[[Any], Any]) -> None:
    questions: SimpleQueue[Any] = SimpleQueue()
    # Read at once, so that the asking side never waits until an answer is read.
    threading.Thread(target=_read, args=(connection, questions), name="questions", daemon=True).start()
    while True:
        question = questions.get()
        try:
            connection.send(("returned", function(question)))
        except Exception as error:  # of any kind: it is raised again in the other process
            connection.send(("raised", error))


def _read(connection: Connection, questions: SimpleQueue[Any]) -> None:
    while True:
        questions.put(connection.recv())


def _end_with_parent() -> None:
    """A worker that is killed leaves no child behind that works on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
