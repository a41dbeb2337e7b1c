"""Temporary faults of the database, the disk and the object store, logged once."""

from __future__ import annotations

import errno
import logging
import sqlite3
import time

from django.db import InterfaceError, OperationalError, ProgrammingError
from django.utils.translation import gettext as _

from annotator.core.files.storage import StorageError

RETRY_SECONDS = 10
# Seconds between two log entries of the same fault, for any number of requests.
LOGGED_EVERY = 60.0
_FULL = (errno.ENOSPC, errno.EDQUOT)
# PostgreSQL's codes for a missing table and column: the database is not migrated yet. SQLite raises an
# OperationalError.
_NOT_MIGRATED = ("42P01", "42703")
# Libraries whose errors mean that a broker or a cache does not answer.
_OF_BROKERS = ("amqp", "celery", "kombu", "redis")
# PostgreSQL's code for the same as ENOSPC.
_DISK_FULL = "53100"


def passes(error: BaseException | None) -> bool:
    """Whether a fault of the database, the disk or the object store is temporary."""
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
    """The message for people who must wait because of this fault."""
    if is_full(error):
        return _("The disk of this site is full, so nothing was saved. Tell a site administrator, and try again later.")
    return _("The database or the disk of this site is not responding, so nothing was saved. Try again soon.")


def _is_known(error: BaseException | None) -> bool:
    """Whether to log a fault without a traceback: temporary faults, and brokers and caches that do not answer."""
    library = type(error).__module__.partition(".")[0]
    return passes(error) or library in _OF_BROKERS or isinstance(error, ConnectionError | TimeoutError)


class OncePerFault:
    """Log filter: one line per temporary fault, repeated only after a while.

    A logger that is configured again has the filter twice.
    """

    def __init__(self) -> None:
        self._logged: dict[str, float] = {}

    def __call__(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if getattr(record, "is_known_fault", False):
            return True
        if not _is_known(error):
            return getattr(record, "status_code", 0) != 503
        record.exc_info = record.exc_text = None
        record.is_known_fault = True
        # Drivers also raise errors without a message.
        first_line = str(error).strip().partition("\n")[0]
        record.msg, record.args = f"{type(error).__name__}: {first_line}", ()
        now = time.monotonic()
        self._logged = {line: at for line, at in self._logged.items() if now - at < LOGGED_EVERY}
        return self._logged.setdefault(record.msg, now) == now
