"""All checks, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import DatabaseError, OperationalError, ProgrammingError

from annotator.core.database.snapshot import snapshot
from annotator.integrity.answers import check_assignments, check_saves, check_undo
from annotator.integrity.counters import check_assigned_once, check_counters
from annotator.integrity.database import WHERE, check_database
from annotator.integrity.files import check_files
from annotator.integrity.findings import Check, Finding
from annotator.integrity.golds import check_golds
from annotator.integrity.jobs import check_jobs

CHECKS: tuple[Check, ...] = (
    check_database,
    check_counters,
    check_assigned_once,
    check_assignments,
    check_saves,
    check_undo,
    check_golds,
    check_jobs,
)


def find_problems(*, contents: bool = False, now: datetime) -> Iterator[Finding]:
    """Yield findings. Nothing is written, and people can work at the same time: rows are read from one state of the
    database. `contents`: also read and compare files. Call it outside a transaction."""
    try:
        with snapshot():
            for check in CHECKS:
                yield from check()
    except (OperationalError, ProgrammingError):
        # It does not answer, or is not prepared.
        raise
    except DatabaseError as error:
        problem = f"{str(error).strip()}. The rest was not checked."
        yield Finding(WHERE, problem, "Restore the last site backup, and check the disk.")
        return
    yield from check_files(contents=contents, now=now)
