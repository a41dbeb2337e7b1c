"""Rows of a table, however it was saved: text with commas, semicolons, tabs or bars, or an Excel workbook.

What formats read that know their columns by name, or their rows by shape: so that a table means the same to each of
them wherever it comes from.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import TypeVar

from annotator.domain.messages import Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import beginning, language_by_words, looks_like_text, starts_with
from annotator.formats.common.enclosing import below_enclosed_names, enclosing_of, unwrapped
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.lines import LineStream, open_bytes
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.separated import named_delimiter, parsed_rows, separated_rows
from annotator.formats.tables.tables import Rows, check_width

_T = TypeVar("_T")
WORKBOOK = ""
DELIMITERS = ",;\t|"
_WORKBOOKS = (".xlsx", ".xlsm")
_LOOKED_AT = 200
# How well the first rows fit a format, for telling which delimiter or sheet is meant.
_Rows = Sequence[Sequence[str]]
Fit = Callable[[_Rows], float]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading: its cells as they are written, the line that it stands in, and the rows below it."""

    heading: tuple[str, ...]
    line: int
    rows: Rows


def are_tables(files: Sequence[SourceFile]) -> bool:
    """Whether all files could be tables: workbooks, or text that is neither markup nor JSON."""
    return bool(files) and all(is_workbook(file) or looks_like_text([file]) for file in files)


def is_workbook(file: SourceFile) -> bool:
    """Whether a file is one of Excel's by its name and its first bytes."""
    return has_workbook_name(file.name) and starts_with(file, b"PK\x03\x04")


def has_workbook_name(name: str) -> bool:
    """Whether a file is called as Excel calls its workbooks."""
    return name.lower().endswith(_WORKBOOKS)


def delimiter_of(file: SourceFile, fit: Fit) -> str:
    """What stands between the cells: what Excel's first line says, or what makes the first rows `fit` best. WORKBOOK
    for a workbook."""
    if is_workbook(file):
        return WORKBOOK
    named = named_delimiter(next(iter(beginning(file, 1)), ""))
    return named or max(DELIMITERS, key=lambda delimiter: fit(first_rows(file, delimiter, fit)))


def name_as_text(name: str, suffix: str) -> str:
    """The name of a workbook with the suffix of the text that is written in its place; that of text as it is."""
    return str(PurePosixPath(name).with_suffix(suffix)) if has_workbook_name(name) else name


def first_rows(file: SourceFile, delimiter: str, fit: Fit) -> list[list[str]]:
    """The first rows that have text; none of a file that cannot be read. Of a workbook those of the sheet that makes
    them `fit` best."""
    if delimiter == WORKBOOK:
        sheets = _beginnings(file)
        return [list(row) for row in max(sheets, key=lambda sheet: fit(sheet[1]))[1]] if sheets else []
    lines = beginning(file)
    if lines and named_delimiter(lines[0]):
        del lines[0]
    cells = [tuple(line.split("\t")) for line in lines if line]
    quoting = delimiter != "\t" or enclosing_of(cells) != "none" or below_enclosed_names(cells)
    return [row for row in parsed_rows(lines, delimiter, quoting=quoting) if any(map(str.strip, row))]


