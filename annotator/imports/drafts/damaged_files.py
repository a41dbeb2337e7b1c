"""Archives and workbooks that are damaged or locked, called by what is wrong with them and what to do about it."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.utils.translation import gettext as _

from annotator.core.faults import is_full
from annotator.core.files.uploads import MAX_FILES, UploadError

GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# The container of old Excel files, and of new ones with a password.
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Zips that are one document, not many files.
_DOCUMENTS = ("[Content_Types].xml", "mimetype")
_SHEETS = (".xlsx", ".xlsm", ".ods")
_ENCRYPTED = 0x1
# Documents that hold text which is not read here, by what they begin with.
_UNREAD = {
    b"%PDF-": "PDF",
    b"{\\rtf": "RTF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
}
# Of zips that are one document, by a member that each has.
_UNREAD_MEMBERS = {"word/document.xml": "Word", "ppt/presentation.xml": "PowerPoint"}
# Of a document: what is larger is looked at by its reader.
_MAX_CHECKED = 64 * 1024 * 1024
_PIECE = 1024 * 1024
# Parquet, Arrow: what `datasets` keeps its tables in.
_COLUMNAR = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


class _LockedError(Exception):
    """A member of a zip needs a password."""


class _CutError(Exception):
    """A zip without its end."""


class _OldExcelError(Exception):
    """A workbook in the container of old ones."""


class _ColumnarError(Exception):
    """A table in the bytes of Parquet or Arrow."""


class _UnreadError(Exception):
    """A document of a kind that is not read, which its argument names."""


def is_archive(path: Path) -> bool:
    """Whether a file is a zip of files. What raises is named by `undamaged`."""
    if not zipfile.is_zipfile(path):
        if any(begins_with(path, magic) for magic in _ZIP):
            raise _CutError
        if begins_with(path, _OLE):
            raise _OldExcelError
        if any(begins_with(path, magic) for magic in _COLUMNAR):
            raise _ColumnarError
        return False
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        if len(members) > 2 * MAX_FILES:
            raise UploadError(_("The zip contains more than %(most)d files.") % {"most": MAX_FILES})
        if any(member.flag_bits & _ENCRYPTED for member in members):
            raise _LockedError
    return not any(member.filename in _DOCUMENTS for member in members)


def check_document(path: Path) -> None:
    """Read a document that is a zip (a workbook, say) through, so that damage is found where it comes in.

    Documents that are not read at all are refused, whatever their name is. What raises is named by `undamaged`.
    """
    for magic, kind in _UNREAD.items():
        if begins_with(path, magic):
            raise _UnreadError(kind)
    if not any(begins_with(path, magic) for magic in _ZIP):
        return
    left = _MAX_CHECKED
    with zipfile.ZipFile(path) as archive:
        for name, kind in _UNREAD_MEMBERS.items():
            if name in archive.namelist():
                raise _UnreadError(kind)
        for member in archive.infolist():
            with archive.open(member) as packed:
                while left > 0 and (piece := packed.read(min(_PIECE, left))):
                    left -= len(piece)


def begins_with(path: Path, magic: bytes) -> bool:
    """Whether a file begins with these bytes."""
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


@contextmanager
def undamaged(name: str, path: Path) -> Iterator[None]:
    """What goes wrong in unpacking a file, as an UploadError that names it and says what to do."""
    try:
        yield
    except _LockedError as error:
        raise UploadError(
            _("%(name)s is protected by a password. Save or compress it again without one, then choose it again.")
            % {"name": name}
        ) from error
    except _UnreadError as error:
        raise UploadError(
            _("%(name)s is a %(kind)s file, which can't be imported. Save its text as plain text (.txt, UTF-8).")
            % {"name": name, "kind": error}
        ) from error
    except _OldExcelError as error:
        if name.lower().endswith((".doc", ".ppt")):
            raise UploadError(
                _("%(name)s is a %(kind)s file, which can't be imported. Save its text as plain text (.txt, UTF-8).")
                % {"name": name, "kind": "Word" if name.lower().endswith(".doc") else "PowerPoint"}
            ) from error
        raise UploadError(
            _("%(name)s is an old Excel file (.xls) or has a password. Save it as .xlsx without a password.")
            % {"name": name}
        ) from error
    except _ColumnarError as error:
        raise UploadError(
            _(
                "%(name)s is a Parquet or Arrow table, which can't be imported. Save it as JSON Lines, for example "
                "with to_json in datasets or pandas, and choose that file."
            )
            % {"name": name}
        ) from error
    except _CutError as error:
        raise UploadError(_cut(name)) from error
    except EOFError as error:
        raise UploadError(_cut(name)) from error
    except NotImplementedError as error:  # what zipfile raises for a way of packing that it does not know
        raise UploadError(
            _(
                "%(name)s uses a compression method that can't be read here (%(reason)s). Compress it again as an "
                "ordinary zip file."
            )
            % {"name": name, "reason": error}
        ) from error
    except (zipfile.BadZipFile, gzip.BadGzipFile, zlib.error) as error:
        raise UploadError(
            _("%(name)s is damaged: the checksum of %(what)s is wrong. Copy or save it again, then choose it again.")
            % {"name": name, "what": _what(path, name)}
        ) from error
    except (RuntimeError, OSError) as error:
        if is_full(error):
            raise
        raise UploadError(
            _("%(name)s cannot be unpacked (%(reason)s). Compress it again without a password.")
            % {"name": name, "reason": error}
        ) from error


def _cut(name: str) -> str:
    what = {
        True: _(
            "%(name)s is incomplete: the end of the workbook is missing. Copy or save it again, then choose it again."
        ),
        False: _("%(name)s is incomplete: its end is missing. Copy or compress it again, then choose it again."),
    }
    return what[name.lower().endswith(_SHEETS)] % {"name": name}


def _what(path: Path, name: str) -> str:
    """The first member of an archive that is damaged; the file itself where that is not known."""
    left = _MAX_CHECKED
    if not zipfile.is_zipfile(path):
        return name
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                try:
                    with archive.open(member) as packed:
                        while left > 0 and (piece := packed.read(_PIECE)):
                            left -= len(piece)
                except (zipfile.BadZipFile, zlib.error, EOFError):
                    return member.filename[:200]
    except zipfile.BadZipFile:
        return name
    return name
