"""XLSX: the first sheet of a workbook that has cells, as a table. Formulas are read as their last result."""

from __future__ import annotations

import contextlib
import functools
import itertools
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
from defusedxml.common import DefusedXmlException
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from annotator.domain.messages import Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.columns.columns import guess_columns, names_a_column
from annotator.formats.common.beginnings import has_suffix, placed, starts_with
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.tables.header import Header
from annotator.formats.tables.sheet_dialects import dialect_of
from annotator.formats.tables.sheet_layout import (
    DAMAGED,
    TWO_HEADINGS,
    Filled,
    Layout,
    Merged,
    layout_of,
    spans_over,
    two_headings,
)
from annotator.formats.tables.shown_cells import ESCAPE, Odd, Reader, shown
from annotator.formats.tables.tables import Rows, check_width, first_cells, table_records, table_rows
from annotator.formats.xml.events import check_tags

# What Excel itself allows in a cell.
_MAX_CELL_LENGTH = 32_767
# A workbook of a million sentences is 400 MB of XML and packs to a tenth. Bombs pack to a thousandth.
_MAX_BYTES = 2_000_000_000
_MAX_RATIO = 200
_SMALL = 10_000_000
# Smaller parts have no room for a tag that takes seconds.
_CHECKED = 1_000_000
_PIECE = 1_000_000
# Texts that no cell shows, which other programs may have left; reading one takes openpyxl a tenth of a millisecond.
_MAX_UNSHOWN = 10_000
# As many as Excel has. Rows need not follow each other in the file, so that a small one could say any number.
_MAX_ROWS = 1_048_576
# Rows that tell whether a sheet has a table, and where it begins.
_LOOKED_AT = 10
# Of a workbook with more sheets, the first ones are looked at for a table.
_MAX_SHEETS = 50


