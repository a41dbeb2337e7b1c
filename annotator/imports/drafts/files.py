"""Files of import drafts: stored under names of our own, archives unpacked without trusting them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import stat
import uuid
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.utils.translation import gettext as _

from annotator.core.events import SHORT
from annotator.core.files.room import check_room, room_left
from annotator.core.files.storage import site_files
from annotator.core.files.uploads import MAX_FILES, UploadError, too_large
from annotator.imports.drafts.damaged_files import GZIP, begins_with, check_document, is_archive, undamaged
from annotator.models import ImportDraft, User

# What is unpacked at once.
PIECE = 1024 * 1024
_NOBODYS = ("__MACOSX/", ".DS_Store", "Thumbs.db")
MAX_NAME = 200
# What any file takes on a disk.
MIN_BYTES = 4096
# Bytes of a file's or a folder's name, as file systems have it: messages repeat it.
MAX_PART = 255


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way in: how it is called, and its bytes."""

    name: str
    chunks: Iterable[bytes]


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of a draft: how messages call it, its name in the draft's folder, its size and SHA-256, how many lines it
    has (None: it is not a text). `marks`: about every PIECE, how many bytes and line feeds come before."""

    name: str
    stored: str
    size: int
    sha256: str
    lines: int | None = None
    marks: Sequence[tuple[int, int]] = ()


def store_files(
    folder: str,
    uploads: Iterable[Upload],
    *,
    before: Sequence[int] = (),
    by: User | None = None,
    instead_of: int = 0,
) -> list[Stored]:
    """Store uploads in a `folder` of the storage: zips become their files, gzip what is packed in it.

    `before`: the sizes of the files that the folder holds already, which count too. `by`: whose quota they count in;
    `instead_of`: the size of what is replaced. Raises UploadError when it is more than IMPORT_MAX_BYTES or 10,000
    files, an archive is damaged or a name in it leads elsewhere, and NoRoomError when it is more than the account can
    keep; nothing of these uploads is kept then.
    """
    store = _Store(folder, settings.IMPORT_MAX_BYTES - sum(before), MAX_FILES - len(before), by, instead_of)
    try:
        for upload in uploads:
            store.take(upload)
        # They are read at once, to find out what they are.
        site_files().publish(*(f"{folder}/{one.stored}" for one in store.stored), keep=True)
    except BaseException:
        for path in store.written:
            path.unlink(missing_ok=True)
        for one in store.stored:
            site_files().delete(f"{folder}/{one.stored}")
        raise
    return store.stored


def weigh(draft: ImportDraft) -> None:
    """What its files and choices are by now counts among what its account keeps. Raises NoRoomError.

    Call it in the transaction that stores it.
    """
    edits = [one.get("edits", ()) for one in draft.files]
    choices = len(json.dumps([draft.people, draft.options, draft.chosen, edits]))
    files = sum(max(MIN_BYTES, one["size"]) for one in draft.files)
    before, draft.size = draft.size, files + max(0, choices - SHORT)
    if draft.size > before:
        check_room(by=draft.created_by, more=draft.size, instead_of=before)


class _Store:
    def __init__(self, folder: str, room: int, files_left: int, by: User | None, instead_of: int) -> None:
        self._folder = folder
        self._room = room
        self._files_left = files_left
        self._by, self._instead_of = by, instead_of
        self._quota_left = room_left(by=by, instead_of=instead_of)
        self._bytes_written = 0
        self.stored: list[Stored] = []
        self.written: list[Path] = []

    def take(self, upload: Upload) -> None:
        name = _checked_name(upload.name)
        raw = self._write(name, upload.chunks)
        # brat keeps an empty file of annotations beside a text that nobody has annotated.
        if not raw.size and not name.lower().endswith(".ann"):
            raise UploadError(_("%(name)s is empty. Choose a file with text.") % {"name": name})
        path = self._path(raw.stored)
        with undamaged(name, path):
            if is_archive(path):
                self._unpack(name, path)
            elif begins_with(path, GZIP):
                with gzip.open(path) as packed:
                    self._keep(self._write(name.removesuffix(".gz"), iter(partial(packed.read, PIECE), b"")))
            else:
                check_document(path)
                self._keep(raw)
                return
        self._room += raw.size
        self._bytes_written -= raw.size
        path.unlink()

    def _path(self, stored: str) -> Path:
        return site_files().here(f"{self._folder}/{stored}")

    def _unpack(self, name: str, path: Path) -> None:
        taken: set[str] = set()
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                inside = PurePosixPath(member.filename.replace("\\", "/"))
                if member.is_dir() or member.filename.endswith("\\"):
                    continue
                if any(part in member.filename for part in _NOBODYS) or inside.name.startswith("._"):
                    continue
                if inside.is_absolute() or ".." in inside.parts or ":" in member.filename or not inside.parts:
                    raise UploadError(
                        _("The zip contains a file with an unsafe path: %(name)s") % {"name": member.filename}
                    )
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise UploadError(
                        _("%(archive)s contains a link instead of a file: %(name)s. Compress the file itself.")
                        % {"archive": name, "name": member.filename}
                    )
                path_name = _checked_name(f"{name}/{inside}")
                if path_name in taken:
                    raise UploadError(
                        _("%(archive)s contains two files named %(name)s. Remove or rename one of them.")
                        % {"archive": name, "name": member.filename}
                    )
                taken.add(path_name)
                with archive.open(member) as packed:
                    self._keep(self._write(path_name, iter(partial(packed.read, PIECE), b"")))

    def _keep(self, one: Stored) -> None:
        self._files_left -= 1
        if self._files_left < 0:
            raise UploadError(_("An import can have at most %(most)d files.") % {"most": MAX_FILES})
        self.stored.append(one)

    def _write(self, name: str, chunks: Iterable[bytes]) -> Stored:
        # Readers of some formats look at the ending.
        ending = PurePosixPath(name).suffix
        stored = uuid.uuid4().hex + (ending if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", ending) else "")
        path = self._path(stored)
        self.written.append(path)
        hashed = hashlib.sha256()
        size, lines, last = 0, 0, b""
        marks = [(0, 0)]
        # Workbooks have NUL bytes. So has text in UTF-16, whose lines cannot be told by their bytes.
        is_text = True
        with path.open("xb") as file:
            for chunk in chunks:
                size += len(chunk)
                # Counted while it is written: what an archive says of its sizes is not believed.
                if size > self._room:
                    raise UploadError(too_large(name))
                self._bytes_written += len(chunk)
                # Refused while it is written, before all of it is on the disk.
                if self._quota_left is not None and self._bytes_written > self._quota_left:
                    check_room(by=self._by, more=self._bytes_written, instead_of=self._instead_of)
                hashed.update(chunk)
                lines, last = lines + chunk.count(b"\n"), chunk[-1:] or last
                is_text = is_text and b"\x00" not in chunk
                file.write(chunk)
                if size >= marks[-1][0] + PIECE:
                    marks.append((size, lines))
        self._room -= size
        lines += last not in (b"", b"\n")
        return Stored(name, stored, size, hashed.hexdigest(), lines if is_text else None, marks[1:])


def shown_name(name: str) -> str:
    """How messages call a file: its path as it was given, without what leads elsewhere or cannot be shown."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    printable = "".join(character for character in "/".join(parts) if character.isprintable())
    return printable[-MAX_NAME:] or "file"


def _checked_name(name: str) -> str:
    checked = shown_name(name)
    if any(len(part.encode("utf-8", "replace")) > MAX_PART for part in checked.split("/")):
        raise UploadError(
            _("The name %(name)s… is longer than %(most)d bytes. Shorten it, and upload the file again.")
            % {"name": checked[:20], "most": MAX_PART}
        )
    return checked
