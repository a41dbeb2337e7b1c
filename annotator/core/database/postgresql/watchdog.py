"""End the wait for a server that does not answer.

Clients of a stopped or unreachable server wait forever, because their connections look healthy. A thread watches the
connections of this process. If one has waited for a while, the thread connects to the server again: while the server
answers there, a slow statement continues. Otherwise all waiting connections are closed, and their statements fail as
if the server had gone.

The thread only reads the state of connections, so statements have no extra cost.
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

# Seconds between two checks; until the server of a waiting statement is asked; for its answer; for a new connection.
# Together less than three, the limit for the answer of a page.
LOOK_EVERY = 0.2
PATIENCE = 0.5
ANSWER_WITHIN = 1.6
CONNECT_WITHIN = 2.2
# Seconds until a silent server is asked again.
SILENT_FOR = 1.0
SILENT = "the server does not answer"

_Connection: TypeAlias = extensions.connection


@dataclass
class _Watched:
    """The address of the server, and since when the connection has waited for it; 0: it is not waiting."""

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
            # libpq limits the time per address, but not the name lookup.
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
        """The address of the server of a connection that has waited too long, or None."""
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
