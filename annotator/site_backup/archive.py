"""The file of a site backup: a zip whose last member, the manifest, has the size and SHA-256 of all others."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from annotator.core.files.stored import KEPT_FOLDERS, READ_BYTES

FORMAT = 1
MANIFEST, FILES = "manifest.json", "files/"
# For the writer's user alone: it holds the hashes of passwords, and texts that nobody else may read.
MODE = 0o600


class SiteBackupError(Exception):
    """A site backup that was not written or not restored. What was there is as it was.

    The message is a sentence for the person at the command line, in English as all output of commands.
    """


@dataclass(frozen=True)
class Member:
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """The contents of a site backup. `counts`: rows of some tables; `missing`: files that rows name and that were not
    there, each with its row; `members`: all that is in the zip but the manifest itself."""

    format: int
    version: str
    engine: str
    engine_version: str
    made_at: str
    migrations: list[str]
    counts: dict[str, int]
    missing: dict[str, str]
    members: dict[str, Member] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Any) -> Manifest:
        """Raises KeyError or TypeError where the data is not a manifest of ours."""
        members = {name: Member(**about) for name, about in data.pop("members").items()}
        return cls(**data, members=members)

    @property
    def files(self) -> Iterator[tuple[str, Member]]:
        """The files of the site by their names in the storage."""
        return ((name.removeprefix(FILES), one) for name, one in self.members.items() if name.startswith(FILES))


class Writer:
    """Writes members one after the other, a chunk of each in memory."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, Member] = {}

    def add(self, name: str, chunks: Iterable[bytes], *, packed: bool = False) -> None:
        """Write a member. `packed`: it is made smaller."""
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        info.external_attr = MODE << 16
        sha256, size = hashlib.sha256(), 0
        with self._archive.open(info, "w", force_zip64=True) as target:
            for chunk in chunks:
                target.write(chunk)
                sha256.update(chunk)
                size += len(chunk)
        self.members[name] = Member(size, sha256.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest."""
        text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1, sort_keys=True)
        self._archive.writestr(MANIFEST, text)


@contextmanager
def writing(path: Path) -> Iterator[tuple[Writer, Path]]:
    """Write the backup `path`: under another name first, then read again and compared, then named. Gives the writer,
    and a path beside it for what is written on the way; both are gone where anything fails."""
    if path.exists():
        raise SiteBackupError(f"{path} exists already. Give the name of a new file.")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    beside = part.with_suffix(".database")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, MODE), "w+b") as file:
            with zipfile.ZipFile(file, "w", compresslevel=1) as archive:
                yield Writer(archive), beside
            file.flush()
            os.fsync(file.fileno())
        with reading(part) as (archive, manifest):
            verify(archive, manifest)
        part.rename(path)
        sync_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)
        beside.unlink(missing_ok=True)


@contextmanager
def reading(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """A backup and what its manifest says. Raises SiteBackupError for what is none, or is cut off."""
    none = f"{path} is not a site backup, or is incomplete. Choose another one."
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive, none)
            yield archive, manifest
    except zipfile.BadZipFile as error:
        raise SiteBackupError(none) from error


def verify(archive: zipfile.ZipFile, manifest: Manifest) -> None:
    """Read all members and compare them with the manifest. Raises SiteBackupError that names one that differs."""
    names = archive.namelist()
    if sorted(names) != sorted([*manifest.members, MANIFEST]):
        raise SiteBackupError("The backup does not contain the files that its manifest names. Choose another one.")
    for name in manifest.members:
        for _chunk in chunks_of(archive, manifest, name):
            pass


def chunks_of(archive: zipfile.ZipFile, manifest: Manifest, name: str) -> Iterator[bytes]:
    """A member, a chunk after the other. Raises SiteBackupError at its end where it is not what the manifest says."""
    sha256, size = hashlib.sha256(), 0
    damaged = SiteBackupError(f"The backup is damaged: {name} has changed since it was written. Choose another one.")
    try:
        with archive.open(name) as file:
            while chunk := file.read(READ_BYTES):
                sha256.update(chunk)
                size += len(chunk)
                yield chunk
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise damaged from error
    if Member(size, sha256.hexdigest()) != manifest.members[name]:
        raise damaged


def write_synced(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a new file, and bring it to the disk."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE), "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Bytes left in an open file."""
    while chunk := file.read(READ_BYTES):
        yield chunk


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _manifest(archive: zipfile.ZipFile, none: str) -> Manifest:
    try:
        data = json.loads(archive.read(MANIFEST))
        # Those of projects have a format, too.
        newer = data["format"] > FORMAT and "engine" in data
        found = None if newer else Manifest.from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SiteBackupError(none) from error
    if found is None:
        raise SiteBackupError(
            f"A newer version of Translatio ({data.get('version')}) wrote this backup. Install that version first."
        )
    for name, _member in found.files:
        parts = PurePosixPath(name).parts
        if parts[0] not in KEPT_FOLDERS or ".." in parts:
            raise SiteBackupError(f'The backup is damaged: "{name}" is not a file of a site. Choose another one.')
    return found
