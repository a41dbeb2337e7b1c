"""Whether quotation marks enclose the cells of a table with tabs, or are characters of its text.

Commas need them, so that in CSV they always enclose. Tables with tabs come both ways: typed by hand, where a mark is
the text's, and saved by a spreadsheet, which puts marks around a cell that has some and doubles its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

# Which cells a program puts in quotation marks, by the name under which that is remembered.
CELLS_IN_MARKS: Mapping[str, Callable[[str], bool]] = {
    "none": lambda _cell: False,
    "minimal": lambda cell: '"' in cell,
    # As Excel does it, which sees a comma as a reason in files with tabs, too.
    "excel": lambda cell: '"' in cell or "," in cell,
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


def enclosing_of(rows: Iterable[Cells]) -> str:
    """The name of the way that writes all rows as they are, cells as the file has them; "none" where a mark is the
    text's.

    A cell such as “"So it goes"” may be either. It is the text's, unless every cell has marks.
    """
    fit = {name for name in CELLS_IN_MARKS if name != "none"}
    doubled = False
    for row in rows:
        for cell in row:
            inside = unwrapped(cell)
            if inside is None and '"' in cell:
                return "none"
            said = cell if inside is None else inside
            doubled = doubled or (inside is not None and '"' in inside)
            fit = {name for name in fit if CELLS_IN_MARKS[name](said) == (inside is not None)}
            if not fit:
                return "none"
    if doubled:
        return next(name for name in CELLS_IN_MARKS if name in fit)
    # Without any mark in the file, both "minimal" and "excel" may have written it.
    return "all" if fit == {"all"} else "none"