def _beginnings(file: SourceFile) -> tuple[tuple[str, _Rows], ...]:
    """The sheets of a workbook by title, with their first rows; none of a damaged one."""
    stat = file.path.stat()
    return _first_of_sheets(file.name, file.path, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(maxsize=16)
def _first_of_sheets(name: str, path: Path, _changed: int, _size: int) -> tuple[tuple[str, _Rows], ...]:
    # Each format asks for them, and to open a workbook takes its time. The library loads NumPy, and the web process
    # does without until somebody brings a workbook.
    from annotator.formats.tables.xlsx import sheet_beginnings

    with contextlib.suppress(FormatError):
        found = sheet_beginnings(SourceFile(name, path), _LOOKED_AT)
        return tuple((title, tuple(map(tuple, rows))) for title, rows in found)
    return ()


def _workbook_rows(file: SourceFile, fit: Fit) -> Rows:
    from annotator.formats.tables.xlsx import workbook_rows

    fits = [(fit(rows), title) for title, rows in _beginnings(file)]
    best, title = max(fits, key=lambda one: one[0], default=(0.0, ""))
    if len(fits) > 1 and best <= 0:
        expected = message(_("a sheet with rows in this format: save it as a separate file"))
        got = message(_("the sheets %(names)s"), names=", ".join(title for _fit, title in fits))
        raise file.error(0, expected, got)
    yield from workbook_rows(file, title if len(fits) > 1 else "")


def enclosing(file: SourceFile) -> str:
    """How the cells of a file with tabs are enclosed (`enclosing_of`)."""
    return _of_cells(file, enclosing_of) or "none"


def _of_cells(file: SourceFile, look: Callable[[Iterable[tuple[str, ...]]], _T]) -> _T | None:
    # What is wrong with the lines is said when they are read.
    with contextlib.suppress(FormatError), open_bytes(file.path, file.name) as stream:
        lines = LineStream(stream, file.name, file.encoding or "utf-8")
        return look(tuple(line.split("\t")) for _number, line in lines if line and not named_delimiter(line))
    return None


def is_quoted(file: SourceFile, delimiter: str, *, has_heading: bool = False) -> bool:
    """Whether quotation marks enclose cells, as they always do but between tabs."""
    return delimiter != "\t" or enclosing(file) != "none" or bool(has_heading and _of_cells(file, below_enclosed_names))


def sheet_rows(file: SourceFile, delimiter: str, fit: Fit, *, has_heading: bool = False) -> Rows:
    """All rows with text, each with its line; of a workbook those of the sheet whose first rows `fit` best. Rows
    without any that follow each other are one warning.

    What a file begins and ends with, such as a byte order mark, is not reported. Raises FormatError where nothing more
    can be understood.
    """
    if delimiter == WORKBOOK:
        return _with_text(file, _workbook_rows(file, fit))
    if not is_quoted(file, delimiter, has_heading=has_heading):
        return _with_text(file, _plain_rows(file))
    rows = separated_rows(file, delimiter, quoting=True)
    return _with_text(file, (read for read in rows if not isinstance(read, FormatWarning)))


def headed(file: SourceFile, known: Callable[[Sequence[str]], int]) -> Table:
    """The table of a file whose first row names its columns. `known`: how many of them a row names.

    Rows may be shorter than the heading, and longer where no text stands below no name. A heading without rows below
    it is an error among the rows. Raises FormatError.
    """
    fit = heading_fit(known)
    rows = sheet_rows(file, delimiter_of(file, fit), fit, has_heading=True)
    before: list[FormatWarning | FormatError] = []
    for read in rows:
        if isinstance(read, tuple):
            line, cells = read
            return Table(tuple(cells), line, chain(before, _below(file, line, cells, rows)))
        before.append(read)
    raise file.error(1, _("a header with the names of the columns"), _("an empty file"))


def heading_of(file: SourceFile, known: Callable[[Sequence[str]], int]) -> list[str]:
    """The heading that `headed` would find; none of a file that cannot be read."""
    fit = heading_fit(known)
    return next(iter(first_rows(file, delimiter_of(file, fit), fit)), [])


def heading_fit(known: Callable[[Sequence[str]], int]) -> Fit:
    """How many columns the first row names. `known`: how many of them any row names."""
    return lambda rows: known(rows[0]) if rows else 0


def with_one_language(
    files: Sequence[SourceFile], languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files of a format that names no language with the one that was chosen, the only one there is, or the one that
    their words are of; and what was only guessed."""
    notes: list[Sentence] = []
    found: list[SourceFile] = []
    only = languages[0] if len(languages) == 1 else ""
    for file in files:
        language = file.language if file.language in languages else only
        if not language and (language := language_by_words(words_of(file), languages)):
            notes.append(
                message(_("%(name)s seems to be in %(guess)s, judging by its words"), name=file.name, guess=language)
            )
        found.append(replace(file, language=language))
    return tuple(found), tuple(notes)


def words_of(file: SourceFile) -> str:
    """The beginning of a file as running words, for telling its language."""
    if not is_workbook(file):
        return " ".join(beginning(file)).translate(_SEPARATING)
    # Notes are short beside a table.
    return " ".join(cell for _title, rows in _beginnings(file) for row in rows for cell in row)


_SEPARATING = str.maketrans(dict.fromkeys('\t,;|"', " "))


def _plain_rows(file: SourceFile) -> Rows:
    """Lines cut at tabs. One warning of cells that a spreadsheet seems to have enclosed, though not all others."""
    first = number = 0
    with open_bytes(file.path, file.name) as stream:
        for line, text in LineStream(stream, file.name, file.encoding or "utf-8"):
            if line == 1 and named_delimiter(text):
                continue
            check_width(file, line, text.count("\t") + 1)
            cells = text.split("\t")
            if '""' in text and any('"' in (unwrapped(cell) or "") for cell in cells):
                first, number = first or line, number + 1
            yield line, cells
    if number:
        what = by_number(
            number,
            _(
                "cells in quotation marks in this row, as a spreadsheet saves them; other cells have such marks in "
                "their text, so these are read as text, too. To read the table without them, save it as .xlsx or CSV"
            ),
            _(
                "cells in quotation marks in %(rows)s rows from here on, as a spreadsheet saves them; other cells "
                "have such marks in their text, so these are read as text, too. To read the table without them, save "
                "it as .xlsx or CSV"
            ),
        )
        yield FormatWarning(file.name, first, message(what, rows=number))


def _with_text(file: SourceFile, rows: Iterator[tuple[int, Sequence[str]] | FormatWarning | FormatError]) -> Rows:
    first = number = 0

    def left_out() -> Iterator[FormatWarning]:
        if number:
            what = (
                message(_("%(rows)s rows without text"), rows=number)
                if number > 1
                else message(_("a row without text"))
            )
            yield FormatWarning(file.name, first, what)

    for read in rows:
        if isinstance(read, tuple) and not any(map(str.strip, read[1])):
            first, number = first if number else read[0], number + 1
            continue
        if isinstance(read, tuple):
            yield from left_out()
            number = 0
        yield read
    yield from left_out()


def _below(file: SourceFile, heading_line: int, heading: Sequence[str], rows: Rows) -> Rows:
    width = len(heading)
    names = [cell.strip() for cell in heading]
    number = 0
    for read in rows:
        number += not isinstance(read, FormatWarning)
        if not isinstance(read, tuple):
            yield read
            continue
        line, cells = read
        if list(map(str.strip, cells)) == names:
            yield FormatWarning(file.name, line, message(_("the header again, which is left out")))
            continue
        beyond = islice(cells, width, None)
        yield line, cells if any(map(str.strip, beyond)) else cells[:width]
    if not number:
        yield file.error(heading_line, _("rows below the header"), _("none"))
