"""Rows of a table as records, and records as rows: what CSV, TSV and XLSX share.

A row is a sentence in the languages of its columns, or a pair: one that names its two sentences by their ids, or has
their texts. The meanings of columns are those of `Options.columns`; we write them as the header.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import IO

from annotator.domain.messages import Message, Sentence, by_number, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.marked import CLOSE, OPEN
from annotator.domain.text.tokens import is_punctuation, white_space
from annotator.formats.columns.cells import CellError, text_of_cells
from annotator.formats.columns.columns import BY_LANGUAGE, OF_ROW
from annotator.formats.common.counted import counted
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.names import language_code
from annotator.formats.common.pairs import Pairs
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import PairRecord, Read, Record
from annotator.formats.json.answer_states import in_state, state_of_cells
from annotator.formats.json.interchange import labels_to_json
from annotator.formats.json.span_objects import ShapeError
from annotator.formats.tables.header import Cells, Header, meanings_of_columns
from annotator.formats.text.characters import plain, split_places

# More are not a table of sentences, but a file read with the wrong delimiter.
MAX_COLUMNS = 1000

# The meanings of columns of texts.
_TEXTS = ("text", "premise", "hypothesis")
Rows = Iterator[tuple[int, Cells] | FormatWarning | FormatError]


def check_width(file: SourceFile, line: int, columns: int) -> None:
    """Raises FormatError for a row of more columns than a table of sentences has."""
    if columns > MAX_COLUMNS:
        most = f"{MAX_COLUMNS:,}"
        raise file.error(line, _("at most %(most_columns)s columns"), f"{columns:,}", most_columns=most)


def table_records(file: SourceFile, rows: Rows, options: Options, header: Header) -> Iterator[Read]:
    """The records and pairs of a table; a FormatError for a row that is none."""
    table: _Table | None = None
    counts: Counter[Sentence] = Counter()
    pending: Record | None = None
    warned = False
    for read in rows:
        if not isinstance(read, tuple):
            yield read
            continue
        line, cells = read
        check_width(file, line, len(cells))
        if table is None:
            table = _begun(file, line, cells, options, header, counts)
            if options.header:
                continue
        if (odd := table.passed_over(cells)) is not None:
            yield FormatWarning(file.name, line, odd)
            continue
        if not warned and table.has_marks(cells):
            warned = True
            yield FormatWarning(file.name, line, message(_("marks such as <b>…</b> in a text, read as part of it")))
        try:
            for record in table.reads(line, cells):
                if pending is not None and isinstance(record, Record) and _continues(pending, record):
                    pending = replace(pending, texts={**pending.texts, **record.texts})
                    continue
                if pending is not None:
                    yield pending
                    pending = None
                if isinstance(record, Record):
                    pending = record
                else:
                    yield record
        except CellError as error:
            yield table.wrong(line, error)
        except ShapeError as error:
            yield file.error(line, _("cells that match the meaning of their columns"), message_of(error))
    if pending is not None:
        yield pending
    yield from counted(counts, file.name, 1)


def first_cells(rows: Rows, limit: int) -> list[list[str]]:
    """The first rows of a table as they are, for the person who says what its columns mean. Raises FormatError."""
    return [list(read[1]) for read in islice((read for read in rows if isinstance(read, tuple)), limit)]


def _continues(one: Record, other: Record) -> bool:
    """Whether a row is the same sentence in another language: tables with a column that says the language."""
    return bool(one.id) and (one.id, one.role) == (other.id, other.role) and not set(one.texts) & set(other.texts)


def _begun(
    file: SourceFile, line: int, cells: Cells, options: Options, header: Header, counts: Counter[Sentence]
) -> _Table:
    """The table that begins with a row: its header, or its first record."""
    names = tuple(cell.strip() for cell in cells) if options.header else ()
    return _Table(file, meanings_of_columns(file, line, cells, options, header), len(cells), counts, names)


@dataclass
class _Table:
    """A table with its columns, as its rows are read. `counts`: what was left out of rows; `names`: its header, empty
    where it has none."""

    file: SourceFile
    meanings: Mapping[int, tuple[str, str]]
    width: int
    counts: Counter[Sentence]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.pairs = Pairs(self.file)
        # They may say in which state answers are.
        self.free = [index for index in range(len(self.names)) if index not in self.meanings]

    def passed_over(self, cells: Cells) -> Message | None:
        """Why a row is none: it is the header again, as where files were put together, or empty."""
        # Asked of every row, so that its first cell decides.
        if self.names and cells[0].strip() == self.names[0] and self.names == tuple(map(str.strip, cells)):
            return message(_("the header again, which is left out"))
        return None if any(cell.strip() for cell in cells) else message(_("a row without text"))

    def has_marks(self, cells: Cells) -> bool:
        """Whether a word is marked in a text of the row, as MUNCH's files do it."""
        texts = (
            cells[index] for index, (name, _rest) in self.meanings.items() if name in _TEXTS and index < len(cells)
        )
        return any(OPEN in text and CLOSE in text for text in texts)

    def wrong(self, line: int, error: CellError) -> FormatError:
        """The error of a cell, with the name or number of its column."""
        fits = [i for i, (name, _rest) in self.meanings.items() if name == error.meaning]
        column = next((i for i in fits if self.meanings[i][1] == error.language), fits[0])
        called = quote(self.names[column], 60) if self.names else str(column + 1)
        expected = message(_("in column %(column)s: %(holds)s"), column=called, holds=error.holds)
        return self.file.error(line, expected, error.message)

    def reads(self, line: int, cells: Cells) -> Iterator[Record | PairRecord]:
        """The records of a row. Raises ShapeError."""
        if len(cells) != self.width:
            raise ShapeError(
                message(
                    by_number(
                        len(cells),
                        _("%(cells)s cell in a table of %(width)s"),
                        _("%(cells)s cells in a table of %(width)s"),
                    ),
                    cells=len(cells),
                    width=self.width,
                )
            )
        row: dict[str, str] = {}
        by_language: dict[str, dict[str, str]] = {}
        for index, (name, language) in self.meanings.items():
            cell = cells[index]
            if name in OF_ROW:
                row[name] = cell.strip() if name != "id" else cell
            elif cell:
                by_language.setdefault(name, {})[language] = cell
        row_language = language_code(row.get("language", ""))
        if row_language:
            by_language = {
                name: {language or row_language: cell for language, cell in values.items()}
                for name, values in by_language.items()
            }
        state = state_of_cells({self.names[index]: cells[index] for index in self.free})
        for read in self._row(line, row, by_language):
            if isinstance(read, Record):
                yield replace(read, texts=in_state(dict(read.texts), state, self.counts))
            elif isinstance(read, PairRecord):
                yield read

    def _row(self, line: int, row: Mapping[str, str], by: Mapping[str, Mapping[str, str]]) -> Iterator[Read]:
        identity = row.get("id", "") or row.get("pair_id", "")
        if by.get("premise") or by.get("hypothesis"):
            if not (by.get("premise") and by.get("hypothesis")):
                raise ShapeError(_("a premise without a hypothesis, or the other way round"))
            yield from self.pairs.reads(
                line,
                by["premise"],
                by["hypothesis"],
                inference=row.get("inference", ""),
                pair_id=row.get("pair_id", "") or identity,
                premise_id=row.get("premise_id", ""),
                genre=row.get("genre", ""),
                source=row.get("source", ""),
                tags=by.get("tag"),
            )
            return
        if row.get("premise_id") and row.get("hypothesis_id"):
            yield PairRecord(
                self.file.name,
                line,
                row.get("pair_id", "") or identity,
                row["premise_id"],
                row["hypothesis_id"],
                row.get("inference", ""),
                by.get("tag", {}),
            )
            return
        languages = dict.fromkeys([*by.get("text", {}), *by.get("tokens", {})])
        if not languages:
            raise ShapeError(_("no text in any column"))
        if "" in languages:
            raise ShapeError(_("no language"))
        yield Record(
            self.file.name,
            line,
            {
                language: text_of_cells(
                    {name: values.get(language, "") or values.get("", "") for name, values in by.items()}, language
                )
                for language in languages
            },
            id=row.get("id", ""),
            role=row.get("role", "") or self.file.role,
            group=row.get("group", ""),
            genre=row.get("genre", ""),
            source=row.get("source", ""),
        )


