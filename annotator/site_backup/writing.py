"""Writing a site backup, while people work.

The database is copied first, in one state, then the files. Files are written before the rows that name them and deleted
after them, so all files in the copied rows exist, except those deleted in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, cast

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from annotator.core.database.snapshot import snapshot
from annotator.core.files.storage import site_files
from annotator.core.files.stored import KEPT_FOLDERS, MODELS, stored_files
from annotator.integrity.named_files import named_files
from annotator.models import Annotation, Event, Gold, Project, Release, User
from annotator.site_backup.archive import FILES, FORMAT, Manifest, Writer, read_chunks, writing
from annotator.site_backup.databases import this_database
from annotator.site_backup.databases.base import Database

COUNTED: dict[str, type[Model]] = {
    "accounts": User,
    "projects": Project,
    "annotations": Annotation,
    "gold": Gold,
    "events": Event,
    "releases": Release,
}


def back_up_site(*, path: Path, now: datetime) -> Manifest:
    """Write the whole site into the new file `path`, which only its user can read, and read it again.

    Raises SiteBackupError, or OSError for a full disk; then nothing is left. Call it outside of a transaction.
    """
    database = this_database()
    database.check_programs()
    with writing(path) as (writer, beside):
        with snapshot():
            manifest = _about(database, now)
            # Looked up in the same state; the longest of these lists has a line for each release and upload.
            named = {file.name: file for file in named_files()}
            writer.add(database.member, database.copy(beside), packed=database.packed)
        beside.unlink(missing_ok=True)
        _add_files(writer, [file.name for file in named.values() if file.is_folder])
        there = {name.removeprefix(FILES) for name in writer.members}
        folders = {name.rpartition("/")[0] for name in there}
        missing = {
            file.name: file.says for file in named.values() if file.name not in (folders if file.is_folder else there)
        }
        manifest = replace(manifest, missing=missing, members=writer.members)
        writer.finish(manifest)
    return manifest


def applied_migrations() -> list[str]:
    """Those that the database has."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _about(database: Database, now: datetime) -> Manifest:
    return Manifest(
        format=FORMAT,
        version=version("translatio"),
        engine=connection.vendor,
        engine_version=database.version,
        made_at=now.isoformat(),
        migrations=applied_migrations(),
        counts={name: model._base_manager.count() for name, model in COUNTED.items()},
        missing={},
    )


def _add_files(writer: Writer, models: Sequence[str]) -> None:
    """Write all files, but of models only the folders that rows name: beside them lies what can be downloaded again."""
    for folder in (*(name for name in KEPT_FOLDERS if name != MODELS), *models):
        for stored in stored_files(folder):
            try:
                file = site_files().open(stored.name)
            except FileNotFoundError:
                # Deleted a moment ago.
                continue
            with file:
                # Django's File reads as an open file does.
                writer.add(f"{FILES}{stored.name}", read_chunks(cast("IO[bytes]", file)))
