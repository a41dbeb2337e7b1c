"""CSV files that go out as they came in: their columns, quoting, line ends and byte order mark are remembered."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeVar

from annotator.domain.formats.errors import FormatError, quote
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say

_Row = TypeVar("_Row")
_BOM = "\ufeff"
_QUOTING: Mapping[str, Literal[0, 1]] = {"minimal": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL}
# How a layout is found: by what writes the first rows as they were, so that a long file is not written twice.
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class CsvLayout:
    """How a file is written: its columns in order, its line ends, and what is in quotes.

    `quoting`: "minimal" (what needs them) or "all". `bom`: it begins with a byte order mark. `ended`: so does its last
    row in a line end.
    """

    columns: tuple[str, ...]
    line_end: str = "\r\n"
    quoting: str = "minimal"
    bom: bool = False
    ended: bool = True

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns)}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> CsvLayout:
        return cls(**{**kept, "columns": tuple(kept["columns"])})


Refuse = Callable[[FormatError], object]


def stop(error: FormatError) -> None:
    """What is done with an error where nobody lists them."""
    raise error


def read_rows(
    name: str,
    data: bytes,
    needed: Sequence[str],
    row: Callable[[int, Mapping[str, str]], _Row],
    *,
    encoding: str = "utf-8",
    refuse: Refuse = stop,
) -> tuple[list[_Row], CsvLayout]:
    """What `row` makes of each row, given its line (from 1) and its cells by column; and how the file is written.

    `needed`: the columns that there must be, in any order among others. `refuse` is given what is wrong with a row,
    which is then left out. Raises FormatError, naming file and line, where nothing more can be understood.
    """
    text = _text(name, data, encoding)
    lines = _rows(name, text.removeprefix(_BOM))
    first = next(lines, None)
    if first is None:
        raise FormatError(name, 1, say(_("a header with %(columns)s"), columns=", ".join(needed)), say(_("nothing")))
    columns = tuple(first[1])
    missing = [column for column in needed if column not in columns]
    if missing or len(set(columns)) != len(columns):
        raise FormatError(
            name,
            first[0],
            say(
                _("a header with each of %(columns)s once, in any order, with commas between them"),
                columns=", ".join(needed),
            ),
            quote(",".join(columns)),
        )
    found: list[_Row] = []
    kept: list[list[str]] = [list(columns)]
    for line, cells in lines:
        try:
            if len(cells) != len(columns):
                raise FormatError(
                    name,
                    line,
                    say(_("%(count)d cells, one a column"), count=len(columns)),
                    say(_("%(count)d cells"), count=len(cells)),
                )
            found.append(row(line, dict(zip(columns, cells, strict=True))))
        except FormatError as error:
            refuse(error)
        else:
            kept.append(cells)
    return found, _layout(text, columns, kept)


def _text(name: str, data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, errors="replace").count("\n") + 1
        shown = "UTF-8" if encoding == "utf-8" else encoding
        raise FormatError(
            name,
            line,
            say(_("text in %(encoding)s"), encoding=shown),
            quote(repr(data[error.start : error.end])[2:-1]),
        ) from error


def _rows(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line that it begins in; a row's text may go over several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise FormatError(
                name,
                line,
                say(_("a row of CSV: a text with commas or quotes in quotes, and quotes inside it doubled")),
                str(error),
            ) from error
        if cells is None:
            return
        if cells:
            yield line, cells
        line = reader.line_num + 1


def _layout(text: str, columns: tuple[str, ...], rows: Sequence[Sequence[str]]) -> CsvLayout:
    """The layout that writes the rows as they were; where none does, the published one with the file's line ends."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    bom = text.startswith(_BOM)
    ended = text.endswith(line_end)
    for quoting in _QUOTING:
        layout = CsvLayout(columns, line_end, quoting, bom, ended)
        if text.startswith(write_cells(rows[1:_SAMPLE], layout).decode().removesuffix(line_end)):
            return layout
    return CsvLayout(columns, line_end, "minimal", bom, ended)


def write_cells(rows: Iterable[Sequence[str]], layout: CsvLayout) -> bytes:
    """The header and the rows, whose cells stand in the order of the layout's columns."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=layout.line_end, quoting=_QUOTING[layout.quoting])
    writer.writerow(layout.columns)
    writer.writerows(rows)
    text = out.getvalue()
    return ((_BOM if layout.bom else "") + (text if layout.ended else text.removesuffix(layout.line_end))).encode()
