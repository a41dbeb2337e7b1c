"""IMPLI's files: `premise TAB hypothesis TAB score` a line, and what the pairs are in the name of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from math import isfinite
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from annotator.core.unit_kinds import parts_of
from annotator.domain.content.verdict import ACCEPT
from annotator.domain.messages import Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.domain.pairs.inference_pairs import UNIT_KIND, class_of, compared, has_published_way
from annotator.domain.text.invisible_chars import is_seen
from annotator.domain.text.tokens import text_of
from annotator.formats.columns.columns import meaning_of
from annotator.formats.columns.headings import could_be_heading
from annotator.formats.common.beginnings import beginning, language_by_words
from annotator.formats.common.enclosing import enclosed_writer
from annotator.formats.common.errors import FormatError, FormatWarning, quote, quote_number
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import NEAR, Guess, Options, SourceFile, file_by_file
from annotator.formats.common.records import PairRecord, Read, Record, Text
from annotator.formats.tables.odd_rows import BOM, found_rows, line_end_of, odd_rows, within
from annotator.formats.tables.separated import named_delimiter
from annotator.formats.tables.sheets import (
    are_tables,
    delimiter_of,
    enclosing,
    first_rows,
    is_workbook,
    sheet_rows,
    with_one_language,
)

SLUG = "impli"
VALIDITY = "validity"
COLUMNS = ("premise", "hypothesis", "score")
MAX_CELLS = len(COLUMNS)
# As programs in Spanish write a number where the comma is not between cells.
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a file. `more`: what stands after the second sentence, with its tab; "" where there is none."""

    line: int
    premise: str
    hypothesis: str
    more: str