# Writing


def table_rows(records: Iterable[Record | PairRecord], check: Callable[[str], None]) -> Iterator[list[str]]:
    """The rows of a table with its header, which has the columns that are needed.

    `check` raises ValueError for a cell that the format cannot spell; that happens before there is any row.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
        used = _spooled(records, spool, check)
        row = [name for name in OF_ROW if (name, "") in used]
        languages = dict.fromkeys(language for _, language in used if language)
        columns = [
            *((name, "") for name in row),
            *((name, language) for language in languages for name in BY_LANGUAGE if (name, language) in used),
        ]
        yield [f"{name}:{language}" if language else name for name, language in columns]
        spool.seek(0)
        for line in spool:
            cells = {(name, language): cell for name, language, cell in json.loads(line)}
            yield [cells.get(column, "") for column in columns]


def _spooled(
    records: Iterable[Record | PairRecord], spool: IO[str], check: Callable[[str], None]
) -> dict[tuple[str, str], None]:
    """Write the cells of each record down; which columns there are, in the order in which they came."""
    used: dict[tuple[str, str], None] = {}
    for record in records:
        cells = list(_pair_cells(record) if isinstance(record, PairRecord) else _record_cells(record))
        for _name, _language, cell in cells:
            check(cell)
        used |= dict.fromkeys((name, language) for name, language, _ in cells)
        # As ASCII, so that no character is a line's end to the spool.
        spool.write(json.dumps(cells) + "\n")
    return used


def _record_cells(record: Record) -> Iterator[tuple[str, str, str]]:
    for name in ("id", "role", "group", "genre", "source"):
        if value := getattr(record, name):
            if name != "id" and value != value.strip():
                raise ValueError(f"The {name} {value!r} begins or ends in white space, which this format cannot spell.")
            yield name, "", value
    for language, text in record.texts.items():
        string = plain(text)
        yield "text", language, string
        split = tuple(string[begin:end] for begin, end in split_places(string, language, "given"))
        # Punctuation attached to words would be split off when text alone is read (`token_choice`).
        if not string or (text.tokens and (text.tokens != split or any(map(_bears_a_mark, split)))):
            yield "tokens", language, json.dumps(text.tokens, ensure_ascii=False)
            if string and tuple(white_space(string, text.tokens)) != text.spaces:
                yield "spaces", language, json.dumps(text.spaces, ensure_ascii=False)
        if text.lemmas:
            yield "lemmas", language, json.dumps(text.lemmas, ensure_ascii=False)
        if text.parts_of_speech:
            yield "pos", language, json.dumps(text.parts_of_speech, ensure_ascii=False)
        if text.labels:
            yield "labels", language, json.dumps(labels_to_json(text), ensure_ascii=False)
        if list(text.values) == [""] and len(text.values[""]) == 1 and text.values[""][0]:
            yield "value", language, text.values[""][0]
        elif text.values:
            values = {layer: list(values) for layer, values in text.values.items()}
            yield "values", language, json.dumps(values, ensure_ascii=False)


def _bears_a_mark(token: str) -> bool:
    return is_punctuation(token[-1]) and not is_punctuation(token)


def _pair_cells(pair: PairRecord) -> Iterator[tuple[str, str, str]]:
    yield "pair_id", "", pair.id
    yield "premise_id", "", pair.premise
    yield "hypothesis_id", "", pair.hypothesis
    yield "inference", "", pair.inference
    for language, tag in pair.values.items():
        yield "tag", language, tag
