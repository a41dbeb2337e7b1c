"""Files of import drafts: stored under names of our own, archives unpacked without trusting them."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import stat
import uuid
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from django.conf import settings
from django.utils.translation import gettext as _

from annotator.core.events import SHORT
from annotator.core.files.room import check_room, room_left
from annotator.core.files.uploads import MAX_FILES, UploadError, too_large
from annotator.imports.drafts.damaged_files import GZIP, begins_with, check_document, is_archive, undamaged
from annotator.models import ImportDraft, User

# What one reads and hashes at once.
PIECE = 1024 * 1024
_NOBODYS = ("__MACOSX/", ".DS_Store", "Thumbs.db")
MAX_NAME = 200
# What any file takes on a disk.
LEAST_BYTES = 4096
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
    has (None: it is no text)."""

    name: str
    stored: str
    size: int
    sha256: str
    lines: int | None = None


def store_files(
    folder: Path,
    uploads: Iterable[Upload],
    *,
    before: Sequence[Stored] = (),
    by: User | None = None,
    instead_of: int = 0,
) -> list[Stored]:
    """Store uploads in `folder`: zips become their files, gzip what is packed in it.

    `before`: what the folder holds already; all of it counts. `by`: whose quota it counts in; `instead_of`: the size of
    what is replaced. Raises UploadError when it is more than IMPORT_MAX_BYTES
    or 10,000 files, an archive is damaged or a name in it leads elsewhere, and NoRoomError when it is more than the
    account can keep; nothing of these uploads is kept then.
    """
    folder.mkdir(parents=True, exist_ok=True)
    store = _Store(
        folder,
        settings.IMPORT_MAX_BYTES - sum(one.size for one in before),
        MAX_FILES - len(before),
        _Quota(by, instead_of),
    )
    try:
        for upload in uploads:
            store.take(upload)
    except BaseException:
        for path in store.written:
            path.unlink(missing_ok=True)
        raise
    return store.stored


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read piece by piece."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            found.update(piece)
    return found.hexdigest()


def weigh(draft: ImportDraft) -> None:
    """What its files and choices are by now counts among what its account keeps. Raises NoRoomError.

    Call it in the transaction that stores it.
    """
    choices = len(json.dumps([draft.people, draft.options, draft.chosen]))
    files = sum(max(LEAST_BYTES, one["size"]) for one in draft.files)
    before, draft.size = draft.size, files + max(0, choices - SHORT)
    if draft.size > before:
        check_room(by=draft.created_by, more=draft.size, instead_of=before)


class _Quota:
    """Refuses what an account cannot keep while it is written, before all of it is on the disk."""

    def __init__(self, by: User | None, instead_of: int) -> None:
        self._by, self._instead_of = by, instead_of
        self._left = room_left(by=by, instead_of=instead_of)
        self._written = 0

    def add(self, size: int) -> None:
        self._written += size
        if self._left is not None and self._written > self._left:
            check_room(by=self._by, more=self._written, instead_of=self._instead_of)


class _Store:
    def __init__(self, folder: Path, room: int, files_left: int, quota: _Quota) -> None:
        self._folder = folder
        self._quota = quota
        self._room = room
        self._files_left = files_left
        self.stored: list[Stored] = []
        self.written: list[Path] = []

    def take(self, upload: Upload) -> None:
        name = _checked_name(upload.name)
        raw = self._write(name, upload.chunks)
        # brat keeps an empty file of annotations beside a text that nobody has annotated.
        if not raw.size and not name.lower().endswith(".ann"):
            raise UploadError(_("%(name)s is empty: there is nothing in it.") % {"name": name})
        path = self._folder / raw.stored
        with undamaged(name, path):
            if is_archive(path):
                self._unpack(name, path)
            elif begins_with(path, GZIP):
                with gzip.open(path) as packed:
                    self._keep(self._write(name.removesuffix(".gz"), _pieces(packed)))
            else:
                check_document(path)
                self._keep(raw)
                return
        self._room += raw.size
        self._quota.add(-raw.size)
        path.unlink()

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
                        _("The zip holds a file whose name leads elsewhere: %(name)s") % {"name": member.filename}
                    )
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise UploadError(
                        _("%(archive)s holds a link instead of a file: %(name)s. Pack the file itself.")
                        % {"archive": name, "name": member.filename}
                    )
                shown = _checked_name(f"{name}/{inside}")
                if shown in taken:
                    raise UploadError(
                        _("%(archive)s holds two files called %(name)s. Take one out, or call it something else.")
                        % {"archive": name, "name": member.filename}
                    )
                taken.add(shown)
                with archive.open(member) as packed:
                    self._keep(self._write(shown, _pieces(packed)))

    def _keep(self, one: Stored) -> None:
        self._files_left -= 1
        if self._files_left < 0:
            raise UploadError(_("These are more than %(most)d files.") % {"most": MAX_FILES})
        self.stored.append(one)

    def _write(self, name: str, chunks: Iterable[bytes]) -> Stored:
        # Readers of some formats look at the ending.
        ending = PurePosixPath(name).suffix
        stored = uuid.uuid4().hex + (ending if re.fullmatch(r"\.[A-Za-z0-9]{1,10}", ending) else "")
        path = self._folder / stored
        self.written.append(path)
        hashed = hashlib.sha256()
        size = 0
        lines = _Lines()
        with path.open("xb") as file:
            for chunk in chunks:
                size += len(chunk)
                # Counted while it is written: what an archive says of its sizes is not believed.
                if size > self._room:
                    raise UploadError(too_large(name))
                self._quota.add(len(chunk))
                hashed.update(chunk)
                lines.add(chunk)
                file.write(chunk)
        self._room -= size
        return Stored(name, stored, size, hashed.hexdigest(), lines.number)


class _Lines:
    """Counts the lines of a text while it is stored."""

    def __init__(self) -> None:
        self._feeds = 0
        self._last = b""
        self._is_text = True

    def add(self, chunk: bytes) -> None:
        self._feeds += chunk.count(b"\n")
        self._last = chunk[-1:] or self._last
        # Workbooks have NUL bytes. So has text in UTF-16, whose lines cannot be told by their bytes.
        self._is_text = self._is_text and b"\x00" not in chunk

    @property
    def number(self) -> int | None:
        """How many; None where it is no text."""
        return self._feeds + (self._last not in (b"", b"\n")) if self._is_text else None


def shown_name(name: str) -> str:
    """How messages call a file: its path as it was given, without what leads elsewhere or cannot be shown."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    shown = "".join(character for character in "/".join(parts) if character.isprintable())
    return shown[-MAX_NAME:] or "file"


def _checked_name(name: str) -> str:
    shown = shown_name(name)
    if any(len(part.encode("utf-8", "replace")) > MAX_PART for part in shown.split("/")):
        raise UploadError(
            _("The name %(name)s… is longer than %(most)d bytes. Shorten it, and upload the file again.")
            % {"name": shown[:20], "most": MAX_PART}
        )
    return shown


def _pieces(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
