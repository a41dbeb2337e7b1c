"""How a sheet is laid out: merged cells, hidden rows and columns, headings of two rows, formulas without a result.

The library that reads cells one by one does not say these; they stand in the sheet's XML.
"""

from __future__ import annotations

import contextlib
import functools
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.messages import gettext_noop as _
from annotator.formats.columns.headings import could_be_heading

# What a part raises that is damaged, locked by a password (RuntimeError), or packed in a way that nobody here knows.
DAMAGED = (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
_NO_RESULT = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"[^<>]*><f[^<>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>')
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^<>]*?ref="([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})"')
_HIDDEN = re.compile(rb'<(?:\w+:)?(row|col)(?= )[^<>]*? hidden="(?:1|true)"')
_PIECE = 1_000_000
# Excel has formulas of up to 8,192 characters, in XML some more.
_MAX_FORMULA_LENGTH = 50_000
# More are a sheet made by a program, of which nobody merged cells by hand.
_MAX_MERGED = 100_000

# What a second row says of the columns: "(number)", "[text]", "<string>", or a type.
_DESCRIPTION = re.compile(
    r"\([^()]+\)|\[[^\[\]]+\]|<[^<>]+>|int|integer|str|string|float|number|text|bool|boolean|date", re.IGNORECASE
)

TWO_HEADINGS = _("two header rows, read as one: %(names)s")


@dataclass(frozen=True, slots=True)
class Merged:
    """Cells that are shown as one; rows and columns count from 1."""

    name: str
    left: int
    top: int
    right: int
    bottom: int


@dataclass
class Layout:
    """What the XML of a sheet says beside its cells. `without_result`: the first formula that has none ("": there is
    none), `formulas`: how many there are."""

    without_result: str = ""
    formulas: int = 0
    merged: list[Merged] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0


@functools.lru_cache(maxsize=16)
def layout_of(path: Path, part: str, _changed: int, _size: int) -> Layout:
    """The layout of a sheet, by the path of its part in the workbook; read piece by piece."""
    found = Layout()
    with contextlib.suppress(KeyError, *DAMAGED), zipfile.ZipFile(path) as packed, packed.open(part) as stream:
        rest = b""
        done = 0
        while piece := stream.read(_PIECE):
            text = rest + piece
            ends = [done]
            for match in _NO_RESULT.finditer(text):
                found.without_result = found.without_result or match[1].decode()
                found.formulas += 1
                ends.append(match.end())
            for match in _MERGED.finditer(text):
                if len(found.merged) < _MAX_MERGED:
                    found.merged.append(_merged(match[1].decode()))
                ends.append(match.end())
            for match in _HIDDEN.finditer(text):
                if match[1] == b"row":
                    found.hidden_rows += 1
                else:
                    found.hidden_columns += 1
                ends.append(match.end())
            # What continues in the next piece; of what was found nothing is left.
            rest = text[max(*ends, len(text) - _MAX_FORMULA_LENGTH) :]
    found.merged.sort(key=lambda one: (one.top, one.left))
    return found


def _merged(name: str) -> Merged:
    """The cells that a name such as A2:B3 is of."""
    (left, top), (right, bottom) = map(_place, name.split(":"))
    return Merged(name, left, top, right, bottom)


def _place(cell: str) -> tuple[int, int]:
    """The column and the row of a cell, counted from 1."""
    letters = cell.rstrip("0123456789")
    return sum((ord(letter) - 64) * 26**at for at, letter in enumerate(reversed(letters))), int(cell[len(letters) :])


class Filled:
    """Cells of the rows below the first one of merged cells, which show what stands in that one."""

    def __init__(self, merged: Sequence[Merged]) -> None:
        self._coming = [one for one in merged if one.bottom > one.top]
        self._at = 0
        self._open: list[tuple[Merged, str]] = []

    def row(self, number: int, cells: list[str]) -> list[str]:
        """The cells of a row; rows come in order."""
        self._open = [(one, text) for one, text in self._open if one.bottom >= number]
        for one, text in self._open:
            cells = [*cells, *[""] * (one.left - len(cells))]
            cells[one.left - 1] = cells[one.left - 1] or text
        while self._at < len(self._coming) and self._coming[self._at].top <= number:
            one = self._coming[self._at]
            self._at += 1
            if one.top == number and len(cells) >= one.left and cells[one.left - 1]:
                self._open.append((one, cells[one.left - 1]))
        while cells and not cells[-1]:
            cells.pop()
        return cells


def two_headings(
    rows: Sequence[tuple[int, Sequence[str]]], merged: Sequence[Merged], *, is_name: Callable[[str], bool]
) -> list[str] | None:
    """The names of the columns where the first two rows name them together: what stands over several columns, with
    what each of these is called. `is_name`: whether a column may be called so. None where one row names them, or none.
    """
    if len(rows) < 2:
        return None
    (number, first), (_next, second) = rows[:2]
    over = [one for one in merged if one.top == one.bottom == number and one.right > one.left]
    beside = [one for one in merged if one.top == number and one.bottom == number + 1 and one.right == one.left]
    width = max(len(first), len(second), *(one.right for one in over), 0)
    top, below = ([*row, *[""] * (width - len(row))] for row in (first, second))
    if not could_be_heading(top) or not could_be_heading(below):
        return None
    under = {column for one in over for column in range(one.left, one.right + 1)}
    described = [cell.strip() for cell in below if cell.strip()]
    if described and not over and any(map(is_name, top)) and all(map(_DESCRIPTION.fullmatch, described)):
        # "(number)" says what is in the column, and not what it is called.
        return list(first)
    again = {at + 1 for at in range(width) if not over and top[at].strip() and top.count(top[at]) > 1}
    if not all(is_name(below[at - 1]) for at in again):
        again = set()
    if again:
        # The same name twice, and below it which of them.
        under = again
    elif not over and beside:
        # A name over two rows says that the others have two, too.
        under = {at + 1 for at in range(width) if below[at]}
    elif not over:
        # Nothing is merged: the second row says the names where the first one leaves them out.
        under = {at + 1 for at in range(width) if below[at] and not top[at]}
        under |= {at for at in under if at > 0 and below[at - 1]}
        if not under or not any(is_name(cell) for cell in below if cell.strip()):
            return None
    is_own = any(below[at] and top[at] and at + 1 not in under for at in range(width))
    if not any(below[column - 1] for column in under) or (not beside and not again and all(below) and is_own):
        return None
    for one in over:
        top[one.left - 1 : one.right] = [top[one.left - 1]] * (one.right - one.left + 1)
    if not over:
        for at in range(1, width):
            top[at] = top[at] or (top[at - 1] if below[at] else "")
    joined = [
        " ".join(dict.fromkeys(part.strip() for part in parts if part.strip()))
        for parts in zip(top, below, strict=True)
    ]
    return joined if len(set(filter(None, joined))) == sum(map(bool, joined)) else None


def spans_over(row: int, merged: Sequence[Merged]) -> Iterator[Merged]:
    """The merged cells that begin in a row and go over several columns."""
    return (one for one in merged if one.top == row and one.right > one.left)
