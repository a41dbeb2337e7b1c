"""Reading from one state of the database while others keep writing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec

from django.db import connection, transaction

_P = ParamSpec("_P")


@contextmanager
def beside(call: Callable[_P, None]) -> Iterator[Callable[_P, None]]:
    """`call` on a database connection of its own, so that it may write while a snapshot is read here.

    The caller waits for its end; what it raises is raised there.
    """
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="beside") as thread:

        def called(*args: _P.args, **kwargs: _P.kwargs) -> None:
            thread.submit(call, *args, **kwargs).result()

        try:
            yield called
        finally:
            thread.submit(_close).result()


def _close() -> None:
    # Looked up when it is called, and so that of the calling thread.
    connection.close()


@contextmanager
def snapshot() -> Iterator[None]:
    """All queries inside see the database as it is at the first of them, and nothing may be written.

    Nobody waits for it: PostgreSQL reads under REPEATABLE READ, SQLite in a deferred transaction, which its
    write-ahead log gives a state of its own, and which takes no write lock. Raises RuntimeError inside another
    transaction, whose level is decided already.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(durable=True):
            # Tests run in a transaction of their own; what they wrote is seen by them alone.
            if not connection.savepoint_ids:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                    # Limits of time are for people who wait, and nobody waits for this.
                    cursor.execute("SET LOCAL statement_timeout = 0")
                    cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield
        return
    # Django has no way to ask for one transaction of another mode; elsewhere they take the write lock at once.
    sqlite: Any = connection
    # A connection learns its mode from the settings when it is opened.
    connection.ensure_connection()
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with _query_only(), transaction.atomic(durable=True):
            sqlite.transaction_mode = mode
            yield
    finally:
        sqlite.transaction_mode = mode


@contextmanager
def _query_only() -> Iterator[None]:
    # Around the transaction: inside one that failed, it could not be switched off again.
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA query_only = OFF")
