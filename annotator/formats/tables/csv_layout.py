"""Tables that go out as they came in: their columns, delimiter, quoting, line ends and byte order mark are remembered,
and rows that are written otherwise than the others. A workbook goes out as CSV.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any, TypeVar

from annotator.domain.messages import by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.odd_rows import BOM, Odd, WriteRow, found_rows, joined, line_end_of, odd_rows, row_writer
from annotator.formats.tables.separated import named_delimiter
from annotator.formats.tables.sheets import WORKBOOK, delimiter_of, headed, heading_fit, is_quoted

_Row = TypeVar("_Row")
# The first one that writes as many rows as they are as any other is taken for a file's.
_QUOTING = ("minimal", "all", "text")


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How a file is written: its columns in order, its line ends, and what is in quotes.

    `quoting`: "minimal" (what needs them), "all", or "text" (all but numbers). `bom`: it begins with a byte order mark.
    `ended`: so does its last row in a line end. `heading`: the columns as the file spells them, where that differs.
    `said`: Excel's first line names the delimiter. `odd`: rows that are written in another way (`odd_rows`).
    """

    columns: tuple[str, ...]
    line_end: str = "\r\n"
    quoting: str = "minimal"
    bom: bool = False
    ended: bool = True
    delimiter: str = ","
    heading: tuple[str, ...] = ()
    said: bool = False
    odd: Odd = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns), "heading": list(self.heading)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CsvLayout:
        return cls(**{**data, "columns": tuple(data["columns"]), "heading": tuple(data.get("heading", ()))})


Refuse = Callable[[FormatError | FormatWarning], object]


def stop(problem: FormatError | FormatWarning) -> None:
    """What is done with an error where nobody lists them."""
    if isinstance(problem, FormatError):
        raise problem


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
) -> list[_Row]:
    """What `row` makes of each row, given its line (from 1) and its cells by column.

    `needed`: the columns that there must be, in any order among others. `refuse` is given what is wrong with a row,
    which is then left out, and what is unusual. Raises FormatError, naming file and line, where nothing more can be
    understood.
    """

    table = headed(file, _known(needed))
    columns = columns_of(table.heading, needed)
    named = [column for column in columns if column.strip()]
    if not set(needed) <= set(columns) or len(set(named)) != len(named):
        raise file.error(
            table.line,
            _("a header with each of %(columns)s once, in any order"),
            quote(", ".join(table.heading)),
            columns=", ".join(needed),
        )
    nameless = [index for index, column in enumerate(columns) if not column.strip()]
    found: list[_Row] = []
    for read in table.rows:
        if not isinstance(read, tuple):
            refuse(read)
            continue
        line, cells = read
        try:
            if len(cells) != len(columns):
                raise file.error(
                    line,
                    message(
                        by_number(
                            len(columns), _("%(count)d cell, one per column"), _("%(count)d cells, one per column")
                        ),
                        count=len(columns),
                    ),
                    message(by_number(len(cells), _("%(count)d cell"), _("%(count)d cells")), count=len(cells)),
                )
            # One such column is kept with the others, as pandas has one for its index.
            if len(nameless) > 1 and any(cells[index].strip() for index in nameless):
                expected = message(_("a name in the header for each column with text"))
                raise file.error(line, expected, _("text in a column without a name"))
            found.append(row(line, dict(zip(columns, cells, strict=True))))
        except FormatError as error:
            refuse(error)
    return found


def layout_of(file: SourceFile, needed: Sequence[str]) -> CsvLayout:
    """How a file that `read_rows` reads is written."""
    known = _known(needed)
    table = headed(file, known)
    columns = columns_of(table.heading, needed)
    plain = CsvLayout(columns, heading=table.heading if table.heading != columns else ())
    delimiter = delimiter_of(file, heading_fit(known))
    if delimiter == WORKBOOK:
        return plain
    text = file.path.read_bytes().decode(file.encoding or "utf-8", errors="replace")
    bare = text.removeprefix(BOM)
    plain = replace(
        plain,
        line_end=line_end_of(bare),
        bom=bare != text,
        ended=bare.endswith("\n"),
        delimiter=delimiter,
        said=bool(named_delimiter(bare.partition("\n")[0])),
    )
    rows = list(
        found_rows(
            bare,
            delimiter=delimiter,
            is_quoted=is_quoted(file, delimiter, has_heading=True),
            width=len(columns),
            line_end=plain.line_end,
        )
    )
    layouts = [replace(plain, quoting=quoting) for quoting in _QUOTING]
    tried = [replace(layout, odd=odd_rows(rows, _writer(layout), _above(layout))) for layout in layouts]
    return min(tried, key=lambda layout: len(layout.odd))


def write_cells(rows: Iterable[Sequence[str]], layout: CsvLayout) -> bytes:
    """The header and the rows, whose cells stand in the order of the layout's columns."""
    heading = layout.heading or layout.columns
    text = joined(
        chain([heading], rows),
        layout.odd,
        _writer(layout),
        above=_above(layout),
        without="" if layout.ended else layout.line_end,
    )
    return ((BOM if layout.bom else "") + text).encode()


def _writer(layout: CsvLayout) -> WriteRow:
    return row_writer(layout.delimiter, layout.line_end, layout.quoting)


def _above(layout: CsvLayout) -> str:
    return f"sep={layout.delimiter}{layout.line_end}" if layout.said else ""


def _known(needed: Sequence[str]) -> Callable[[Sequence[str]], int]:
    return lambda cells: len(set(needed).intersection(columns_of(cells, needed)))
