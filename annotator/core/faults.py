"""Faults of the database, of the disk and of the object store: they pass, and are logged once."""

from __future__ import annotations

import errno
import logging
import sqlite3
import time

from django.db import InterfaceError, OperationalError, ProgrammingError
from django.utils.translation import gettext as _

from annotator.core.files.storage import StorageError

RETRY_SECONDS = 10
# A fault is logged once in so many seconds, however many requests meet it.
LOGGED_EVERY = 60.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
# PostgreSQL's codes for a table and a column that are not there: the database is not migrated yet. SQLite says it by an
# OperationalError.
_NOT_MIGRATED = ("42P01", "42703")
# Libraries whose errors say that a broker, or a cache, does not answer.
_OF_BROKERS = ("amqp", "celery", "kombu", "redis")
# PostgreSQL's code for the same as ENOSPC.
_DISK_FULL = "53100"


def passes(error: BaseException | None) -> bool:
    """Whether a fault is one of the database, the disk or the object store, so that a later request is served."""
    if isinstance(error, ProgrammingError):
        return getattr(error.__cause__, "pgcode", None) in _NOT_MIGRATED
    return isinstance(error, OperationalError | InterfaceError | StorageError) or is_full(error)


def is_full(error: BaseException | None) -> bool:
    """Whether a disk is full: this machine's, or the database's."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    cause = error.__cause__ if isinstance(error, OperationalError) else error
    is_sqlite = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode == sqlite3.SQLITE_FULL
    return is_sqlite or getattr(cause, "pgcode", None) == _DISK_FULL


def unavailable(error: BaseException | None) -> str:
    """The sentence for people who have to wait, since there is this fault."""
    if is_full(error):
        return _("The disk of this site is full, so nothing was saved. Tell a site administrator, and try again later.")
    return _("The database or the disk of this site is not responding, so nothing was saved. Try again soon.")


def _is_known(error: BaseException | None) -> bool:
    """Whether a fault needs no traceback: one that passes, or of a broker or a cache that does not answer."""
    library = type(error).__module__.partition(".")[0]
    return passes(error) or library in _OF_BROKERS or isinstance(error, ConnectionError | TimeoutError)


class OncePerFault:
    """A filter of the log: of faults that pass, one line, and again only after a while."""

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def __call__(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if not _is_known(error):
            return getattr(record, "status_code", 0) != 503
        record.exc_info = record.exc_text = None
        # Drivers raise errors without a word, too.
        first_line = str(error).strip().partition("\n")[0]
        record.msg, record.args = f"{type(error).__name__}: {first_line}", ()
        now = time.monotonic()
        self._logged = {line: at for line, at in self._logged.items() if now - at < LOGGED_EVERY}
        return self._logged.setdefault(record.msg, now) == now
