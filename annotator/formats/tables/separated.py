"""CSV and TSV: cells separated by commas, semicolons, tabs or bars, in quotation marks where they need them."""

from __future__ import annotations

import contextlib
import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.columns.columns import guess_columns, names_a_column, names_a_text
from annotator.formats.common.beginnings import beginning, has_suffix, looks_like_text, placed, starts_with
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.features import Feature
from annotator.formats.common.lines import MAX_LINE, LineStream, open_lines
from annotator.formats.common.protocol import Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.tables.formulas import guarded, unguarded
from annotator.formats.tables.header import Header
from annotator.formats.tables.number_formats import was_cut_short
from annotator.formats.tables.sheet_layout import TWO_HEADINGS, two_headings
from annotator.formats.tables.tables import Rows, check_width, first_cells, table_records, table_rows

# A cell with more line breaks is a quotation mark that nobody closed.
_MAX_LINES = 1000
_NEVER_CLOSED = "never closed"
# A formula by which spreadsheet programs keep a number as text: ="007".
_AS_TEXT = re.compile(r'="([^"]*)"')
# What Excel takes the delimiter from, before the header.
_NAMED_DELIMITER = re.compile(r"sep=([,;\t|])", re.IGNORECASE)


class Separated:
    """CSV ("csv", any delimiter) or TSV ("tsv", tabs)."""

    writes = True
    keeps = frozenset(Feature)

    def __init__(self, slug: str, delimiters: str) -> None:
        self.slug = slug
        self._delimiters = delimiters

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """Lines with as many delimiters each."""
        if not looks_like_text(files):
            return None
        beginnings = [[line for line in beginning(file) if line and not named_delimiter(line)] for file in files]
        first = beginnings[0]
        (share, _rest), delimiter = max(
            (min(_evenness(lines, delimiter, quoting=_quotes(lines, delimiter)) for lines in beginnings), delimiter)
            for delimiter in self._delimiters
        )
        named = has_suffix(files, f".{self.slug}")
        if named and not share and all(_has_one_column(lines, self._delimiters[0]) for lines in beginnings):
            share, delimiter = 1.0, self._delimiters[0]
        if share < 0.7 and not (named and share > 0.2):
            return None
        quoting = _quotes(first, delimiter)
        known, notes = placed(files, languages)
        # Languages by name and by words are for whole files; columns may say better.
        rows = _with_one_heading(parsed_rows(first, delimiter, quoting=quoting))
        found = guess_columns(rows, languages, file_language=known[0].language)
        several = {meaning.split(":")[1] for meaning in found.meanings.values() if ":" in meaning}
        if len(several) > 1:
            known, notes = tuple(files), ()
        options = Options(columns=found.meanings, delimiter=delimiter, header=found.header, quoting=quoting)
        # Each sentence of a text may have one comma; none has a tab.
        sure = 0.45 if named else 0.35 if delimiter == "\t" else 0.1
        sure += 0.25 * share + (0.2 if found.header else 0.0)
        return Guess(self.slug, sure, known, options, (*notes, *found.notes), found.doubts)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a row; see `tables`."""
        header = Header()
        return file_by_file(files, lambda file: table_records(file, self._rows(file, options), options, header))

    def cells(self, files: Sequence[SourceFile], options: Options, limit: int) -> list[list[str]]:
        """The first rows of the first file as they are, header included. Raises FormatError."""
        return first_cells(self._rows(files[0], options), limit)

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """One file, with a header."""
        path = folder / f"corpus.{self.slug}"
        with path.open("w", encoding="utf-8", newline="") as file:
            delimiter = self._delimiters[0]
            writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
            # The module sees no need to quote a carriage return, but its reader does.
            careful = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
            for row in table_rows(records, _check_cell):
                cells = [guarded(cell) for cell in row]
                (careful if any("\r" in cell for cell in cells) else writer).writerow(cells)
        return [path]

    def _rows(self, file: SourceFile, options: Options) -> Rows:
        delimiter = options.delimiter or self._delimiters[0]
        rows = separated_rows(file, delimiter, quoting=options.quoting)
        for given in _headed(file, rows) if options.header else rows:
            read = _without_formulas(given)
            if isinstance(read, tuple) and not read[1]:
                yield FormatWarning(file.name, read[0], message(_("a blank line")))
                continue
            if isinstance(read, tuple) and (cut := next(filter(was_cut_short, read[1]), "")):
                what = _(
                    "%(number)s has lost digits in a spreadsheet program. Format its column as text there, and export "
                    "the table again."
                )
                yield FormatWarning(file.name, read[0], message(what, number=cut))
            yield read


def separated_rows(file: SourceFile, delimiter: str, *, quoting: bool) -> Rows:
    """The rows of a file of text, a blank line as one without cells; last, what was odd about its lines.

    A row that is none, such as one with a quotation mark that nobody closed, is an error, and the next line a new row.
    Raises FormatError where nothing more can be understood.
    """
    if starts_with(file, b"PK\x03\x04"):
        expected = message(_("a table as text, such as CSV"))
        raise file.error(0, expected, _("a zip file, such as an Excel workbook: choose its format"))
    # The module's own limit is for all of the process, and too low for 100,000 tokens in a cell.
    csv.field_size_limit(MAX_LINE)
    with open_lines(file, ends=True) as lines:
        feed = _Feed(file, lines, delimiter, quoting=quoting)
        mode: Literal[0, 3] = csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE
        reader = csv.reader(feed, delimiter=delimiter, quoting=mode, strict=True)
        while True:
            feed.begin_row()
            try:
                cells = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                yield _unreadable(file, feed, str(error))
                feed.give_again()
                reader = csv.reader(feed, delimiter=delimiter, quoting=mode, strict=True)
            else:
                yield feed.begin, cells
        yield from lines.warnings


def _with_one_heading(rows: list[list[str]]) -> list[list[str]]:
    """The first rows, of which the first two may name the columns together."""
    heading = two_headings(list(enumerate(rows[:2], start=1)), (), is_name=names_a_column)
    return rows if heading is None else [heading, *rows[2:]]


def _headed(file: SourceFile, rows: Rows) -> Rows:
    """The rows, the first two as one where they name the columns together."""
    first: list[tuple[int, Sequence[str]]] = []
    for read in rows:
        if not isinstance(read, tuple) or not read[1]:
            yield read
            continue
        first.append(read)
        if len(first) == 2:
            break
    heading = two_headings(first, (), is_name=names_a_column)
    if heading is None:
        yield from first
    else:
        shown = quote(" | ".join(heading), 120)
        yield FormatWarning(file.name, first[1][0], message(TWO_HEADINGS, names=shown))
        yield first[1][0], heading
    yield from rows


def _has_one_column(lines: Sequence[str], delimiter: str) -> bool:
    """Whether a table has but one column, which its first row names."""
    rows = parsed_rows(lines, delimiter, quoting=True)
    return len(rows) > 1 and all(len(row) == 1 for row in rows) and names_a_text(rows[0][0])


def named_delimiter(line: str) -> str:
    """The delimiter that Excel's first line names ("sep=;"); "" for any other line."""
    found = _NAMED_DELIMITER.fullmatch(line.rstrip("\r\n"))
    return found[1] if found else ""


