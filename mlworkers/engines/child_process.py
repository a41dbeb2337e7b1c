"""Long work in a process of its own, for code that does not release Python's lock.

CRFsuite holds that lock for as long as an iteration takes. In a worker, whose threads share the process, another job
would stand still in the middle of a transaction, and everybody who saves would wait for it.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from mlworkers.engines.base import EngineError

# Seconds between two calls of `progress` while the child says nothing.
LOOK_SECONDS = 0.5

_T = TypeVar("_T")


def in_child_process(
    function: Callable[..., _T],
    *args: Any,
    progress: Callable[[int, int], None] = lambda done, total: None,
    **more: Any,
) -> _T:
    """What `function(*args, progress=…, **more)` returns, worked out by a child process.

    `function`, its arguments and its result have to be picklable. `progress` hears what the child reports, and, while
    it reports nothing, its last report again every half second; what it raises ends the child. The child ends with this
    process, however that ends. Raises what the function raised, or EngineError when the child died.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_work, args=(theirs, function, args, more), daemon=True)
    child.start()
    theirs.close()
    said: tuple[int, int] | None = None
    try:
        while True:
            if ours.poll(LOOK_SECONDS):
                kind, value = ours.recv()
                if kind == "returned":
                    return value  # type: ignore[no-any-return]
                if kind == "raised":
                    raise value
                said = value
            if said is not None:
                progress(*said)
    except EOFError:
        child.join()
        raise EngineError(
            f"The process that did this work ended unexpectedly (exit code {child.exitcode}). The machine may be "
            "short of memory. Try again."
        ) from None
    finally:
        child.kill()
        child.join()
        ours.close()


def _work(connection: Connection, function: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> None:
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    try:
        found = function(*args, progress=lambda done, total: connection.send(("progress", (done, total))), **more)
    except Exception as error:
        connection.send(("raised", error))
    else:
        connection.send(("returned", found))


def _end_with_parent() -> None:
    """A worker that is killed leaves no child behind that works on."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
