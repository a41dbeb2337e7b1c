"""Spreadsheets that are not read here, called by what they are, with the way to save them."""

from __future__ import annotations

import contextlib
import re
import zipfile
import zlib

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.lines import open_bytes
from annotator.formats.common.protocol import SourceFile

_BYTES = 1 << 16
_STRICT = b"http://purl.oclc.org/ooxml/"
_SUFFIXES = (".xls", ".xlsx", ".xlsm", ".xlsb", ".xlt", ".ods", ".csv")
# Excel files of before 2007 and what has a password; those of before 1995.
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLDEST = re.compile(rb"\x09[\x00\x02\x04][\x04\x06]\x00")
_WEB_PAGE = _("a web page with the name of a spreadsheet: %(save)s")
# What a text begins with, in lower case and without spaces, and what it is.
_TEXTUAL = (
    (re.compile(r"<(?:!doctypehtml|html|head|meta|table|style|div)"), _WEB_PAGE),
    (
        re.compile(r"(?:<\?xml[^>]*>)?(?:<\?mso-application[^>]*>)?<(?:\w+:)?workbook"),
        _("an XML Spreadsheet 2003 file: %(save)s"),
    ),
    (re.compile(r"(?:<\?xml[^>]*>)?<office:document"), _("a flat OpenDocument spreadsheet: %(save)s")),
    (re.compile(r"id;p"), _("a SYLK spreadsheet: %(save)s")),
    (re.compile(r"table0,1"), _("a DIF spreadsheet: %(save)s")),
)


def dialect_of(file: SourceFile) -> Sentence:
    """What a file is and how to save it, where it is a spreadsheet that is not read; "" for all others."""
    save = message(_("open it in a spreadsheet program and save it as “Excel Workbook (.xlsx)”"))
    with open_bytes(file.path, file.name) as stream:
        head = stream.read(_BYTES)
    if file.name.endswith(".iwa"):
        return message(_("a Numbers spreadsheet: %(save)s"), save=save)
    if head.startswith(b"PK"):
        what = _packed(file)
        return message(what, save=save) if what else ""
    if head.startswith(_OLE) or _OLDEST.match(head):
        return message(_("an old Excel file (.xls), or one with a password: %(save)s, without a password"), save=save)
    begun = "".join(head[:2000].decode(file.encoding or "utf-8", errors="replace").lstrip("\ufeff").lower().split())
    for pattern, what in _TEXTUAL:
        if pattern.match(begun) and (what != _WEB_PAGE or file.name.lower().endswith(_SUFFIXES)):
            return message(what, save=save)
    return ""


def _packed(file: SourceFile) -> str:
    """What a zip is; "" for a workbook that is read, and for what is not a spreadsheet."""
    unreadable = (OSError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
    with contextlib.suppress(*unreadable), zipfile.ZipFile(file.path) as packed:
        names = set(packed.namelist())
        if "xl/workbook.bin" in names:
            return _("a binary Excel workbook (.xlsb): %(save)s")
        if "xl/workbook.xml" in names:
            with packed.open("xl/workbook.xml") as part:
                return (
                    _("an Excel workbook in “Strict Open XML” format: %(save)s") if _STRICT in part.read(_BYTES) else ""
                )
        if "mimetype" in names:
            with packed.open("mimetype") as part:
                kind = part.read(100)
            return _("an OpenDocument spreadsheet (.ods): %(save)s") if b"spreadsheet" in kind else ""
    return ""