def _without_formulas(
    read: tuple[int, Sequence[str]] | FormatWarning | FormatError,
) -> tuple[int, Sequence[str]] | FormatWarning | FormatError:
    """A row with what formulas of text (`_AS_TEXT`) show, and cells without what keeps them from being formulas."""
    if not isinstance(read, tuple) or not any(cell.startswith(('="', "'")) for cell in read[1]):
        return read
    return read[0], [found[1] if (found := _AS_TEXT.fullmatch(cell)) else unguarded(cell) for cell in read[1]]


def _check_cell(cell: str) -> None:
    # The module reads "\0" but no reader of ours takes it for text.
    if "\0" in cell:
        raise ValueError("A text holds a NUL character, which this format cannot spell.")


class _Feed:
    """Lines for the module csv, which tells where a row began and stops at rows without an end."""

    def __init__(self, file: SourceFile, lines: LineStream, delimiter: str, *, quoting: bool) -> None:
        self.begin = 1
        self._lines = iter(lines)
        self._file = file
        self._delimiter = delimiter
        self._quoting = quoting
        # The lines of the row that is read, and those that are given once more.
        self._row: list[tuple[int, str]] = []
        self._again: deque[tuple[int, str]] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def begin_row(self) -> None:
        """The next line begins a row."""
        self._row.clear()

    def give_again(self) -> None:
        """The lines of this row after its first one are given once more: that one alone is at fault."""
        self._again.extendleft(reversed(self._row[1:]))

    def __next__(self) -> str:
        number, line = self._next()
        if number == 1 and named_delimiter(line) == self._delimiter:
            number, line = self._next()
        if not self._row:
            self.begin = number
        self._row.append((number, line))
        if len(self._row) > _MAX_LINES:
            raise csv.Error(_NEVER_CLOSED)
        # Counted before two million cells are made.
        if not (self._quoting and '"' in line):
            check_width(self._file, number, line.count(self._delimiter) + 1)
        return line

    def _next(self) -> tuple[int, str]:
        return self._again.popleft() if self._again else next(self._lines)


