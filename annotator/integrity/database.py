"""The checks of the database itself: pages, keys, and the append-only log of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef

from annotator.integrity.findings import Finding
from annotator.models import LemmaPlace, Project, Unit

WHERE = "the database"
_AGAIN = "Restore the last site backup, and check the disk."
# SQLite has no trigger that keeps events from being deleted (`migrations/_append_only.py`).
_TRIGGERS = {"sqlite": {"annotator_event_no_update"}, "postgresql": {"annotator_event_append_only"}}


def check_database() -> Iterator[Finding]:
    """Pages, indexes, keys and triggers."""
    yield from _sqlite() if connection.vendor == "sqlite" else _postgresql()
    # The keys that the database itself does not hold.
    going = Project.objects.exclude(deleting_at=None).values("pk")
    named_by = {"unit": Unit.objects.all(), "project": Project.objects.all()}
    for name, rows in named_by.items():
        named = rows.filter(pk=OuterRef(f"{name}_id"))
        if orphans := LemmaPlace.objects.exclude(project__in=going).exclude(Exists(named)).count():
            yield Finding(WHERE, f"{orphans} places of words refer to a {name} that does not exist.", _AGAIN)


def _sqlite() -> Iterator[Finding]:
    for (said,) in _rows("PRAGMA integrity_check"):
        if said != "ok":
            yield Finding(WHERE, f"{said}.", _AGAIN)
    for table, row, parent, _key in _rows("PRAGMA foreign_key_check"):
        yield Finding(f"row {row} of {table}", f"refers to a row of {parent} that does not exist.", _AGAIN)
    triggers = {name for (name,) in _rows("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    yield from _missing(triggers)


def _postgresql() -> Iterator[Finding]:
    for table, name in _rows("SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE NOT convalidated"):
        yield Finding(
            f"constraint {name} of {table}", "was never checked.", f"ALTER TABLE … VALIDATE CONSTRAINT {name}"
        )
    for (name,) in _rows("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid"):
        yield Finding(f"index {name}", "is incomplete.", f"REINDEX INDEX {name}")
    enabled = "SELECT tgname FROM pg_trigger WHERE tgrelid = 'annotator_event'::regclass AND tgenabled <> 'D'"
    yield from _missing({name for (name,) in _rows(enabled)})
    if _rows("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"):
        yield from _btrees()


def _btrees() -> Iterator[Finding]:
    """Indexes against their tables, by the extension amcheck."""
    indexes = _rows(
        "SELECT c.oid, c.relname FROM pg_class c JOIN pg_am a ON a.oid = c.relam "
        "JOIN pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind = 'i' AND a.amname = 'btree' AND n.nspname = current_schema()"
    )
    for oid, _name in indexes:
        # A failure is raised, and ends the checks that follow.
        _rows("SELECT bt_index_check(%s, true)", [oid])
    yield from ()


def _missing(triggers: set[str]) -> Iterator[Finding]:
    for name in sorted(_TRIGGERS[connection.vendor] - triggers):
        yield Finding(
            WHERE, f"The trigger {name} is missing, so events can be changed.", "Restore the last site backup."
        )


def _rows(sql: str, params: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return list(cursor.fetchall())
