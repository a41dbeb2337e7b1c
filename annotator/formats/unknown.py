"""Why a file is in none of the formats: what is wrong with it, and where, as far as its beginning tells."""

from __future__ import annotations

import contextlib
import zipfile
from collections import deque
from itertools import islice

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.cas.cas import names_in_zip
from annotator.formats.common.beginnings import is_list
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.lines import open_bytes, read_lines
from annotator.formats.common.protocol import SourceFile
from annotator.formats.json.json_items import json_items
from annotator.formats.tables.sheet_dialects import dialect_of
from annotator.formats.xml.events import Start, xml_events

_BYTES = 1 << 16
_LINES = 10_000
# Tags and texts of XML, and items of a list.
_LOOKED_AT = 10_000
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"
# What Excel has in its zip.
_WORKBOOK = "xl/workbook."


def why_unknown(file: SourceFile) -> FormatError:
    """The error of a file that no format knows."""
    try:
        return file.error(0, _("a file in one of the formats"), _what(file))
    except FormatError as error:
        # What XML or JSON it would be, or which bytes are not text.
        return error


def _what(file: SourceFile) -> Sentence:
    """What it looks like. Raises FormatError where it is damaged."""
    with open_bytes(file.path, file.name) as stream:
        head = stream.read(_BYTES)
    if not head.strip():
        return message(_("an empty file"))
    if dialect := dialect_of(file):
        return dialect
    if head.startswith(_ZIP) and _is_spreadsheet(file):
        return message(_("a spreadsheet with another name, or of another kind: open it and save it as .xlsx or .csv"))
    if head.startswith(_ZIP):
        names = names_in_zip(file)
        shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
        if names:
            return message(
                _("a zip file with other contents (%(names)s): unzip it and choose the files in it"), names=quote(shown)
            )
        return message(_("a zip file with other contents: unzip it and choose the files in it"))
    if head.startswith(_GZIP):
        return message(_("a gzip file inside another one: unpack it and choose the file in it"))
    begun = head.decode(file.encoding or "utf-8", errors="replace").lstrip("\ufeff \t\r\n")
    if begun.startswith("<"):
        events = list(islice(xml_events(file), _LOOKED_AT))
        root = next(event for event in events if isinstance(event, Start))
        return message(_("XML of another kind, which begins with <%(name)s>"), name=root.name)
    if begun.startswith(("{", "[")):
        return _json(file)
    for _line in islice(read_lines(file), _LINES):
        pass
    return message(_("none"))


def _is_spreadsheet(file: SourceFile) -> bool:
    """Whether a zip file is a workbook of Excel's."""
    unreadable = (zipfile.BadZipFile, NotImplementedError)  # the latter for a way of packing that zipfile does not know
    with open_bytes(file.path, file.name) as stream, contextlib.suppress(*unreadable):
        return any(name.startswith(_WORKBOOK) for name in zipfile.ZipFile(stream).namelist())
    return False


def _json(file: SourceFile) -> Sentence:
    items = islice(json_items(file), _LOOKED_AT)
    first = next((item for _line, item in items), None)
    if is_list(file):
        # A list may be cut off after its first item; in JSON Lines, the next line is not a part of the first.
        deque(items, maxlen=0)
    if isinstance(first, dict) and first:
        return message(_("JSON of another kind, with the keys %(names)s"), names=quote(", ".join(first), 80))
    return message(_("JSON of another kind"))
