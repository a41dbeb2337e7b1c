"""The rows of MABL's files: what each says, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import Row
from annotator.domain.text.invisible_chars import is_seen
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.tables.tables import Rows
from annotator.protocols.mabl.columns import CATEGORIES, PARTS, PUBLISHED, ROW, DecidedRow, flag, meanings, whole


@dataclass(frozen=True, slots=True)
class Found:
    """A row of a file."""

    line: int
    said: DecidedRow
    cells: Sequence[str]


def read_rows(file: SourceFile, header: Sequence[str], rows: Rows) -> Iterator[Found | FormatWarning | FormatError]:
    """The rows below a heading that has all columns, each with its line."""
    columns = {name: number for number, name in enumerate(meanings(header)) if name}
    for read in rows:
        if not isinstance(read, tuple):
            yield read
            continue
        line, cells = read

        def error(expected: Sentence, got: Sentence = "", line: int = line) -> FormatError:
            return file.error(line, expected, got)

        if len(cells) != len(header):
            expected = message(_("%(number)d cells, as in the header"), number=len(header))
            yield error(expected, _number_of(cells, len(header)))
            continue
        texts = [cells[columns[name]] for name in ROW[:3]]
        # Without a start phrase it is a half that is missing.
        empty = [name for name, text in zip(PUBLISHED[1:3], texts[1:], strict=True) if not is_seen(text)]
        if empty:
            yield error(message(_("a text in the column %(column)s"), column=empty[0]), message(_("an empty cell")))
            continue
        parts = [cells[columns[name]] for name in PARTS if name in columns]
        if any(map(is_seen, parts)) and not is_seen(parts[-1]):
            # A relation may be missing ("As dry as chalk"), and what was found in no sentence leaves all three empty.
            yield error(
                message(_("a text in the column %(column)s"), column=header[columns[PARTS[-1]]]),
                message(_("an empty cell")),
            )
            continue
        if any("\n" in text for text in [*texts, *parts]):
            yield error(message(_("sentences without line breaks")), message(_("a line break inside a cell")))
            continue
        label = whole(cells[columns["label"]])
        if label not in ("0", "1"):
            yield error(
                message(_("0 or 1 in the column %(column)s"), column=header[columns["label"]]), quote(label, 80)
            )
            continue
        flags = {name: flag(cells[columns[name]]) for name in CATEGORIES if name in columns}
        valid = whole(cells[columns["valid"]]) if "valid" in columns else "1"
        no_flags = [name for name, cell in {**flags, "valid": valid}.items() if cell not in ("0", "1", "")]
        if no_flags:
            cell = whole(cells[columns[no_flags[0]]])
            yield error(
                message(_("1, 0 or an empty cell in the column %(column)s"), column=header[columns[no_flags[0]]]),
                quote(cell, 80),
            )
            continue
        for name, cell in flags.items():
            if cell != (got := whole(cells[columns[name]])):
                yield FormatWarning(file.name, line, _taken_for(got, header[columns[name]], cell))
        said = DecidedRow(
            Row(texts[0], texts[1], texts[2], int(label)),
            valid=valid == "1" if valid else None,
            # Empty cells beside others say no; where all are empty, nobody has looked.
            categories=[name for name, cell in flags.items() if cell == "1"] if any(flags.values()) else None,
        )
        yield Found(line, said, cells)


def _taken_for(cell: str, column: str, digit: str) -> Sentence:
    what = _("%(cell)s in the column %(column)s was read as %(digit)s")
    return message(what, cell=quote(cell, 80), column=column, digit=digit)


def _number_of(cells: Sequence[str], wanted: int) -> Sentence:
    """How many cells a row has; how to write a text with separators or quotation marks, where that may be why."""
    if len(cells) < wanted and not any('"' in cell for cell in cells):
        return str(len(cells))
    what = _(
        "%(number)d. If a cell contains a quotation mark or the separator, put the cell in quotation marks and double "
        "the marks inside it"
    )
    return message(what, number=len(cells))
