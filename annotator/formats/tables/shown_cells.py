"""What Excel shows of a cell, which is what is read; and what is odd about that, counted."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from openpyxl.cell.text import Text
from openpyxl.reader.excel import SHARED_STRINGS, ExcelReader
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatWarning, quote
from annotator.formats.tables.date_formats import plain_date, shown_date
from annotator.formats.tables.number_formats import GENERAL, general, has_lost_digits, shown_number, shown_text

# How Excel spells a character that XML has no place for, and the "_" of what would look so.
ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
# Formats that show a date as people write it where they are.
_BY_REGION = {14, *range(22, 23), *range(27, 37), *range(50, 59)}
_DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)

# What is counted, by the number of it; the first cell is named.
_COUNTED = {
    "date": (
        _("%(cell)s has a date, read as %(shown)s. Excel turns what looks like a date into one, so check it."),
        _(
            "%(number)d cells have dates, the first one %(cell)s, read as %(shown)s. Excel turns what looks like a "
            "date into one, so check them."
        ),
    ),
    "error": (
        _("%(cell)s has an Excel error, read as it is shown: %(shown)s"),
        _("%(number)d cells have an Excel error, the first one %(cell)s, read as it is shown: %(shown)s"),
    ),
    "rounded": (
        _("%(cell)s shows fewer digits than it has, and the displayed value is read: %(shown)s"),
        _(
            "%(number)d cells show fewer digits than they have. The displayed value of the first one, "
            "%(cell)s, is read: %(shown)s"
        ),
    ),
    "format": (
        _("%(cell)s has an unknown number format, so its number is read: %(shown)s"),
        _("%(number)d cells have an unknown number format. The number of the first one, %(cell)s, is read: %(shown)s"),
    ),
}


class Reader(ExcelReader):  # type: ignore[misc]  # the library has no types
    """Opens a workbook, with its shared texts as they stand in the file: the library drops the spelling of some."""

    def read_strings(self) -> None:
        """Read the table of texts that cells share."""
        part = self.package.find(SHARED_STRINGS)
        if part is not None:
            with self.archive.open(part.PartName[1:]) as stream:
                self.shared_strings = _strings(stream)


@dataclass
class Odd:
    """What is odd about the cells that were read so far."""

    file: str
    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    lost: list[tuple[int, str, str]] = field(default_factory=list)
    codes: dict[int, tuple[int, str]] = field(default_factory=dict)

    def count(self, what: str, cell: Any, shown: str) -> None:
        """There is such a cell."""
        self.counts[what] += 1
        self.first.setdefault(what, (cell.row, cell.coordinate, shown))

    def code(self, cell: Any) -> tuple[int, str]:
        """The number of a cell's format, and how it is spelt."""
        style = cell._style_id
        if style not in self.codes:
            self.codes[style] = (cell.style_array.numFmtId, cell.number_format or GENERAL)
        return self.codes[style]

    def of_row(self) -> Iterator[FormatWarning]:
        """Numbers of the last row that have lost digits."""
        for row, cell, shown in self.lost:
            what = _(
                "%(cell)s has %(shown)s: Excel keeps only 15 digits of a number, and the others are lost. Format the "
                "column as text and enter its numbers again."
            )
            yield FormatWarning(self.file, row, message(what, cell=cell, shown=shown))
        self.lost.clear()

    def of_all(self) -> Iterator[FormatWarning]:
        """What was counted."""
        for what, number in self.counts.items():
            row, cell, shown = self.first[what]
            text = by_number(number, *_COUNTED[what])
            yield FormatWarning(self.file, row, message(text, number=number, cell=cell, shown=quote(shown, 60)))


def shown(cell: Any, odd: Odd) -> str:
    """What Excel shows of a cell, "" for nothing."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        if cell.data_type == "e":
            odd.count("error", cell, value)
        return shown_text(unescaped(value) if "_x" in value else value, odd.code(cell)[1])
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    number, code = odd.code(cell)
    if isinstance(value, _DATES):
        found = (None if number in _BY_REGION else shown_date(value, code)) or plain_date(value)
        odd.count("date", cell, found)
        return found
    whole = general(value)
    if has_lost_digits(value):
        odd.lost.append((cell.row, cell.coordinate, whole))
    if code == GENERAL:
        return whole
    formatted = shown_number(value, code)
    if formatted is None:
        odd.count("format", cell, whole)
        return whole
    if _digits(formatted) != _digits(whole) and not has_lost_digits(value):
        odd.count("rounded", cell, formatted)
    return formatted


def unescaped(text: str) -> str:
    """A text with the characters that Excel spells _x000D_; one that no text has stays so."""
    found = ESCAPE.sub(lambda match: match[0] if match[1] == "0000" else chr(int(match[1], 16)), text)
    found = _SURROGATES.sub(lambda match: match[0].encode("utf-16", "surrogatepass").decode("utf-16"), found)
    return found.encode("utf-8", "replace").decode("utf-8")


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit()).strip("0")


def _strings(stream: IO[bytes]) -> list[str]:
    found = []
    for _event, node in iterparse(stream):
        if node.tag == f"{{{SHEET_MAIN_NS}}}si":
            found.append(Text.from_tree(node).content)
            node.clear()
    return found
