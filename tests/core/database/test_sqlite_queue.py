"""Writers of SQLite wait in a queue: nobody is passed over, and readers wait for nobody."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

from annotator.core.database.sqlite import base
from annotator.core.database.sqlite.base import DatabaseWrapper
from tests.site import Site, wait_until

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        settings.DATABASES["default"]["ENGINE"] != "annotator.core.database.sqlite",
        reason="needs SQLite as the database",
    ),
]


def counted(folder: Path) -> Path:
    """A database with a table of one number. It writes a log, as one that was migrated: of several connections that are
    the first to ask for the log, SQLite refuses some."""
    path = folder / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        plain.execute("PRAGMA journal_mode=WAL")
        plain.execute("CREATE TABLE counted (n INTEGER)")
        plain.execute("INSERT INTO counted VALUES (0)")
    return path


def connection(path: Path) -> DatabaseWrapper:
    given = {**connections[DEFAULT_DB_ALIAS].settings_dict, "NAME": str(path)}
    return DatabaseWrapper(given, alias=f"queue-{threading.get_ident()}")


def write(made: DatabaseWrapper, number: int) -> None:
    made.ensure_connection()
    made.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    with made.cursor() as cursor:
        cursor.execute("UPDATE counted SET n = n + %s", [number])
    made.commit()
    made.set_autocommit(True)


def test_sixteen_threads_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = counted(tmp_path)
    failed: list[BaseException] = []

    def work() -> None:
        made = connection(path)
        try:
            for _ in range(20):
                write(made, 1)
        except BaseException as error:
            failed.append(error)
        finally:
            made.close()

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT n FROM counted").fetchone() == (320,)


def test_a_failed_transaction_lets_the_next_one_in(tmp_path: Path) -> None:
    path = counted(tmp_path)
    first, second = connection(path), connection(path)
    first.ensure_connection()
    first.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    first.rollback()
    first.set_autocommit(True)
    write(second, 5)
    first.close()
    second.close()
    with sqlite3.connect(path) as plain:
        assert plain.execute("SELECT n FROM counted").fetchone() == (5,)


def test_an_acknowledged_write_is_synchronised(tmp_path: Path) -> None:
    made = connection(tmp_path / "db.sqlite3")
    with made.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (2,)  # FULL
    made.close()


@pytest.mark.parametrize(("every", "in_database"), [(None, 0), (0.0, 7)])
def test_workers_bring_what_was_committed_into_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: float | None, in_database: int
) -> None:
    path = counted(tmp_path)
    made = connection(path)
    made.ensure_connection()
    # The log, which the setup above may have left something in.
    made.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    monkeypatch.setattr(base, "checkpoint_every", every)

    write(made, 7)

    alone = tmp_path / "alone.sqlite3"
    # Without the log beside it.
    alone.write_bytes(path.read_bytes())
    with sqlite3.connect(alone) as plain:
        assert plain.execute("SELECT n FROM counted").fetchone() == (in_database,)
    made.close()


@pytest.mark.processes
def test_a_worker_shortens_the_log_without_being_told(site: Site, tmp_path: Path) -> None:
    site.worker()

    def is_in_database() -> bool:
        alone = tmp_path / "alone.sqlite3"
        alone.write_bytes((site.folder / "db.sqlite3").read_bytes())
        try:
            with sqlite3.connect(alone) as plain:
                seen_later = plain.execute("SELECT COUNT(*) FROM annotator_worker WHERE seen_at > started_at")
                return bool(seen_later.fetchone()[0])
        except sqlite3.DatabaseError:  # copied while it was written
            return False

    wait_until(is_in_database, what="a sign of life of the worker in the database itself")
