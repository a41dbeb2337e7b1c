"""What an archive holds, found out before anything of it is written; and what cannot be one."""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypedDict

from annotator.backup.actions import shapes
from annotator.backup.actions.project_shape import check_settings, person_shape
from annotator.backup.actions.shapes import (
    Misfit,
    Shape,
    keyed,
    listed,
    mapped,
    no_constant,
    optional,
    storable,
    text,
    whole,
)
from annotator.backup.actions.tables import TABLES, Table
from annotator.backup.actions.texts import time
from annotator.backup.actions.upgrades import FORMAT, later_tables, oldest, upgraded_settings
from annotator.core.errors import ActionError
from annotator.core.files.pictures import is_picture_name
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.projects.actions.projects import MAX_LAYERS, MAX_MEMBERS, MAX_STAGES

# What JSON of another shape than expected leads to.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
# Of the files that are read as a whole, and of the tables whose rows are remembered.
LARGEST_READ = 4 * 1024 * 1024
_REMEMBERED = ("layer", "stage", "import")
MAX_PEOPLE = 10_000
# As many as projects can have here.
MAX_ROWS = {"layer": MAX_LAYERS, "stage": MAX_STAGES, "membership": MAX_MEMBERS}
# Tables of archives of before that are not read: a job does something, and nobody but us wrote what a detector is.
LEFT_OUT = ("job", "traineddetector")
# Of what lists the files in a zip; ours have some dozens.
LARGEST_DIRECTORY = 4 * 1024 * 1024
# Rows pack about ten to one. What packs better by far was made to fill a disk.
MAX_TIMES_LARGER = 50
SMALL = 64 * 1024 * 1024
# Bytes of the records with which a zip ends: of a large one, what tells of it, and of any.
_LARGE, _LOCATOR, _END = 56, 20, 22

# Before the names of the pictures of its guidelines.
_PICTURES = "guidelines/"
_RELEASE = re.compile(r"releases/[1-9][0-9]{0,9}\.zip")


class ArchiveError(ActionError):
    """A file that is no backup of a project, or a damaged one. Nothing of it was kept."""


class Person(TypedDict):
    """Somebody in an archive, by username or pseudonym."""

    username: str
    first_name: str
    last_name: str


class About(TypedDict):
    """What an archive holds, for people. `sentences` by language; `changed_at` is ISO 8601, or empty. `left_out`: how
    many rows it has, or its project had, of tables that are not restored. `missing_releases`: numbers of those whose
    files it lacks."""

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
    left_out: dict[str, int]
    missing_releases: list[int]


@contextmanager
def opened(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """The archive in a file, refused where unpacking it could do harm. Faults of the zip inside become ArchiveError."""
    try:
        length = _check_directory(file)
        with zipfile.ZipFile(file) as archive:
            _check_sizes(archive, length)
            yield archive
    # The last four: an unknown way of packing, a file that was cut off, a password, a header that is cut off.
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, struct.error) as error:
        raise ArchiveError(message(_("The project backup cannot be read (%(reason)s)."), reason=error)) from error


def look_into(archive: zipfile.ZipFile) -> About:
    """What the archive holds. Raises ArchiveError for what is no archive of ours, or one of another format."""
    counts = rows_of(archive)
    manifest, settings = _manifest(archive), settings_in(archive)
    return {
        "format": format_of(archive),
        "name": settings["name"],
        "slug": settings["slug"],
        "languages": settings["languages"],
        "sentences": manifest.get("sentences", {}),
        "annotations": counts["annotation"],
        "golds": counts["gold"],
        "rows": sum(counts.values()),
        "releases": counts["release"],
        "people": people_in(archive),
        "changed_at": manifest.get("changed_at") or "",
        "archived": settings["archived_at"] is not None,
        "left_out": left_out_of(archive),
        "missing_releases": missing_releases(archive),
    }


def rows_of(archive: zipfile.ZipFile) -> Mapping[str, int]:
    """How many rows there are of each table. Raises ArchiveError for what is no archive of ours."""
    manifest = _manifest(archive)
    later = later_tables(format_of(archive))
    counts = {table.name: 0 if table.name in later else manifest["counts"].get(table.name, -1) for table in TABLES}
    if min(counts.values()) < 0:
        raise _none()
    tables = [table for table in TABLES if table.name not in later]
    needed = {f"{table.name}.jsonl" for table in tables} | {"project.json", "people.jsonl"}
    _check_names(archive.namelist(), needed)
    for name, most in MAX_ROWS.items():
        if counts[name] > most:
            raise misfit(f"{name}.jsonl", Misfit(message(_("has more than %(most)d rows"), most=most)))
    for table in tables:
        size = archive.getinfo(f"{table.name}.jsonl").file_size
        # What is kept of each row is made before the rows are read.
        if counts[table.name] * _shortest(table) > size:
            raise _none()
        if table.name in _REMEMBERED and size > LARGEST_READ:
            raise _too_large(f"{table.name}.jsonl")
    return counts


