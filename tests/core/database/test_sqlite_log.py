"""SQLite's log goes to the disk beside transactions that do not wait for it."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from annotator.core.database.sqlite import log
from annotator.core.database.sqlite.log import synced_beside


def of_the_log() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "log"]


def test_the_log_is_synced_while_the_block_runs_and_not_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "db.sqlite3"
    synced = threading.Event()
    files = []

    def watched(file: int) -> None:
        os.fsync(file)
        files.append(os.readlink(f"/proc/self/fd/{file}"))
        synced.set()

    monkeypatch.setattr(log.os, "fdatasync", watched)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE counted (n INTEGER)")
        with synced_beside(str(path)):
            assert synced.wait(60)
            database.execute("INSERT INTO counted VALUES (7)")
        assert set(files) == {f"{path}-wal"}
        assert of_the_log() == []
        # SQLite's own locks are as they were: it can go on.
        database.execute("INSERT INTO counted VALUES (8)")
        assert database.execute("SELECT n FROM counted").fetchall() == [(7,), (8,)]


def test_a_failure_inside_ends_it_too(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE counted (n INTEGER)")
        with pytest.raises(ZeroDivisionError), synced_beside(str(path)):
            raise ZeroDivisionError
    assert of_the_log() == []


def test_a_database_without_a_log_is_left_alone(tmp_path: Path) -> None:
    with synced_beside(str(tmp_path / "there is none.sqlite3")):
        assert of_the_log() == []
