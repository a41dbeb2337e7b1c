"""The list of sentences as a file, with the parallel texts: CSV or a workbook."""

from __future__ import annotations

import csv
import io
import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import IO

from annotator.formats.tables.formulas import guarded
from annotator.search.queries.filters import Filters, Reader
from annotator.search.queries.listing import CHUNK, found
from annotator.search.queries.rows import Row, rows_of

MAX_ROWS = 5000
# What a cell of Excel can hold.
_MAX_CHARACTERS = 32_767


def header(reader: Reader) -> list[str]:
    """The columns. Their names are of the file, and not translated."""
    parallel = [f"text_{language}" for language in reader.project.languages]
    return ["id", "language", "text", "hits", "labels", "labels_from", "dataset", "role", "document", *parallel]


def lines(reader: Reader, filters: Filters, *, state: Callable[[Row], str]) -> Iterator[list[str]]:
    """The rows, at most MAX_ROWS, in chunks of CHUNK. `state`: how a row says whose labels it has."""
    number = 0
    filters = replace(filters, after="")
    while number < MAX_ROWS:
        page = found(reader, filters, limit=min(CHUNK, MAX_ROWS - number))
        for row in rows_of(reader, page):
            number += 1
            yield _line(reader, row, state(row))
        if not page.after:
            return
        filters = replace(filters, after=page.after)


def _line(reader: Reader, row: Row, labels_from: str) -> list[str]:
    segment, unit = row.unit.segment, row.unit
    others = {other.language: other.text for other in row.others} | {unit.language: unit.text}
    labels = "; ".join(f"{label}: {words}" for label, words in row.spans)
    hits = " ".join(unit.tokens[at] for at in row.words)
    parallel = [others.get(language, "") for language in reader.project.languages]
    about = [segment.dataset, segment.role, segment.group if row.uid == segment.uid else ""]
    return [row.uid, unit.language, unit.text, hits, labels, labels_from, *about, *parallel]


def as_csv(head: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    """Line by line, with a mark by which spreadsheet programs know the encoding."""
    yield "\ufeff"
    for row in itertools.chain([head], rows):
        line = io.StringIO()
        csv.writer(line).writerow([guarded(cell) for cell in row])
        yield line.getvalue()


def as_xlsx(head: Sequence[str], rows: Iterator[list[str]]) -> IO[bytes]:
    """A workbook whose cells are texts, in a temporary file that is gone once it is closed."""
    # It loads NumPy where that is installed, which no other page needs.
    import openpyxl
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("sentences")
    for row in itertools.chain([head], rows):
        cells = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=ILLEGAL_CHARACTERS_RE.sub("", value)[:_MAX_CHARACTERS] or None)
            if value:
                # Or "=1+1" would become a formula.
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- the response closes it
    book.save(file)
    file.seek(0)
    return file
