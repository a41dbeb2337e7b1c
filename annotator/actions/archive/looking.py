"""What an archive holds, found out before anything of it is written; and what cannot be one."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypedDict

from annotator.actions.archive.tables import TABLES
from annotator.actions.archive.upgrades import FORMAT, oldest, upgraded_settings
from annotator.actions.errors import ActionError
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say

# What JSON of another shape than expected leads to.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
# Of the files that are read as a whole.
LARGEST_READ = 16 * 1024 * 1024
MOST_PEOPLE = 10_000
# Of what lists the files in a zip; ours have some dozens.
LARGEST_DIRECTORY = 4 * 1024 * 1024
# Rows pack about ten to one. What packs better by far was made to fill a disk.
MOST_TIMES_LARGER = 100
SMALL = 64 * 1024 * 1024


class ArchiveError(ActionError):
    """A file that is no archive of a project, or a damaged one. Nothing of it was kept."""


class Person(TypedDict):
    """Somebody in an archive, by user name or pseudonym."""

    username: str
    first_name: str
    last_name: str


class About(TypedDict):
    """What an archive holds, for people. `sentences` by language; `changed_at` is ISO 8601, or empty."""

    format: int
    name: str
    slug: str
    languages: list[str]
    sentences: dict[str, int]
    annotations: int
    golds: int
    rows: int
    releases: int
    people: list[Person]
    changed_at: str
    archived: bool


@contextmanager
def opened(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """The archive in a file, refused where unpacking it could do harm. Faults of the zip inside become ArchiveError."""
    try:
        _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            _check_sizes(archive)
            yield archive
    # The last four: an unknown way of packing, a file that was cut off, a password, a header that is cut off.
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, struct.error) as error:
        raise ArchiveError(say(_("The archive cannot be read (%(reason)s)."), reason=error)) from error


def look_into(archive: zipfile.ZipFile) -> About:
    """What the archive holds. Raises ArchiveError for what is no archive of ours, or one of another format."""
    counts = rows_of(archive)
    try:
        manifest, settings = _json(archive, "manifest.json"), settings_in(archive)
        sentences = {str(language): int(number) for language, number in manifest.get("sentences", {}).items()}
        return {
            "format": format_of(archive),
            "name": str(settings["name"]),
            "slug": str(settings["slug"]),
            "languages": [str(language) for language in settings["languages"]],
            "sentences": sentences,
            "annotations": counts["annotation"],
            "golds": counts["gold"],
            "rows": sum(counts.values()),
            "releases": counts["release"],
            "people": people_in(archive),
            "changed_at": str(manifest.get("changed_at") or ""),
            "archived": settings["archived_at"] is not None,
        }
    except MALFORMED as error:
        raise damaged(error) from error


def rows_of(archive: zipfile.ZipFile) -> Mapping[str, int]:
    """How many rows there are of each table. Raises ArchiveError for what is no archive of ours."""
    try:
        format_of(archive)
        about = _json(archive, "manifest.json")
        counts = {table.name: int(about["counts"][table.name]) for table in TABLES}
        if min(counts.values()) < 0:
            raise ValueError("a table with fewer than no rows")
    except MALFORMED as error:
        raise ArchiveError(say(_("This is not the archive of a project."))) from error
    missing = {f"{table.name}.jsonl" for table in TABLES} | {"project.json", "people.jsonl"}
    missing -= set(archive.namelist())
    if missing:
        raise ArchiveError(say(_("The archive lacks %(names)s."), names=", ".join(sorted(missing))))
    lines = sum(archive.getinfo(f"{table.name}.jsonl").file_size for table in TABLES)
    if sum(counts.values()) > lines:
        raise ArchiveError(say(_("This is not the archive of a project.")))
    return counts


def format_of(archive: zipfile.ZipFile) -> int:
    """The format of an archive that can be restored. Raises ArchiveError that says what to do with another one."""
    try:
        found = _json(archive, "manifest.json")["format"]
    except MALFORMED as error:
        raise ArchiveError(say(_("This is not the archive of a project."))) from error
    if type(found) is not int:
        raise ArchiveError(say(_("This is not the archive of a project.")))
    if found > FORMAT:
        raise ArchiveError(
            say(
                _(
                    "A newer version of Translatio wrote the archive: it has the format %(found)s, and this version "
                    "restores formats up to %(known)s. Update Translatio here, and restore it then."
                ),
                found=found,
                known=FORMAT,
            )
        )
    if found < oldest():
        raise ArchiveError(
            say(
                _(
                    "The archive has the format %(found)s, and this version of Translatio restores the formats "
                    "%(oldest)s to %(known)s. Restore it with a version that knows its format, update that one, and "
                    "write the archive anew there."
                ),
                found=found,
                oldest=oldest(),
                known=FORMAT,
            )
        )
    return found


def settings_in(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The project's own fields, as today's format has them. Raises one of MALFORMED."""
    return upgraded_settings(_json(archive, "project.json"), format_of(archive))


def people_in(archive: zipfile.ZipFile) -> list[Person]:
    """Everybody whom its rows name, in order. Raises one of MALFORMED."""
    lines = _read(archive, "people.jsonl").splitlines()
    if len(lines) > MOST_PEOPLE:
        raise ValueError(f"more than {MOST_PEOPLE:,} people")
    rows = [json.loads(line) for line in lines]
    return [
        {
            "username": str(row["username"]),
            "first_name": str(row["first_name"]),
            "last_name": str(row["last_name"]),
        }
        for row in rows
    ]


def damaged(error: Exception) -> ArchiveError:
    """What is said of an archive whose content is not as it should be."""
    return ArchiveError(say(_("The archive is damaged: %(reason)s"), reason=error))


def _json(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_read(archive, name))
    return found


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_READ:
        raise ValueError(f"{name} has more than {LARGEST_READ:,} bytes")
    return archive.read(name)


def _check_sizes(archive: zipfile.ZipFile) -> None:
    rows = archive.infolist()
    packed, unpacked = (sum(getattr(row, size) for row in rows) for size in ("compress_size", "file_size"))
    if unpacked > max(SMALL, packed * MOST_TIMES_LARGER):
        raise ArchiveError(
            say(
                _("The archive would unpack to %(size)d MB, far more than a project has. It is refused."),
                size=unpacked // (1024 * 1024),
            )
        )


def _check_directory(file: IO[bytes]) -> None:
    """Whether the list of files in a zip is too long to be read: it is held in memory as a whole."""
    file.seek(0, 2)
    # The record at the end, and the longest comment that may follow it.
    file.seek(max(0, file.tell() - 22 - 0xFFFF))
    tail = file.read()
    file.seek(0)
    found = tail.rfind(b"PK\x05\x06")
    if found < 0 or len(tail) < found + 22:
        raise ArchiveError(say(_("This is not the archive of a project.")))
    size = struct.unpack_from("<L", tail, found + 12)[0]
    large = tail.rfind(b"PK\x06\x06", 0, found)
    if large >= 0:
        size = max(size if size != 0xFFFFFFFF else 0, struct.unpack_from("<Q", tail, large + 40)[0])
    if size > LARGEST_DIRECTORY:
        raise ArchiveError(say(_("The archive holds far more files than a project has. It is refused.")))