class Impli:
    """Files without a heading, whose names say whether the second sentence follows (`…_e.tsv`, `…_ne.tsv`)."""

    slug = SLUG
    title = "IMPLI"
    brings = "pairs"
    parallel = False
    kinds = ("rewrite", "define")
    writes = False
    keeps: frozenset[Feature] = frozenset()

    def recognise(self, files: Sequence[SourceFile], *, languages: Sequence[str]) -> Guess | None:
        """All names say a class, and the first lines have two or three cells with tabs between them.

        What only has a published name, or such a one without its label, is taken for a damaged file of these: `read`
        says what is wrong with it. In a project with such pairs, so is a workbook or a table with commas, and whatever
        has two sentences of one language in a row under another name.
        """
        if not files or not are_tables(files):
            return None
        meant = all(_is_meant(file) for file in files)
        if not meant and not all(_is_meant(file) or _has_pairs(file, languages) for file in files):
            return None
        sure = 0.99 if all(class_of(file.name) and _looks_like_it(file) for file in files) else NEAR
        # "ne" in a name is not a language here.
        found, notes = with_one_language(files, languages)
        elsewhere = meant and all(_delimiter(file) == "\t" for file in files)
        return Guess(self.slug, sure, found, Options(), notes, only_at_home=not elsewhere)

    def read(self, files: Sequence[SourceFile], options: Options) -> Iterator[Read]:
        """A record a line. What is wrong with a file hides nothing of the others."""
        return file_by_file(files, _read)

    def parts(self, record: Record, text: Text) -> Sequence[tuple[object, str]]:
        """Both sentences, and whether the second one follows, as the name of the file says."""
        found: list[tuple[object, str]] = list(
            zip(parts_of(UNIT_KIND), text_of(text.tokens, text.spaces).split("\n"), strict=False)
        )
        made = class_of(record.file)
        if made is not None:
            found.append((gettext("Label"), gettext("Follows") if made.entailed else gettext("Does not follow")))
        return found

    def write(self, records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
        """Not here: releases write these files (`release.py`)."""
        raise NotImplementedError("IMPLI's files are written by releases.")

    def layout(self, file: SourceFile, options: Options) -> Mapping[str, Any]:
        """What stands behind the sentences: as most lines have it, and by line where one differs; which cells stand in
        quotation marks (`enclosing_of`); rows that are written in another way (`odd_rows`). What had no tabs goes out
        with them, under another `suffix`."""
        with_tabs = _delimiter(file) == "\t"
        data = file.path.read_bytes().decode(file.encoding or "utf-8", errors="replace") if with_tabs else "\n"
        text = data.removeprefix(BOM)
        rows = [row for row in _rows(file) if isinstance(row, _Row)]
        ends = [row.more for row in rows]
        usual = max(set(ends), key=ends.count) if ends else ""
        line_end = line_end_of(text)
        in_marks = enclosing(file) if with_tabs else "none"
        lines = found_rows(text, delimiter="\t", is_quoted=in_marks != "none", width=MAX_CELLS, line_end=line_end)
        return {
            "bom": data != text,
            "line_end": line_end,
            "ended": text.endswith("\n"),
            "more": usual,
            "odd": {str(row.line): row.more for row in rows if row.more != usual},
            "enclosing": in_marks,
            "odd_rows": odd_rows(lines, enclosed_writer(in_marks, line_end)),
            "suffix": "" if with_tabs else ".tsv",
        }


def _read(file: SourceFile) -> Iterator[Read]:
    made = class_of(file.name)
    if made is None:
        expected = message(_("a name that contains either “_e” or “_ne”, such as manual_e.tsv"))
        got = message(_("%(name)s; for sentences, choose another format"), name=quote(file.name))
        raise file.error(0, expected, got)
    seen: dict[bytes, int] = {}
    for row in _rows(file):
        if not isinstance(row, _Row):
            yield row
            continue
        yield from _doubts(file, row, seen)
        tokens, spaces = as_tokens((row.premise, row.hypothesis))
        # What was published was accepted, with the label that the name says.
        verdict = {"verdict": ACCEPT, "second": made.follows}
        text = Text(tokens=tokens, spaces=spaces, contents={VALIDITY: verdict})
        yield Record(file.name, row.line, {file.language: text}, kind=UNIT_KIND)


def _delimiter(file: SourceFile) -> str:
    lines = [] if is_workbook(file) else beginning(file)
    with_tabs = file.name.lower().endswith(".tsv") or any("\t" in line for line in lines)
    if lines and with_tabs and not named_delimiter(lines[0]):
        return "\t"
    return delimiter_of(file, _share_of_pairs)


def _share_of_pairs(rows: Sequence[Sequence[str]]) -> float:
    """How many of the rows could be two sentences and a score."""
    return sum(map(_could_be_pair, rows)) / len(rows) if rows else 0.0


def _fit(rows: Sequence[Sequence[str]]) -> float:
    """How surely a sheet has pairs: how many of its rows are such, and what share. One without a score is a note."""
    below = [within(row, MAX_CELLS) for row in (rows[1:] if rows and _names_columns(rows[0]) else rows)]
    if not below or (len(rows) == 1 and len(below[0]) < MAX_CELLS):
        return 0.0
    pairs = sum(_could_be_pair(row) and all(not cell.strip() or _is_score(cell) for cell in row[2:]) for row in below)
    return pairs * pairs / len(below)


def _names_columns(row: Sequence[str]) -> bool:
    return [meaning_of(cell, ()).partition(":")[0] for cell in row[:2]] == ["premise", "hypothesis"]


def _could_be_pair(row: Sequence[str]) -> bool:
    cells = within(row, MAX_CELLS)
    if not 2 <= len(cells) <= MAX_CELLS or cells[1].startswith(" "):
        # A comma of the text has a space behind it.
        return False
    return all(cell.strip() and not _is_number(cell) for cell in cells[:2])


def _is_meant(file: SourceFile) -> bool:
    if class_of(file.name) and _looks_like_it(file):
        return True
    if not has_published_way(file.name):
        return False
    delimiter = _delimiter(file)
    rows = first_rows(file, delimiter, _fit)
    if class_of(file.name):
        return bool(rows) and (delimiter != "\t" or file.name.lower().endswith(".tsv"))
    # "manual.tsv" may be anything, unless most of its lines are two texts of several words.
    pairs = sum(len(cells) in (2, 3) and all(" " in cell.strip() for cell in cells[:2]) for cells in rows)
    return 2 * pairs > len(rows)


def _has_pairs(file: SourceFile, languages: Sequence[str]) -> bool:
    """Whether most rows are two sentences of one language, and the first one names no columns."""
    rows = first_rows(file, _delimiter(file), _fit)
    if not rows or could_be_heading(rows[0]):
        return False
    pairs = [cells for cells in rows if _could_be_pair(cells) and all(" " in cell.strip() for cell in cells[:2])]
    if 2 * len(pairs) <= len(rows):
        return False
    guessed = {language_by_words(" ".join(cells[side] for cells in pairs), languages) for side in (0, 1)}
    return len(languages) == 1 or (len(guessed) == 1 and "" not in guessed)


def _looks_like_it(file: SourceFile) -> bool:
    delimiter = _delimiter(file)
    if delimiter != "\t":
        return has_published_way(file.name) and _share_of_pairs(first_rows(file, delimiter, _fit)) == 1.0
    lines = [line for line in beginning(file) if line]
    return bool(lines) and "\t" in lines[0] and all(line.count("\t") <= 2 for line in lines)


def _rows(file: SourceFile) -> Iterator[_Row | FormatWarning | FormatError]:
    delimiter = _delimiter(file)
    is_first = True
    for read in sheet_rows(file, delimiter, _fit):
        if not isinstance(read, tuple):
            yield read
            continue
        line, cells = read[0], within(read[1], MAX_CELLS)
        heading = _heading(file, delimiter, line, cells) if is_first else None
        is_first = False
        yield heading or _row(file, delimiter, line, cells)


def _heading(file: SourceFile, delimiter: str, line: int, cells: Sequence[str]) -> FormatWarning | FormatError | None:
    """The message about a first row that names columns: these files have none, but tables made of them may."""
    named = [meaning_of(cell, ()).partition(":")[0] for cell in cells]
    if _names_columns(cells) and len(cells) <= MAX_CELLS:
        return FormatWarning(file.name, line, message(_("a header row (skipped)")))
    if not {"premise", "hypothesis"} <= set(named) and (delimiter == "\t" or not all(named)):
        return None
    expected = message(_("the columns %(columns)s, in this order"), columns=", ".join(COLUMNS))
    return FormatError(file.name, line, expected, quote(", ".join(cells), 80))


def _row(file: SourceFile, delimiter: str, line: int, cells: Sequence[str]) -> _Row | FormatError:
    def error(expected: Sentence, got: Sentence) -> FormatError:
        return file.error(line, expected, got)

    if len(cells) not in (2, MAX_CELLS):
        return error(
            message(_("two sentences and an optional score, separated by tabs"))
            if delimiter == "\t"
            else message(_("two sentences and an optional score, each in its own cell")),
            message(by_number(len(cells), _("%(count)d cell"), _("%(count)d cells")), count=len(cells)),
        )
    empty = next((at for at, cell in enumerate(cells[:2]) if not is_seen(cell)), None)
    if empty is not None:
        which = _("a first sentence") if empty == 0 else _("a second sentence")
        return error(message(which), message(_("an empty cell")))
    if any("\n" in cell or "\t" in cell for cell in cells[:2]):
        return error(message(_("sentences without tabs or line breaks")), message(_("one inside a cell")))
    score = cells[2] if len(cells) == MAX_CELLS else ""
    if score.strip() and not (_is_number(score) if delimiter == "," else _is_score(score)):
        return error(message(_("a number or an empty cell as the score")), quote_number(score))
    # What has tabs already goes out as it is.
    more = score if delimiter == "\t" else score.replace(",", ".")
    return _Row(line, cells[0], cells[1], f"\t{more}" if len(cells) == MAX_CELLS else "")


def _doubts(file: SourceFile, row: _Row, seen: dict[bytes, int]) -> Iterator[FormatWarning]:
    """What is odd about a line that is imported as it is. `seen`: by a checksum of both sentences, their first line."""
    if compared(row.premise) == compared(row.hypothesis):
        yield FormatWarning(
            file.name, row.line, message(_("both sentences have the same words: %(text)s"), text=quote(row.premise, 80))
        )
    key = blake2s(f"{row.premise}\t{row.hypothesis}".encode(), digest_size=8).digest()
    first = seen.setdefault(key, row.line)
    if first != row.line:
        yield FormatWarning(file.name, row.line, message(_("the same pair as in line %(line)d"), line=first))


def _is_score(cell: str) -> bool:
    return _is_number(cell) or bool(_DECIMAL_COMMA.fullmatch(cell.strip()))


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
