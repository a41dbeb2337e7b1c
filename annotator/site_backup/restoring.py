"""Restore a site from its backup, after reading and comparing all of it."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from annotator.core.files.stored import KEPT_FOLDERS, MODELS, sha256_of
from annotator.site_backup.archive import FILES, Manifest, SiteBackupError, chunks_of, reading, verify
from annotator.site_backup.databases import this_database
from annotator.site_backup.databases.base import NAMES

# Also of the previous site: exports are made of it, and sessions are in the cache.
_ASIDE_TOO = ("exports", "cache")


def restore_site(*, path: Path, set_aside: bool, now: datetime) -> tuple[Manifest, Path | None]:
    """Restore the site of a backup, and migrate it to this version. Returns the manifest, and the folder of the
    previous site if it was set aside.

    The site must have neither people nor projects, or `set_aside` be asked for, and nobody may work. Raises
    SiteBackupError, and whatever else fails; then all is as it was.
    """
    database = this_database()
    with reading(path) as (archive, manifest):
        _check_engine(manifest)
        _check_version(manifest)
        verify(archive, manifest)
        database.check_target(set_aside=set_aside)
        aside = Path(settings.DATA_DIR) / f"before-restore-{now:%Y%m%d-%H%M%S}" if set_aside else None
        with _set_aside(aside):
            _check_files(manifest)
            with _files_written(archive, manifest):
                database.restore(chunks_of(archive, manifest, database.member), aside)
    return manifest, aside


def _check_engine(manifest: Manifest) -> None:
    if manifest.engine != connection.vendor:
        was, here = NAMES.get(manifest.engine, manifest.engine), NAMES[connection.vendor]
        raise SiteBackupError(
            f"The backup is of a site on {was}, but this one is on {here}. Restore it into a site on {was}, and move "
            "its projects here one by one: archive_project, restore_project."
        )


def _check_version(manifest: Manifest) -> None:
    """Raise SiteBackupError for tables of a version that this one does not know."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = {f"{app}.{name}" for app, name in loader.disk_migrations}
    known |= {f"{app}.{name}" for one in loader.disk_migrations.values() for app, name in one.replaces}
    # Migration 0011 takes over what these tables have.
    known |= {name for name in manifest.migrations if name.startswith("authtoken.")}
    if unknown := sorted(set(manifest.migrations) - known):
        raise SiteBackupError(
            f"A newer version of Translatio ({manifest.version}) wrote the backup: this one lacks {', '.join(unknown)}."
            " Install that version, then restore."
        )


def _check_files(manifest: Manifest) -> None:
    """Raise SiteBackupError where another file has a name that one of the backup has."""
    for name, member in manifest.files:
        if default_storage.exists(name) and sha256_of(name) != member.sha256:
            raise SiteBackupError(
                f"{name} exists in the storage with different content. Restore into an empty data folder or bucket."
            )


@contextmanager
def _set_aside(folder: Path | None) -> Iterator[None]:
    """Move the files of the site that was there into a folder; back again where the block fails."""
    moved: list[tuple[Path, Path]] = []
    try:
        if folder is not None:
            folder.mkdir(mode=0o700)
            for place, name in _to_move():
                kept = folder / name
                kept.parent.mkdir(exist_ok=True)
                place.rename(kept)
                moved.append((place, kept))
        yield
    except BaseException:
        for place, kept in moved:
            # Folders that were made for files which are gone again.
            for empty, _folders, _files in os.walk(place, topdown=False):
                os.rmdir(empty)
            kept.rename(place)
        if folder is not None and folder.is_dir():
            shutil.rmtree(folder)
        raise


def _to_move() -> Iterator[tuple[Path, str]]:
    """The folders of the site's files, where they are on this machine, and what each is called when set aside. Of
    models those of projects: beside them lies what was downloaded."""
    for name in _ASIDE_TOO:
        yield from _folder(Path(settings.DATA_DIR) / name, name)
    for name in KEPT_FOLDERS:
        try:
            place = Path(default_storage.path(name))
        except NotImplementedError:
            return
        if name != MODELS:
            yield from _folder(place, name)
        elif place.is_dir():
            for one in sorted(place.iterdir()):
                if one.name.isdecimal():
                    yield from _folder(one, f"{MODELS}/{one.name}")


def _folder(place: Path, name: str) -> Iterator[tuple[Path, str]]:
    if place.is_dir():
        yield place, name


@contextmanager
def _files_written(archive: zipfile.ZipFile, manifest: Manifest) -> Iterator[None]:
    """Write the files into the storage; they are deleted where the block, or one of them, fails."""
    written: list[str] = []
    try:
        for name, _member in manifest.files:
            if default_storage.exists(name):
                continue
            with archive.open(f"{FILES}{name}") as file:
                given = default_storage.save(name, File(file))
            written.append(given)
            if given != name:
                raise SiteBackupError(f"{name} could not be written: the storage called it {given}.")
        yield
    except BaseException:
        for name in written:
            default_storage.delete(name)
        raise