def left_out_of(archive: zipfile.ZipFile) -> dict[str, int]:
    """By table that is not restored, how many rows it had."""
    manifest = _manifest(archive)
    counts, left_out = manifest["counts"], manifest.get("left_out", {})
    return {name: number for name in LEFT_OUT if (number := counts.get(name) or left_out.get(name))}


def missing_releases(archive: zipfile.ZipFile) -> list[int]:
    """The numbers of the releases whose files were missing when it was written."""
    found: list[int] = _manifest(archive).get("missing_releases", [])
    return found


def release_bytes(archive: zipfile.ZipFile) -> int:
    """The bytes of its releases and pictures, unpacked."""
    files = archive.infolist()
    return sum(row.file_size for row in files if _RELEASE.fullmatch(row.filename) or _is_picture(row.filename))


def pictures(archive: zipfile.ZipFile) -> list[str]:
    """The names of the pictures of its guidelines."""
    return [name.removeprefix(_PICTURES) for name in archive.namelist() if _is_picture(name)]


def _is_picture(name: str) -> bool:
    return name.startswith(_PICTURES) and is_picture_name(name.removeprefix(_PICTURES))


def misfit(name: str, error: Misfit, line: int = 0) -> ArchiveError:
    """What is said of a value that is not as it should be: the file, the line, the place in it."""
    problem = error.problem
    if error.path:
        problem = message(_("%(place)s %(problem)s"), place=error.path, problem=problem)
    if line:
        text = _(
            "The backup is damaged: %(file)s, line %(line)d: %(problem)s. Create another one on its original site."
        )
        return ArchiveError(message(text, file=name, line=line, problem=problem))
    return ArchiveError(
        message(
            _("The backup is damaged: %(file)s: %(problem)s. Create another one on its original site."),
            file=name,
            problem=problem,
        )
    )


def unreadable(name: str, line: int = 0) -> ArchiveError:
    """What is said of text that is no JSON, or of another shape altogether."""
    return misfit(name, Misfit(message(_("cannot be read"))), line)


def _check_names(names: list[str], needed: set[str]) -> None:
    if missing := needed - set(names):
        raise ArchiveError(message(_("The project backup lacks %(names)s."), names=", ".join(sorted(missing))))
    known = needed | {"manifest.json"}
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise misfit(name[:200], Misfit(message(_("is in the backup twice"))))
        seen.add(name)
        if name not in known and not (_RELEASE.fullmatch(name) or _is_picture(name) or _is_left(name)):
            raise misfit(name[:200], Misfit(message(_("is not a file of a project backup"))))


def _shortest(table: Table) -> int:
    """The bytes that a row of a table has at least."""
    return sum(len(one.attname) + 5 for one in table.fields())


def format_of(archive: zipfile.ZipFile) -> int:
    """The format of an archive that can be restored. Raises ArchiveError that says what to do with another one."""
    try:
        found = _json(archive, "manifest.json")["format"]
    except (*MALFORMED, Misfit) as error:
        raise _none() from error
    if type(found) is not int:
        raise _none()
    if found > FORMAT:
        raise ArchiveError(
            message(
                _(
                    "A newer version of Translatio wrote this project backup (format %(found)s; this version "
                    "restores up to %(known)s). Update Translatio here, then restore it."
                ),
                found=found,
                known=FORMAT,
            )
        )
    if found < oldest():
        raise ArchiveError(
            message(
                _(
                    "The project backup has format %(found)s, but this version of Translatio restores formats "
                    "%(oldest)s to %(known)s. Restore it with a version that knows its format, update that "
                    "version, and create the backup again there."
                ),
                found=found,
                oldest=oldest(),
                known=FORMAT,
            )
        )
    return found


