"""Ends the wait for a server that has fallen silent.

A server that is stopped, or that the network no longer leads to, leaves its clients waiting without an end, since their
connections look healthy. A thread looks at the connections of this process. When one has waited for a while, it asks
the server on a new connection: a statement that takes long is left alone as long as the server says anything there.
Otherwise all that wait are cut off, and their statements fail as they do when the server has gone.

The state of a connection is read, so a statement costs nothing more.
"""

from __future__ import annotations

import os
import select
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import psycopg2
from psycopg2 import extensions

from annotator.core.processes.threads import within

# Seconds between two looks; that a statement may take before the server is asked; that it has for an answer; that a
# new connection may take. Together less than three, in which a page has to be answered.
LOOK_EVERY = 0.2
PATIENCE = 0.5
ANSWER_WITHIN = 1.6
CONNECT_WITHIN = 2.2
# Seconds in which a server that was silent is not asked again.
SILENT_FOR = 1.0
SILENT = "the server does not answer"

_Connection: TypeAlias = extensions.connection


@dataclass
class _Watched:
    """How the server is reached, and since when the connection waits for it; 0: it does not."""

    params: Mapping[str, Any]
    since: float = 0.0


class Watchdog:
    """The watch over the connections of one process."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Watch nothing yet."""
        # Held while a connection is looked at or closed: libpq frees what another thread might be reading.
        self._lock = Lock()
        self._watched: WeakKeyDictionary[_Connection, _Watched] = WeakKeyDictionary()
        self._thread: Thread | None = None
        self._silent_at = -SILENT_FOR

    def connect(self, make: Callable[[], _Connection], params: Mapping[str, Any]) -> _Connection:
        """A new connection, watched until it is closed by `close`. `params`: how psycopg2 reaches the server.

        Raises OperationalError when the server is not there, or silent.
        """
        if monotonic() - self._silent_at < SILENT_FOR:
            raise psycopg2.OperationalError(SILENT)
        try:
            # libpq has a limit for each address, and none for looking up the name.
            made = within(CONNECT_WITHIN, make)
        except TimeoutError as error:
            raise psycopg2.OperationalError(SILENT) from error
        with self._lock:
            self._watched[made] = _Watched(params)
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="watchdog", daemon=True)
                self._thread.start()
        return made

    def close(self, connection: _Connection) -> None:
        """Close a connection."""
        with self._lock:
            self._watched.pop(connection, None)
        connection.close()

    def _watch(self) -> None:
        while True:
            sleep(LOOK_EVERY)
            late = self._late(monotonic())
            if late is not None and not says_anything(late, ANSWER_WITHIN):
                self._silent_at = monotonic()
                self._cut_off()

    def _late(self, now: float) -> Mapping[str, Any] | None:
        """How to reach the server of a connection that has waited for long; None where there is none."""
        late = None
        with self._lock:
            for connection, watched in self._watched.items():
                watched.since = (watched.since or now) if _waits(connection) else 0.0
                if watched.since and now - watched.since >= PATIENCE:
                    late = watched.params
        return late

    def _cut_off(self) -> None:
        with self._lock:
            for connection in self._watched:
                if _waits(connection):
                    with socket.socket(fileno=os.dup(connection.fileno())) as end:
                        end.shutdown(socket.SHUT_RDWR)


def says_anything(params: Mapping[str, Any], seconds: float) -> bool:
    """Whether a server answers a new connection within so many seconds, be it by refusing it."""
    deadline = monotonic() + seconds
    try:
        connection = psycopg2.connect(**params, async_=True)
    except psycopg2.OperationalError:
        return True
    poll = select.poll()
    try:
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = state == extensions.POLL_READ
            poll.register(connection.fileno(), select.POLLIN if reads else select.POLLOUT)
            if not poll.poll(max(0.0, deadline - monotonic()) * 1000):
                return False
            if reads:
                return True
            poll.unregister(connection.fileno())
    except psycopg2.OperationalError:
        return True
    finally:
        connection.close()
    return True


def _waits(connection: _Connection) -> bool:
    return not connection.closed and connection.get_transaction_status() == extensions.TRANSACTION_STATUS_ACTIVE


watchdog = Watchdog()
# A forked process has none of the threads, and its lock may have been held by one of them.
os.register_at_fork(after_in_child=watchdog.begin)
