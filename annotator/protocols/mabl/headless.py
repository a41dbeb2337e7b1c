"""MABL's tables whose heading does not stand in their first row: below a title, or not there at all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.sheets import delimiter_of, first_rows, sheet_rows
from annotator.protocols.mabl.columns import PUBLISHED, ROW, meanings, whole

# Titles and notes have no more rows than this.
_LOOKED_AT = 20
_Rows = Sequence[Sequence[str]]


def is_headless(file: SourceFile) -> bool:
    """Whether the first rows have MABL's heading below another row, or are plainly pairs without one."""
    rows = first_rows(file, delimiter_of(file, _fit), _fit)
    return any(map(is_heading, rows[1:_LOOKED_AT])) or 2 * sum(map(_could_be_half, rows)) > len(rows)


def is_heading(row: Sequence[str]) -> bool:
    """Whether a row names all columns of the published files."""
    return set(ROW) <= set(meanings(row))


def what_is_there(file: SourceFile, first: Sequence[str]) -> Sentence:
    """What stands where the heading was looked for: `first`, or rows above a heading."""
    with suppress(FormatError):
        for read in islice(sheet_rows(file, delimiter_of(file, _fit), _fit), _LOOKED_AT):
            if isinstance(read, tuple) and is_heading(read[1]):
                return message(_("them in line %(line)d; delete the rows above it"), line=read[0])
    return message(_("a row that contains none of them: %(row)s"), row=quote(", ".join(first), 80))


def _fit(rows: _Rows) -> float:
    return len(rows) if any(map(is_heading, rows[:_LOOKED_AT])) else sum(map(_could_be_half, rows))


def _could_be_half(row: Sequence[str]) -> bool:
    """Whether a row has three texts and a label, as the published columns are ordered."""
    texts, label = row[: len(PUBLISHED) - 1], row[len(PUBLISHED) - 1 : len(PUBLISHED)]
    return [whole(cell) for cell in label] in (["0"], ["1"]) and all(any(map(str.isalpha, text)) for text in texts)