class Xlsx:
    """Excel's workbooks."""

    slug = "xlsx"
    writes = True
    keeps = frozenset(Feature)

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Zip files called .xlsx."""
        if not has_suffix(files, ".xlsx", ".xlsm") or not all(starts_with(file, b"PK\x03\x04") for file in files):
            return None
        rows: list[list[str]] = []
        try:
            for read in workbook_rows(files[0]):
                if isinstance(read, tuple):
                    rows.append(list(read[1]))
                if len(rows) == 200:
                    break
        except FormatError:
            # Surely one of ours, and what is wrong with it is said when it is read.
            return Guess(self.slug, 0.9, tuple(files), Options(header=True))
        known, notes = placed(files, languages) if len(languages) == 1 else (tuple(files), ())
        found = guess_columns(rows, languages, file_language=known[0].language if known else "")
        options = Options(columns=found.meanings, header=found.header)
        return Guess(self.slug, 0.95, known, options, (*notes, *found.notes), found.doubts)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a row; see `tables`. Raises FormatError for what is not a workbook, or a harmful one."""
        header = Header()
        return file_by_file(files, lambda file: table_records(file, workbook_rows(file), options, header))

    def cells(self, files: Sequence[SourceFile], options: Options, limit: int) -> list[list[str]]:
        """The first rows of the first file as they are, header included. Raises FormatError."""
        return first_cells(workbook_rows(files[0]), limit)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One workbook of one sheet. Raises ValueError for texts that no cell can hold."""
        path = folder / "corpus.xlsx"
        rows = table_rows(records, _check_cell)
        header = next(rows)
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("corpus")
        for row in itertools.chain([header], rows):
            sheet.append([_cell(sheet, cell) for cell in row])
        book.save(path)
        return [path]


def workbook_rows(file: SourceFile, title: str = "") -> Rows:
    """The rows of the sheet with this title, or of the first one that has cells, each as long as the first row or
    longer. Raises FormatError."""
    with _opened(file) as sheets:
        chosen = next((sheet for sheet in sheets if sheet.title == title), None)
        what = _("only the sheet %(name)s is read, not %(names)s. To read another one, save it as a separate file")
        if chosen is None:
            # Those that Excel shows first.
            ordered = sorted(sheets[:_MAX_SHEETS], key=lambda sheet: sheet.sheet_state != "visible")
            chosen = next((sheet for sheet in ordered if _has_cells(file, sheet)), ordered[0])
            what = _("only the sheet %(name)s is read, the first one with cells, not %(names)s")
        if len(sheets) > 1:
            names = ", ".join(other.title for other in sheets if other is not chosen)
            yield FormatWarning(file.name, 1, message(what, name=chosen.title, names=names))
        yield from _oddities(file, _layout(file, chosen))
        yield from _sheet(file, chosen)


def sheet_beginnings(file: SourceFile, limit: int) -> list[tuple[str, list[list[str]]]]:
    """The title of each sheet that has cells, and its first rows, at most `limit`. Raises FormatError."""
    with _opened(file) as sheets:
        found = ((sheet.title, first_cells(_sheet(file, sheet), limit)) for sheet in sheets[:_MAX_SHEETS])
        return [(title, rows) for title, rows in found if rows]


@contextlib.contextmanager
def _opened(file: SourceFile) -> Iterator[list[Any]]:
    """The sheets of a workbook, at least one."""
    _check_size(file)
    if dialect := dialect_of(file):
        raise file.error(0, _("an Excel workbook (.xlsx)"), dialect)
    stat = file.path.stat()
    _check_tags(file.name, file.path, stat.st_mtime_ns, stat.st_size)
    try:
        reader = Reader(file.path, read_only=True, data_only=True, keep_links=False)
        reader.read()
        book = reader.wb
    except Exception as error:  # openpyxl raises whatever it meets in a damaged file
        raise file.error(0, _("an Excel workbook (.xlsx)"), _cause(error)) from error
    try:
        sheets: list[Any] = list(book.worksheets)
        if not sheets:
            raise file.error(0, _("a sheet"), _("none"))
        for sheet in sheets:
            # What a workbook says of its size need not be true.
            sheet.reset_dimensions()
        yield sheets
    finally:
        book.close()


def _has_cells(file: SourceFile, sheet: Any) -> bool:
    rows = itertools.islice(_cells(file, sheet, Odd(file.name)), _LOOKED_AT)
    return any(any(cells) for _number, cells in rows)


def _layout(file: SourceFile, sheet: Any) -> Layout:
    # Where the sheet is in the file, openpyxl keeps to itself.
    stat = file.path.stat()
    return layout_of(file.path, sheet._worksheet_path, stat.st_mtime_ns, stat.st_size)


def _oddities(file: SourceFile, layout: Layout) -> Iterator[FormatWarning]:
    """What is to be said of how a sheet is laid out."""
    if layout.formulas:
        what = by_number(
            layout.formulas,
            _(
                "the cell %(cell)s has a formula without its result and is read as empty: open the workbook in a "
                "spreadsheet program and save it"
            ),
            _(
                "%(number)s cells have a formula without its result, the first one %(cell)s, and are read as empty: "
                "open the workbook in a spreadsheet program and save it"
            ),
        )
        first = layout.without_result
        line = int(first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        yield FormatWarning(file.name, line, message(what, number=layout.formulas, cell=first))
    if layout.hidden_rows:
        what = by_number(
            layout.hidden_rows,
            _("a row is hidden in Excel, but read like the others"),
            _("%(number)s rows are hidden in Excel, but read like the others"),
        )
        yield FormatWarning(file.name, 1, message(what, number=layout.hidden_rows))
    if layout.hidden_columns:
        yield FormatWarning(file.name, 1, message(_("some columns are hidden in Excel, but read like the others")))


def _sheet(file: SourceFile, sheet: Any) -> Rows:
    merged = _layout(file, sheet).merged
    title = _title(file, sheet, merged)
    if title:
        what = by_number(
            title,
            _("a row above the table, such as a title (skipped)"),
            _("%(rows)s rows above the table, such as a title (skipped)"),
        )
        yield FormatWarning(file.name, 1, message(what, rows=title))
    below = (row for row in _cells(file, sheet, Odd(file.name)) if row[0] > title and row[1])
    first = list(itertools.islice(below, 2))
    heading = two_headings(first, merged, is_name=names_a_column)
    begin = first[0][0] if first else 0
    if heading is not None:
        begin = first[1][0]
        yield FormatWarning(file.name, begin, message(TWO_HEADINGS, names=quote(" | ".join(heading), 120)))
    yield from _of_merged(file, [one for one in merged if one.top > begin])
    odd = Odd(file.name)
    filled = Filled(merged)
    width = last = 0
    for number, given in _cells(file, sheet, odd):
        cells = filled.row(number, given)
        if number < begin or not cells:
            # After the last one with cells, rows have but a style.
            odd.lost.clear()
            continue
        if last and number > last + 1:
            empty = number - last - 1
            what = by_number(empty, _("a row without text"), _("%(rows)s rows without text"))
            yield FormatWarning(file.name, last + 1, message(what, rows=empty))
        last = number
        if number == begin and heading is not None:
            cells = heading
        # Rows end at their last cell that is not empty.
        width = width or len(cells)
        yield from odd.of_row()
        yield number, [*cells, *[""] * (width - len(cells))]
    yield from odd.of_all()


def _of_merged(file: SourceFile, merged: Sequence[Merged]) -> Iterator[FormatWarning]:
    """How merged cells below the heading are read."""
    down = [one for one in merged if one.bottom > one.top]
    across = [one for one in merged if one.right > one.left]
    if down:
        what = by_number(
            len(down),
            _("the cells %(cells)s are merged, and their content is read in each of their rows"),
            _(
                "%(number)d groups of cells are merged, the first %(cells)s, and their content is read in "
                "each of their rows"
            ),
        )
        yield FormatWarning(file.name, down[0].top, message(what, number=len(down), cells=down[0].name))
    if across:
        what = by_number(
            len(across),
            _("the cells %(cells)s are merged, and their content is read only in the first of their columns"),
            _(
                "%(number)d groups of cells are merged over columns, the first %(cells)s, and their "
                "content is read only in the first column"
            ),
        )
        yield FormatWarning(file.name, across[0].top, message(what, number=len(across), cells=across[0].name))


def _title(file: SourceFile, sheet: Any, merged: Sequence[Merged]) -> int:
    """How many rows stand above the table: such with one cell or none, and then an empty one, or merged cells."""
    rows = list(itertools.islice(_cells(file, sheet, Odd(file.name)), _LOOKED_AT))
    filled = [sum(map(bool, cells)) for _number, cells in rows]
    begin = next((index for index, count in enumerate(filled) if count > 1), 0)
    is_apart = bool(begin) and (not filled[begin - 1] or any(spans_over(rows[0][0], merged)))
    return rows[begin][0] - 1 if is_apart and filled[0] == 1 else 0


def _cells(file: SourceFile, sheet: Any, odd: Odd) -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet with their numbers, up to their last cell that is not empty."""
    number = 0
    rows = sheet.iter_rows()
    while True:
        number += 1
        try:
            cells = [shown(cell, odd) for cell in next(rows)]
        except StopIteration:
            return
        except Exception as error:  # as above: of any kind
            raise file.error(number, _("rows of an Excel sheet"), _cause(error)) from error
        if number > _MAX_ROWS:
            raise file.error(number, _("at most %(most)s rows"), _("more rows"), most=f"{_MAX_ROWS:,}")
        while cells and not cells[-1]:
            cells.pop()
        check_width(file, number, len(cells))
        yield number, cells


