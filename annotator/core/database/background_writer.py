"""Writing beside other work: a thread writes one transaction after the other, while what comes next is prepared."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack

from django.db import connection
from django.utils.translation import get_language, override

from annotator.core.database.bulk import synced_later

# Transactions that may wait for their turn: rows that are prepared are in memory.
AHEAD = 4


class BackgroundWriter:
    """Does what it is given in turn, on a connection of its own. To be used in a `with` block outside of transactions.

    What fails is raised by the next call, and nothing that was given after it is done. At the end of the block all of
    it is done; where the block raised, what had started.

    Transactions do not wait for the disk; one that does, after the block, brings all of them there. SQLite, where one
    writes at a time, and tests that run in a transaction do everything at once.
    """

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._waiting: deque[Future[None]] = deque()
        self._has_failed = False
        self._settings = ExitStack()

    def __enter__(self) -> BackgroundWriter:
        if connection.vendor == "postgresql" and not connection.in_atomic_block:
            self._thread = ThreadPoolExecutor(1, "beside")
            self.do(self._begin)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_error: object) -> None:
        if self._thread is None:
            return
        try:
            if kind is None:
                self.wait()
        finally:
            for one in self._waiting:
                one.cancel()
            self._thread.submit(self._settings.close)
            self._thread.submit(_close)
            self._thread.shutdown()

    def do(self, work: Callable[[], object]) -> None:
        """Do this after all that was given before. Raises what some of that raised."""
        if self._thread is None:
            work()
            return
        while len(self._waiting) >= AHEAD:
            self._waiting.popleft().result()
        self._waiting.append(self._thread.submit(self._done, work, get_language()))

    def wait(self) -> None:
        """Wait until everything is done. Raises what some of it raised."""
        while self._waiting:
            self._waiting.popleft().result()

    def _begin(self) -> None:
        self._settings.enter_context(synced_later())
        with connection.cursor() as cursor:
            # How a foreign key is looked up is settled with the first one, while the table that it leads to is nearly
            # empty; that it is read from its beginning for each row would stay so when it is large.
            cursor.execute("SET SESSION enable_seqscan = off")

    def _done(self, work: Callable[[], object], language: str | None) -> None:
        if self._has_failed:
            return
        try:
            # What it raises is told in the language of the person who asked for it.
            with override(language):
                work()
        except BaseException:
            self._has_failed = True
            raise


def _close() -> None:
    """Of the thread that runs this: `connection` is another one in each."""
    connection.close()
