"""Rows that a file writes otherwise than its others: with another line end, in quotation marks that they do not need,
or with rows or cells without text behind them.

They are remembered as they stand, by how we would write them: so they go out as they came while they say the same.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from annotator.formats.common.enclosing import wrapped
from annotator.formats.tables.separated import named_delimiter

BOM = "\ufeff"
_MODES: Mapping[str, Literal[0, 1, 3]] = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL, "none": csv.QUOTE_NONE}
# Which cells stand in quotation marks; with "text" all but numbers, as R writes them.
QUOTING = ("minimal", "all", "text", "none")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
Cells = Sequence[str]
# Makes a row text, with the end of its line.
WriteRow = Callable[[Cells], str]
# By how we would write a row, how it stands in the file, as often as it does.
Odd = Mapping[str, Sequence[str]]


def line_end_of(text: str) -> str:
    """How most lines of a text end."""
    with_return = text.count("\r\n")
    return "\r\n" if 2 * with_return > text.count("\n") else "\n"


def row_writer(delimiter: str, line_end: str, quoting: str) -> WriteRow:
    """Writes the rows of a table. `quoting`: a name of `QUOTING`; with "none", rows that need marks raise csv.Error."""
    if quoting == "text":
        return lambda cells: delimiter.join(wrapped(cell, quoting) for cell in cells) + line_end
    out = io.StringIO(newline="")
    quotechar = None if quoting == "none" else '"'
    writer = csv.writer(out, delimiter=delimiter, lineterminator=line_end, quoting=_MODES[quoting], quotechar=quotechar)

    def write(cells: Cells) -> str:
        out.seek(0)
        out.truncate()
        writer.writerow(cells)
        return out.getvalue()

    return write


def found_rows(
    text: str, *, delimiter: str, is_quoted: bool, width: int, line_end: str
) -> Iterator[tuple[list[str], str]]:
    """The rows with text, each with how it stands in a text that has no byte order mark.

    The first one comes with all that is above it, the others with rows without text below them. Cells without text
    beyond the first `width` are not cells. A row that lacks the end of its line gets `line_end`.
    """
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for number, line in enumerate(_LINE.findall(text)):
            taken.append(line if line.endswith("\n") else line + line_end)
            if number or not named_delimiter(line):
                yield line

    reader = csv.reader(
        lines(), delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE, strict=True
    )
    above, row = "", None
    # A file that cannot be read to its end does not come in.
    with contextlib.suppress(csv.Error):
        for cells in reader:
            raw = "".join(taken)
            taken.clear()
            if any(map(str.strip, cells)):
                if row is not None:
                    yield row
                row, above = (within(cells, width), above + raw), ""
            elif row is None:
                above += raw
            else:
                row = row[0], row[1] + raw
    if row is not None:
        yield row


def within(cells: Cells, width: int) -> list[str]:
    """A row without the empty cells that a spreadsheet has put behind the first `width`."""
    found = list(cells)
    while len(found) > width and not found[-1].strip():
        found.pop()
    return found


def odd_rows(rows: Iterable[tuple[Cells, str]], write: WriteRow, above: str = "") -> Odd:
    """Of rows that `found_rows` gives those that `write` does not write as they stand, by how it writes them. Of rows
    that say the same, all, in order.

    `above`: what is written above the first row.
    """
    found: dict[str, list[str]] = {}
    for cells, raw in rows:
        found.setdefault(above + write(cells), []).append(raw)
        above = ""
    return {usual: raws for usual, raws in found.items() if any(raw != usual for raw in raws)}


def joined(rows: Iterable[Cells], odd: Odd, write: WriteRow, *, above: str = "", without: str = "") -> str:
    """The text of a file with these rows, the odd ones as they stood. `without`: the end that its last line lacks."""
    left = {usual: deque(raws) for usual, raws in odd.items()}
    pieces = []
    for cells in rows:
        usual = above + write(cells)
        above = ""
        pieces.append(left[usual].popleft() if left.get(usual) else usual)
    return "".join(pieces).removesuffix(without)
