"""The storage of the site's files: releases, uploads, trained models, backups and exports of projects.

Names are paths such as `releases/<project>/<file>`, the same in a folder of this machine and in an object store that
several machines share (`object_storage.py`). In addition to Django's storages it has `here`: writers and readers of
formats and models need a path on this machine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages


class StorageError(OSError):
    """The object store does not answer. A later try can succeed."""


class StoredFile(NamedTuple):
    """A file in the storage: its name, its size in bytes, and when it was written."""

    name: str
    size: int
    modified: datetime


class SiteStorage(Protocol):
    """The methods that the site calls on a storage. `open`, `exists`, `size` and `delete` are Django's."""

    @property
    def place(self) -> str:
        """Its location, for operators of the site."""

    def open(self, name: str, mode: str = "rb") -> File:
        """Open a file for reading from any position. Raises FileNotFoundError."""

    def exists(self, name: str) -> bool:
        """Whether there is a file of this name."""

    def size(self, name: str) -> int:
        """The size of a file in bytes. Raises FileNotFoundError."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""

    def here(self, name: str) -> Path:
        """The path on this machine for writing a file or folder before it is published. Creates its folder."""

    def publish(self, *names: str, keep: bool = False) -> None:
        """Publish files that were written `here` to all machines. `keep`: this machine will soon read them again."""

    def fetch(self, *names: str) -> list[Path]:
        """Paths on this machine of files that never change. Raises FileNotFoundError if one is missing."""

    def publish_folder(self, folder: str) -> None:
        """Publish a folder that was written `here` to all machines, replacing its content."""

    def fetch_folder(self, folder: str) -> Path:
        """A folder on this machine with all its published files. Raises FileNotFoundError if it has none."""

    def rename(self, old: str, new: str) -> None:
        """Rename a file, replacing any file of that name, atomically."""

    def files(self, folder: str) -> Iterator[StoredFile]:
        """All files in a folder and its subfolders. For jobs and maintenance: it can take many requests."""

    def delete_folder(self, folder: str) -> None:
        """Delete all files in a folder."""


def site_files() -> SiteStorage:
    """The storage that the settings name."""
    return cast(SiteStorage, storages["default"])


def checked(name: str) -> str:
    """A name from a row. Raises ValueError if it leads out of the storage, or to all of it."""
    if any(part in ("", ".", "..") or "\\" in part for part in name.split("/")):
        raise ValueError(f"{name!r} is not the name of a file")
    return name


class LocalStorage(FileSystemStorage):
    """A folder of this machine (MEDIA_ROOT), or of a disk that all machines mount. Written files are published."""

    def __init__(self) -> None:
        super().__init__(allow_overwrite=True)

    @property
    def place(self) -> str:
        return str(self.location)

    def here(self, name: str) -> Path:
        path = Path(self.path(checked(name)))
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def publish(self, *names: str, keep: bool = False) -> None:
        pass

    def fetch(self, *names: str) -> list[Path]:
        paths = [Path(self.path(checked(name))) for name in names]
        for path in paths:
            if not path.is_file():
                raise FileNotFoundError(str(path))
        return paths

    def publish_folder(self, folder: str) -> None:
        pass

    def fetch_folder(self, folder: str) -> Path:
        path = Path(self.path(checked(folder)))
        if not path.is_dir():
            raise FileNotFoundError(str(path))
        return path

    def rename(self, old: str, new: str) -> None:
        os.replace(self.path(checked(old)), self.here(new))

    def files(self, folder: str) -> Iterator[StoredFile]:
        root = Path(self.path(checked(folder)))
        for path in sorted(root.rglob("*")):
            try:
                found = path.stat()
            except FileNotFoundError:
                continue
            if path.is_file():
                name = f"{folder}/{path.relative_to(root).as_posix()}"
                yield StoredFile(name, found.st_size, datetime.fromtimestamp(found.st_mtime, UTC))

    def delete_folder(self, folder: str) -> None:
        shutil.rmtree(self.path(checked(folder)), ignore_errors=True)
