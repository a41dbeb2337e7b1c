"""Whether quotation marks enclose the cells of a table with tabs, or are characters of its text.

Commas need them, so that in CSV they always enclose. Tables with tabs come both ways: typed by hand, where a mark is
the text's, and saved by a spreadsheet, which puts marks around a cell that has some and doubles its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
# Which cells a program puts in quotation marks, by the name under which that is remembered.
CELLS_IN_MARKS: Mapping[str, Callable[[str], bool]] = {
    "none": lambda _cell: False,
    "minimal": lambda cell: '"' in cell,
    # As Excel does it, which sees a comma as a reason in files with tabs, too.
    "excel": lambda cell: '"' in cell or "," in cell,
    # As R and pandas do it on demand.
    "text": lambda cell: not _NUMBER.fullmatch(cell),
    # As R does it where what is missing is written as nothing.
    "filled": lambda cell: bool(cell) and not _NUMBER.fullmatch(cell),
    "all": lambda _cell: True,
}
Cells = tuple[str, ...]


def unwrapped(cell: str) -> str | None:
    """What stands in a cell that is enclosed, or None where it is not: it begins and ends with a mark, and those in it
    are doubled."""
    if len(cell) < 2 or cell[0] != '"' or cell[-1] != '"':
        return None
    inside = cell[1:-1]
    return None if '"' in inside.replace('""', "") else inside.replace('""', '"')


def wrapped(cell: str, enclosing: str) -> str:
    """The cell as it is written. `enclosing`: a name of `CELLS_IN_MARKS`."""
    return '"' + cell.replace('"', '""') + '"' if CELLS_IN_MARKS[enclosing](cell) else cell


def enclosed_writer(enclosing: str, line_end: str) -> Callable[[Sequence[str]], str]:
    """Writes rows with tabs between their cells. `enclosing`: a name of `CELLS_IN_MARKS`."""
    return lambda cells: "\t".join(wrapped(cell, enclosing) for cell in cells) + line_end


def enclosing_of(rows: Iterable[Cells]) -> str:
    """The name of the way that writes all rows as they are, cells as the file has them; "none" where a mark is the
    text's.

    A cell such as “"So it goes"” may be either. It is the text's, unless every cell but those with numbers has marks.
    """
    fit = {name for name in CELLS_IN_MARKS if name != "none"}
    doubled = enclosed = False
    for row in rows:
        for cell in row:
            inside = unwrapped(cell)
            if inside is None and '"' in cell:
                return "none"
            text = cell if inside is None else inside
            enclosed = enclosed or inside is not None
            doubled = doubled or (inside is not None and '"' in inside)
            fit = {name for name in fit if CELLS_IN_MARKS[name](text) == (inside is not None)}
            if not fit:
                return "none"
    if not enclosed:
        return "none"
    if doubled:
        return next(name for name in CELLS_IN_MARKS if name in fit)
    return next((name for name in ("text", "all") if name in fit), "none")


def below_enclosed_names(rows: Iterable[Cells]) -> bool:
    """Whether a heading stands in quotation marks, and no cell has others than such as enclose it: names have none of
    their own."""
    is_first = True
    for row in rows:
        insides = [unwrapped(cell) for cell in row]
        if is_first and (None in insides or any('"' in (inside or "") for inside in insides)):
            return False
        if any(inside is None and '"' in cell for cell, inside in zip(row, insides, strict=True)):
            return False
        is_first = False
    return not is_first
