"""Tables that go out as they came in: their columns, delimiter, quoting, line ends and byte order mark are remembered.
A workbook goes out as CSV.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeVar

from annotator.domain.formats.base import SourceFile
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.separated import said_delimiter
from annotator.domain.formats.sheets import WORKBOOK, delimiter_of, headed
from annotator.domain.said import by_number, say
from annotator.domain.said import gettext_noop as _

_Row = TypeVar("_Row")
_BOM = "\ufeff"
_QUOTING: Mapping[str, Literal[0, 1]] = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL}
# How a layout is found: by what writes the first rows as they were, so that a long file is not written twice.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How a file is written: its columns in order, its line ends, and what is in quotes.

    `quoting`: "minimal" (what needs them) or "all". `bom`: it begins with a byte order mark. `ended`: so does its last
    row in a line end. `heading`: the columns as the file spells them, where that differs. `said`: Excel's first line
    names the delimiter.
    """

    columns: tuple[str, ...]
    line_end: str = "\r\n"
    quoting: str = "minimal"
    bom: bool = False
    ended: bool = True
    delimiter: str = ","
    heading: tuple[str, ...] = ()
    said: bool = False

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns), "heading": list(self.heading)}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CsvLayout:
        return cls(**{**kept, "columns": tuple(kept["columns"]), "heading": tuple(kept.get("heading", ()))})


Refuse = Callable[[FormatError | FormatWarning], object]


def stop(said: FormatError | FormatWarning) -> None:
    """What is done with an error where nobody lists them."""
    if isinstance(said, FormatError):
        raise said


def columns_of(heading: Sequence[str], needed: Sequence[str]) -> tuple[str, ...]:
    """The columns of a heading; of one that is `needed` its name, however it is written: " Idx" is "idx"."""
    names = [(cell.strip().lower(), cell) for cell in heading]
    return tuple(plain if plain in needed else cell for plain, cell in names)


def read_rows(
    file: SourceFile,
    needed: Sequence[str],
    row: Callable[[int, Mapping[str, str]], _Row],
    *,
    refuse: Refuse = stop,
) -> tuple[list[_Row], CsvLayout]:
    """What `row` makes of each row, given its line (from 1) and its cells by column; and how the file is written.

    `needed`: the columns that there must be, in any order among others. `refuse` is given what is wrong with a row,
    which is then left out, and what is unusual. Raises FormatError, naming file and line, where nothing more can be
    understood.
    """

    def known(cells: Sequence[str]) -> int:
        return len(set(needed).intersection(columns_of(cells, needed)))

    table = headed(file, known)
    columns = columns_of(table.heading, needed)
    named = [column for column in columns if column.strip()]
    if not set(needed) <= set(columns) or len(set(named)) != len(named):
        raise FormatError(
            file.name,
            table.line,
            say(_("a header with each of %(columns)s once, in any order"), columns=", ".join(needed)),
            quote(", ".join(table.heading)),
        )
    nameless = [index for index, column in enumerate(columns) if not column.strip()]
    found: list[_Row] = []
    kept: list[Sequence[str]] = []
    for read in table.rows:
        if not isinstance(read, tuple):
            refuse(read)
            continue
        line, cells = read
        try:
            if len(cells) != len(columns):
                raise FormatError(
                    file.name,
                    line,
                    say(
                        by_number(len(columns), _("%(count)d cell, one a column"), _("%(count)d cells, one a column")),
                        count=len(columns),
                    ),
                    say(by_number(len(cells), _("%(count)d cell"), _("%(count)d cells")), count=len(cells)),
                )
            # One such column is kept with the others, as pandas has one for its index.
            if len(nameless) > 1 and any(cells[index].strip() for index in nameless):
                expected = say(_("a name in the heading for each column with text"))
                raise FormatError(file.name, line, expected, say(_("text in a column without one")))
            found.append(row(line, dict(zip(columns, cells, strict=True))))
        except FormatError as error:
            refuse(error)
        else:
            kept.append(cells)
    delimiter = delimiter_of(file, lambda rows: known(rows[0]) if rows else 0)
    return found, _layout(file, columns, table.heading, delimiter, kept)


def _layout(
    file: SourceFile, columns: tuple[str, ...], heading: tuple[str, ...], delimiter: str, rows: Sequence[Sequence[str]]
) -> CsvLayout:
    """The layout that writes the rows as they were; where none does, the published one with the file's line ends."""
    plain = CsvLayout(columns, heading=heading if heading != columns else ())
    if delimiter == WORKBOOK:
        return plain
    text = file.path.read_bytes().decode(file.encoding or "utf-8", errors="replace")
    line_end = "\r\n" if "\r\n" in text else "\n"
    plain = replace(
        plain,
        line_end=line_end,
        bom=text.startswith(_BOM),
        ended=text.endswith(line_end),
        delimiter=delimiter,
        said=bool(said_delimiter(text.removeprefix(_BOM).partition("\n")[0])),
    )
    for quoting in _QUOTING:
        layout = replace(plain, quoting=quoting)
        if text.startswith(write_cells(rows[: _SAMPLE - 1], layout).decode().removesuffix(line_end)):
            return layout
    return plain


def write_cells(rows: Iterable[Sequence[str]], layout: CsvLayout) -> bytes:
    """The header and the rows, whose cells stand in the order of the layout's columns."""
    out = io.StringIO(newline="")
    if layout.said:
        out.write(f"sep={layout.delimiter}{layout.line_end}")
    writer = csv.writer(
        out, delimiter=layout.delimiter, lineterminator=layout.line_end, quoting=_QUOTING[layout.quoting]
    )
    writer.writerow(layout.heading or layout.columns)
    writer.writerows(rows)
    text = out.getvalue()
    return ((_BOM if layout.bom else "") + (text if layout.ended else text.removesuffix(layout.line_end))).encode()