def _unreadable(file: SourceFile, feed: _Feed, what: str) -> FormatError:
    if what == _NEVER_CLOSED:
        got = message(_("none in the %(most_lines)s lines after it"), most_lines=f"{_MAX_LINES:,}")
        return file.error(feed.begin, _("a quotation mark that closes the cell"), got)
    if "unexpected end" in what:
        return file.error(feed.begin, _("a quotation mark that closes the cell"), _("the end of the file"))
    if "expected after" in what:
        return file.error(feed.begin, _("the end of the cell after its closing quotation mark"), _("more characters"))
    return file.error(feed.begin, _("a row of cells"), what)


def _quotes(lines: Sequence[str], delimiter: str) -> bool:
    """Whether quotation marks enclose cells, rather than being characters of the text."""
    header = lines[0].split(delimiter) if lines else []
    if len(header) > 1 and all(len(cell) > 1 and cell.startswith('"') and cell.endswith('"') for cell in header):
        return True
    opened = closed = 0
    for line in lines:
        for cell in line.split(delimiter):
            opened += cell.startswith('"')
            closed += len(cell) > 1 and cell.endswith('"')
    if not opened:
        return delimiter != "\t" or not any('"' in line for line in lines)
    if opened != closed:
        # A cell with a line break opens in one line and closes in another; text in tabs just begins with a mark.
        return delimiter != "\t"
    try:
        return len({len(row) for row in csv.reader(lines, delimiter=delimiter, strict=True)}) == 1
    except csv.Error:
        return delimiter != "\t"


def parsed_rows(lines: Sequence[str], delimiter: str, *, quoting: bool) -> list[list[str]]:
    """The first rows, as far as they can be read."""
    rows: list[list[str]] = []
    mode: Literal[0, 3] = csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE
    with contextlib.suppress(csv.Error):
        rows += (row for row in csv.reader([f"{line}\n" for line in lines], delimiter=delimiter, quoting=mode) if row)
    return rows


def _evenness(lines: Sequence[str], delimiter: str, *, quoting: bool) -> tuple[float, int]:
    """The share of rows that have the most usual number of cells, and that number; 0 where it is one."""
    rows = parsed_rows(lines, delimiter, quoting=quoting)
    counts = Counter(len(row) for row in rows)
    if not counts:
        return 0.0, 0
    (width, number), *_ = counts.most_common()
    return (0.0, 0) if width < 2 else (number / len(rows), width)