def settings_in(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The project's own fields, as today's format has them. Raises ArchiveError."""
    name = "project.json"
    try:
        return check_settings(upgraded_settings(_json(archive, name), format_of(archive)))
    except Misfit as error:
        raise misfit(name, error) from error
    except MALFORMED as error:
        raise unreadable(name) from error


def people_in(archive: zipfile.ZipFile) -> list[Person]:
    """Everybody whom its rows name, in order. Raises ArchiveError."""
    name = "people.jsonl"
    found: list[Person] = []
    for line in _read(archive, name).splitlines():
        number = len(found) + 1
        if number > MAX_PEOPLE:
            raise misfit(name, Misfit(message(_("expected at most %(most)d people"), most=MAX_PEOPLE)))
        try:
            found.append(storable(person_shape(parsed(line))))
        except Misfit as error:
            raise misfit(name, error, number) from error
        except MALFORMED as error:
            raise unreadable(name, number) from error
    return found


def parsed(line: bytes | str) -> Any:
    """A value of JSON. Raises Misfit for constants that are none, and one of MALFORMED."""
    return json.loads(line, parse_constant=no_constant)


_count = whole(0, 2**31)
_manifest_shape: Shape = keyed(
    {"format": whole(), "counts": mapped(_count, text(50), 100)},
    {
        "sentences": mapped(_count, text(20), 100),
        "left_out": mapped(_count, text(50), 100),
        "missing_releases": listed(whole(1, 2**31), once=True),
        "changed_at": optional(time),
    },
    rest=shapes.anything,
)


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    """The manifest of an archive that can be restored. Raises ArchiveError."""
    format_of(archive)
    try:
        found: dict[str, Any] = storable(_manifest_shape(_json(archive, "manifest.json")))
    except (*MALFORMED, Misfit) as error:
        raise _none() from error
    return found


def _json(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    found: dict[str, Any] = parsed(_read(archive, name))
    return found


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST_READ:
        raise _too_large(name)
    return archive.read(name)


def _too_large(name: str) -> ArchiveError:
    most = message(_("is larger than %(most)d MB"), most=LARGEST_READ // (1024 * 1024))
    return misfit(name, Misfit(most))


def _none() -> ArchiveError:
    return ArchiveError(message(_("This is not a project backup. Choose another file.")))


def _check_sizes(archive: zipfile.ZipFile, length: int) -> None:
    for row in archive.infolist():
        # Others unpack as much as they like at once, whatever is asked of them.
        if row.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise misfit(row.filename[:200], Misfit(message(_("uses a compression that backups do not use"))))
    rows = [row for row in archive.infolist() if not _is_left(row.filename)]
    # The list may say anything, and let files share their bytes.
    packed = min(length, sum(row.compress_size for row in rows))
    unpacked = sum(row.file_size for row in rows)
    if unpacked > max(SMALL, packed * MAX_TIMES_LARGER):
        raise ArchiveError(
            message(
                _("This backup would unpack to %(size)d MB, far more than a project has, so it was refused."),
                size=unpacked // (1024 * 1024),
            )
        )


def _check_directory(file: IO[bytes]) -> int:
    """Whether the list of files in a zip is too long to be read: it is held in memory as a whole. Returns the bytes
    of the zip.

    Ours end with the record of the list, and no comment; one of more than 4 GB has a longer record before it.
    """
    length = file.seek(0, 2)
    file.seek(max(0, length - _LARGE - _LOCATOR - _END))
    tail = file.read()
    file.seek(0)
    end = tail[-_END:]
    if len(end) < _END or end[:4] != b"PK\x05\x06" or end[-2:] != b"\0\0":
        raise _none()
    size = struct.unpack_from("<L", end, 12)[0]
    locator = tail[-_END - _LOCATOR : -_END]
    if locator[:4] == b"PK\x06\x07":
        large = tail[: -_END - _LOCATOR]
        at = length - _END - _LOCATOR - _LARGE
        # As zipfile writes it, right before: others may be read as something else.
        if large[:4] != b"PK\x06\x06" or struct.unpack_from("<Q", locator, 8)[0] != at:
            raise _none()
        size = max(size if size != 0xFFFFFFFF else 0, struct.unpack_from("<Q", large, 40)[0])
    if size > LARGEST_DIRECTORY:
        raise ArchiveError(message(_("This backup contains far more files than a project has, so it was refused.")))
    return length


def _is_left(name: str) -> bool:
    """Whether a file may be there, and is never read."""
    return name.startswith("models/") or name in {f"{one}.jsonl" for one in LEFT_OUT}
