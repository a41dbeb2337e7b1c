"""SQLite: copied by its online backup, in the state that the running snapshot sees."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DatabaseError, connection

from annotator.site_backup.archive import SiteBackupError, read_chunks, sync_folder, write_synced
from annotator.site_backup.databases.base import check_nobody_works, has_tables, is_used, migrate

# Files that SQLite keeps beside a database.
BESIDE = ("", "-wal", "-shm", "-journal")


class SQLite:
    member = "database.sqlite3"
    packed = True

    @property
    def version(self) -> str:
        return sqlite3.sqlite_version

    def check_programs(self) -> None:
        """It needs none."""

    def copy(self, beside: Path) -> Iterator[bytes]:
        # Not a copy of the file, which lacks what is still in the log; nor is it whole while somebody writes.
        beside.touch(mode=0o600)
        with closing(sqlite3.connect(beside)) as target:
            connection.connection.backup(target)
            said = [row[0] for row in target.execute("PRAGMA integrity_check")]
        if said != ["ok"]:
            raise SiteBackupError(f"The database is damaged: {said[0]}. Restore the last backup, and check the disk.")
        with beside.open("rb") as file:
            yield from read_chunks(file)

    def check_target(self, *, set_aside: bool) -> None:
        path = _path()
        if not path.exists():
            return
        try:
            is_prepared = has_tables()
            if is_prepared:
                check_nobody_works()
            used = is_prepared and is_used()
        except DatabaseError:
            # Damaged, which may be why a backup is restored.
            used = True
        finally:
            connection.close()
        if used and not set_aside:
            raise SiteBackupError(
                f"{path} has people or projects. Give --set-aside to keep it under another name, or restore into "
                "another data folder (DATA_DIR)."
            )

    def restore(self, copy: Iterator[bytes], aside: Path | None) -> None:
        path = _path()
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f".{path.name}.{os.getpid()}.restored")
        try:
            write_synced(made, copy)
            with _instead_of(made):
                migrate()
            _replace(path, made, aside)
        except DatabaseError as error:
            raise SiteBackupError(f"The database in the backup cannot be used: {error}.") from error
        finally:
            for end in BESIDE:
                Path(f"{made}{end}").unlink(missing_ok=True)


@contextmanager
def _instead_of(path: Path) -> Iterator[None]:
    """Let Django work with another file."""
    connection.close()
    before = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(path)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _replace(path: Path, made: Path, aside: Path | None) -> None:
    """Put a database in the place of another one, which goes to a folder, or goes away where it is empty."""
    with closing(sqlite3.connect(made)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    moved: list[tuple[Path, Path]] = []
    try:
        for end in BESIDE:
            old = Path(f"{path}{end}")
            if old.exists():
                kept = aside / old.name if aside else old.with_name(f".{old.name}.{os.getpid()}.empty")
                old.rename(kept)
                moved.append((old, kept))
        made.rename(path)
    except BaseException:
        for old, kept in moved:
            kept.rename(old)
        raise
    sync_folder(path.parent)
    if aside is None:
        for _old, kept in moved:
            kept.unlink()


def _path() -> Path:
    return Path(str(connection.settings_dict["NAME"]))