def _check_size(file: SourceFile) -> None:
    """Refuse a zip file that is none, or unpacks to more than a workbook has."""
    try:
        with zipfile.ZipFile(file.path) as packed:
            parts = packed.infolist()
    except FileNotFoundError as error:
        raise file.error(0, _("this file"), _("no such file")) from error
    except (OSError, zipfile.BadZipFile) as error:
        raise file.error(0, _("an Excel workbook (.xlsx)"), _cause(error)) from error
    whole = sum(part.file_size for part in parts)
    if whole > _MAX_BYTES:
        raise file.error(
            0, _("a workbook of at most %(most_bytes)s bytes unpacked"), f"{whole:,}", most_bytes=f"{_MAX_BYTES:,}"
        )
    bomb = next((p for p in parts if p.file_size > _SMALL and p.file_size > _MAX_RATIO * max(p.compress_size, 1)), None)
    if bomb is not None:
        raise file.error(
            0,
            _("parts that unpack to at most %(most_ratio)s times their size"),
            _("%(filename)s of %(compress_size)s bytes, which unpacks to %(file_size)s"),
            most_ratio=_MAX_RATIO,
            filename=bomb.filename,
            compress_size=f"{bomb.compress_size:,}",
            file_size=f"{bomb.file_size:,}",
        )


@functools.lru_cache(maxsize=16)
def _check_tags(name: str, path: Path, _changed: int, _size: int) -> None:
    """Refuse what openpyxl would gather without end. Once for a file as it is: each preview opens it several times."""
    texts = cells = 0
    with zipfile.ZipFile(path) as packed:
        for part in packed.infolist():
            # What is damaged, openpyxl says.
            if part.file_size > _CHECKED:
                with contextlib.suppress(*DAMAGED), packed.open(part) as stream:
                    check_tags(stream, f"{name}/{part.filename}")
            with contextlib.suppress(*DAMAGED), packed.open(part) as stream:
                while piece := stream.read(_PIECE):
                    # UTF-16 has a zero beside each letter of a tag.
                    letters = piece.replace(b"\0", b"")
                    texts += letters.count(b"<si") + letters.count(b":si")
                    cells += letters.count(b't="s"') + letters.count(b"t='s'")
    if texts > cells + _MAX_UNSHOWN:
        raise FormatError(
            name,
            0,
            message(_("a workbook with its texts in its cells")),
            message(_("%(texts)s texts for %(cells)s cells"), texts=f"{texts:,}", cells=f"{cells:,}"),
        )


def _check_cell(value: str) -> None:
    if len(value.encode("utf-16-le")) // 2 > _MAX_CELL_LENGTH:
        raise ValueError(f"A cell of an Excel sheet has room for {_MAX_CELL_LENGTH:,} characters, not {len(value):,}.")
    if "\r" in value or ESCAPE.search(value) or ILLEGAL_CHARACTERS_RE.search(value):
        raise ValueError(f"This format cannot spell control characters, nor “_x000D_”: {quote(value, 80)}")


def _cell(sheet: Any, value: str) -> Any:
    cell = WriteOnlyCell(sheet, value=value or None)
    if value:
        # Or "=1+1" would become a formula.
        cell.data_type = "s"
    return cell


def _cause(error: BaseException) -> Sentence:
    """What went wrong at first: the library's own words for it name our folders."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    if isinstance(error, DefusedXmlException):
        return message(_("declared entities, which are not safe to read"))
    return quote(f"{type(error).__name__}: {error}", 200)
