"""XLSX: the first sheet of a workbook that has cells, as a table. Formulas are read as their last result."""

from __future__ import annotations

import contextlib
import datetime
import functools
import itertools
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import openpyxl
from defusedxml.common import DefusedXmlException
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from annotator.domain.formats.base import Guess, Options, SourceFile, file_by_file
from annotator.domain.formats.beginnings import has_suffix, placed, starts_with
from annotator.domain.formats.columns import guess_columns
from annotator.domain.formats.errors import FormatError, FormatWarning, quote
from annotator.domain.formats.features import Feature
from annotator.domain.formats.records import PairRecord, Read, Record
from annotator.domain.formats.tables import MOST_COLUMNS, Header, Rows, first_cells, table_records, table_rows
from annotator.domain.formats.xml_events import check_tags
from annotator.domain.said import Sentence, by_number, say
from annotator.domain.said import gettext_noop as _

# What Excel itself allows in a cell.
_LONGEST_CELL = 32_767
# How Excel spells a character that XML has no place for.
_ESCAPE = re.compile(r"_x[0-9A-Fa-f]{4}_")
# A workbook of a million sentences is 400 MB of XML and packs to a tenth. Bombs pack to a thousandth.
_MOST_BYTES = 2_000_000_000
_MOST_RATIO = 200
_SMALL = 10_000_000
# Smaller parts have no room for a tag that takes seconds.
_CHECKED = 1_000_000
# What a part raises that is damaged, locked by a password (RuntimeError), or packed in a way that nobody here knows.
_DAMAGED = (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
# As many as Excel has. Rows need not follow each other in the file, so that a small one could say any number.
_MOST_ROWS = 1_048_576
_NO_RESULT = re.compile(rb'<c r="([A-Z]{1,3}[0-9]{1,7})"[^<>]*><f[^<>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>')
_PIECE = 1_000_000
# Excel has formulas of up to 8,192 characters, in XML some more.
_LONGEST_FORMULA = 50_000
# Rows that tell whether a sheet has a table, and where it begins.
_LOOKED_AT = 10
# Of a workbook with more sheets, the first ones are looked at for a table.
_MOST_SHEETS = 50


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
        """A record a row; see `tables`. Raises FormatError for what is no workbook, or a harmful one."""
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
        what = _("only the sheet %(name)s is read, not %(names)s; to read another one, save it as a file of its own")
        if chosen is None:
            chosen = next((sheet for sheet in sheets if _has_cells(file, sheet)), sheets[0])
            what = _("only the sheet %(name)s is read, the first one with cells, not %(names)s")
        if len(sheets) > 1:
            names = ", ".join(other.title for other in sheets if other is not chosen)
            yield FormatWarning(file.name, 1, say(what, name=chosen.title, names=names))
        # Where the sheet is in the file, openpyxl keeps to itself.
        stat = file.path.stat()
        first, number = _without_results(file.path, chosen._worksheet_path, stat.st_mtime_ns, stat.st_size)
        if number:
            what = by_number(
                number,
                _(
                    "the cell %(cell)s has a formula and not its result; it is read as empty: open the workbook in a "
                    "spreadsheet program, and save it"
                ),
                _(
                    "%(number)s cells have a formula and not its result, the first one %(cell)s; they are read as "
                    "empty: open the workbook in a spreadsheet program, and save it"
                ),
            )
            line = int(first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
            yield FormatWarning(file.name, line, say(what, number=number, cell=first))
        yield from _sheet(file, chosen)


def sheet_beginnings(file: SourceFile, limit: int) -> list[tuple[str, list[list[str]]]]:
    """The title of each sheet that has cells, and its first rows, at most `limit`. Raises FormatError."""
    with _opened(file) as sheets:
        found = ((sheet.title, first_cells(_sheet(file, sheet), limit)) for sheet in sheets[:_MOST_SHEETS])
        return [(title, rows) for title, rows in found if rows]


@contextlib.contextmanager
def _opened(file: SourceFile) -> Iterator[list[Any]]:
    """The sheets of a workbook, at least one."""
    _check_size(file)
    stat = file.path.stat()
    _check_tags(file.name, file.path, stat.st_mtime_ns, stat.st_size)
    try:
        book = openpyxl.load_workbook(file.path, read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # openpyxl raises whatever it meets in a damaged file
        raise FormatError(file.name, 0, say(_("an Excel workbook (.xlsx)")), _said(error)) from error
    try:
        sheets: list[Any] = list(book.worksheets)
        if not sheets:
            raise FormatError(file.name, 0, say(_("a sheet")), say(_("none")))
        for sheet in sheets:
            # What a workbook says of its size need not be true.
            sheet.reset_dimensions()
        yield sheets
    finally:
        book.close()


def _has_cells(file: SourceFile, sheet: Any) -> bool:
    return any(any(cells) for _number, cells in itertools.islice(_cells(file, sheet), _LOOKED_AT))


def _sheet(file: SourceFile, sheet: Any) -> Rows:
    title = _title(file, sheet)
    if title:
        what = by_number(
            title,
            _("a row above the table, such as a title, which is left out"),
            _("%(rows)s rows above the table, such as a title, which are left out"),
        )
        yield FormatWarning(file.name, 1, say(what, rows=title))
    width = empty = 0
    for number, cells in _cells(file, sheet):
        if number <= title or (not cells and not width):
            continue
        if not cells:
            # After the last one with cells, rows have but a style.
            empty += 1
            continue
        if empty:
            yield FormatWarning(
                file.name,
                number - empty,
                say(by_number(empty, _("a row without text"), _("%(rows)s rows without text")), rows=empty),
            )
            empty = 0
        # Rows end at their last cell that is not empty.
        width = width or len(cells)
        yield number, [*cells, *[""] * (width - len(cells))]


def _title(file: SourceFile, sheet: Any) -> int:
    """How many rows stand above the table: such with one cell or none, and then an empty one."""
    rows = list(itertools.islice(_cells(file, sheet), _LOOKED_AT))
    filled = [sum(map(bool, cells)) for _number, cells in rows]
    begin = next((index for index, count in enumerate(filled) if count > 1), 0)
    return begin if begin and filled[0] == 1 and not filled[begin - 1] else 0


def _cells(file: SourceFile, sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """The rows of a sheet with their numbers, up to their last cell that is not empty."""
    number = 0
    rows = sheet.iter_rows(values_only=True)
    while True:
        number += 1
        try:
            values = next(rows)
        except StopIteration:
            return
        except Exception as error:  # as above: of any kind
            raise FormatError(file.name, number, say(_("rows of an Excel sheet")), _said(error)) from error
        if number > _MOST_ROWS:
            raise FormatError(
                file.name, number, say(_("at most %(most)s rows"), most=f"{_MOST_ROWS:,}"), say(_("further ones"))
            )
        cells = [_string(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) > MOST_COLUMNS:
            raise FormatError(
                file.name,
                number,
                say(_("at most %(most_columns)s columns"), most_columns=f"{MOST_COLUMNS:,}"),
                f"{len(cells):,}",
            )
        yield number, cells


def _check_size(file: SourceFile) -> None:
    """Refuse a zip file that is none, or unpacks to more than a workbook has."""
    try:
        with zipfile.ZipFile(file.path) as packed:
            parts = packed.infolist()
    except FileNotFoundError as error:
        raise FormatError(file.name, 0, say(_("this file")), say(_("no such file"))) from error
    except (OSError, zipfile.BadZipFile) as error:
        raise FormatError(file.name, 0, say(_("an Excel workbook (.xlsx)")), _said(error)) from error
    whole = sum(part.file_size for part in parts)
    if whole > _MOST_BYTES:
        raise FormatError(
            file.name,
            0,
            say(_("a workbook of at most %(most_bytes)s bytes unpacked"), most_bytes=f"{_MOST_BYTES:,}"),
            f"{whole:,}",
        )
    bomb = next(
        (p for p in parts if p.file_size > _SMALL and p.file_size > _MOST_RATIO * max(p.compress_size, 1)), None
    )
    if bomb is not None:
        raise FormatError(
            file.name,
            0,
            say(_("parts that unpack to at most %(most_ratio)s times their size"), most_ratio=_MOST_RATIO),
            say(
                _("%(filename)s of %(compress_size)s bytes, which unpacks to %(file_size)s"),
                filename=bomb.filename,
                compress_size=f"{bomb.compress_size:,}",
                file_size=f"{bomb.file_size:,}",
            ),
        )


@functools.lru_cache(maxsize=16)
def _check_tags(name: str, path: Path, _changed: int, _size: int) -> None:
    """Refuse what openpyxl would gather without end. Once for a file as it is: each preview opens it several times."""
    with zipfile.ZipFile(path) as packed:
        for part in packed.infolist():
            if part.file_size > _CHECKED:
                # What is damaged, openpyxl says.
                with contextlib.suppress(*_DAMAGED), packed.open(part) as stream:
                    check_tags(stream, f"{name}/{part.filename}")


@functools.lru_cache(maxsize=16)
def _without_results(path: Path, part: str, _changed: int, _size: int) -> tuple[str, int]:
    """The first cell with a formula and no result, "" for none, and how many there are: programs write such."""
    first, number, rest = "", 0, b""
    with contextlib.suppress(KeyError, *_DAMAGED), zipfile.ZipFile(path) as packed, packed.open(part) as stream:
        while piece := stream.read(_PIECE):
            found = list(_NO_RESULT.finditer(text := rest + piece))
            number += len(found)
            first = first or (found[0][1].decode() if found else "")
            # A cell that goes on in the next piece; of one that was found nothing is left.
            rest = text[max(found[-1].end() if found else 0, len(text) - _LONGEST_FORMULA) :]
    return first, number


def _string(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _check_cell(value: str) -> None:
    if len(value.encode("utf-16-le")) // 2 > _LONGEST_CELL:
        raise ValueError(f"A cell of an Excel sheet has room for {_LONGEST_CELL:,} characters, not {len(value):,}.")
    if "\r" in value or _ESCAPE.search(value) or ILLEGAL_CHARACTERS_RE.search(value):
        raise ValueError(f"This format cannot spell control characters, nor “_x000D_”: {quote(value, 80)}")


def _cell(sheet: Any, value: str) -> Any:
    cell = WriteOnlyCell(sheet, value=value or None)
    if value:
        # Or "=1+1" would become a formula.
        cell.data_type = "s"
    return cell


def _said(error: BaseException) -> Sentence:
    """What went wrong at first: the library's own words for it name our folders."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    if isinstance(error, DefusedXmlException):
        return say(_("entities of its own, which are not safe to read"))
    return quote(f"{type(error).__name__}: {error}", 200)
