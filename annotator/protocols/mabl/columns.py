"""The columns of MABL's files, however they are called and ordered, and what a row has in them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from annotator.domain.pairs.figurative_pairs import Row
from annotator.domain.text.invisible_chars import is_seen
from annotator.formats.tables.odd_rows import BOM, QUOTING, Odd, found_rows, joined, line_end_of, odd_rows, row_writer
from annotator.formats.tables.separated import named_delimiter

CATEGORIES = ("object", "visual", "social", "cultural")
ROW = ("start", "ending1", "ending2", "label")
# Of the figurative sentence, what it compares; in the files beside the paper they are called x, y and z.
PARTS = ("part-subject", "part-relation", "part-object")
_PARTS = (("subject", "relation", "object"), ("x", "y", "z"))
# As headings are compared: small letters, without spaces and "(string)".
_MEANINGS = {
    "startphrase": "start",
    "ending1": "ending1",
    "ending2": "ending2",
    "label": "label",
    "labels": "label",
    "valid": "valid",
    "category": "category",
    "obj": "object",
    "object": "object",
    "vis": "visual",
    "visual": "visual",
    "soc": "social",
    "social": "social",
    "cul": "cultural",
    "cultural": "cultural",
}
# What the column "category" says: the one that fits best.
_SHORT = {"object": "obj", "visual": "vis", "social": "soc", "cultural": "cul"}
PUBLISHED = ("startphrase", "ending1", "ending2", "labels")
WITH_CATEGORIES = (*PUBLISHED, "valid", "obj", "vis", "soc", "cul")


def meanings(header: Sequence[str]) -> list[str]:
    """What each column holds: one of ROW, "valid", "category", one of CATEGORIES or PARTS, or "" for anything else.

    The three PARTS are known where all three are there: "object" alone is a category.
    """
    names = [_plain(heading) for heading in header]
    parts = next((dict(zip(three, PARTS, strict=True)) for three in _PARTS if set(three) <= set(names)), {})
    return [parts.get(name) or _MEANINGS.get(name, "") for name in names]


def named_twice(header: Sequence[str]) -> list[str]:
    """The columns that hold the same, as two that are called "ending1", or "obj" and "object"; of the first such."""
    found = meanings(header)
    twice = next((name for name in found if name and found.count(name) > 1), "")
    return [cell.strip() for cell, name in zip(header, found, strict=True) if twice and name == twice]


def missing_parts(header: Sequence[str]) -> list[str]:
    """Which of "subject", "relation" and "object" a heading lacks that has the first or the second."""
    names = {_plain(heading) for heading in header}
    three = _PARTS[0]
    return [name for name in three if name not in names] if names & set(three[:2]) else []


def _plain(heading: str) -> str:
    return "".join(heading.replace("\ufeff", "").lower().replace("(string)", "").split())


def whole(cell: str) -> str:
    """A cell with a number, without the decimals that a spreadsheet adds to a column with empty cells: "1.0" is "1"."""
    return re.sub(r"(?<=\d)\.0+$", "", cell.strip())


def flag(cell: str) -> str:
    """A cell that says yes or no, where a digit typed twice ("11") is taken for one."""
    digits = whole(cell)
    return digits[:1] if set(digits) in ({"0"}, {"1"}) else digits


@dataclass(frozen=True, slots=True)
class DecidedRow:
    """A row with what is decided on it: `valid` and `categories` are None where nobody has."""

    row: Row
    valid: bool | None = True
    categories: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How a file is written: `kept` are cells that say something else than we would, by the key of the row and column.

    `no`: how a category that does not apply is written; `none`: in a row to which none applies, since empty cells there
    say that nobody has looked. `quoting`: which cells stand in quotation marks, as `QUOTING`
    has it. `verbatim`: rows without a start phrase, which are not halves here, by the key that they would have.
    `unlike`: of rows that say something else of `valid` than their pair came in as, what that was, by their key.
    `said`: Excel's first line names the delimiter. `turned`: the lines of pairs whose row with label 1 stands first.
    `odd`: rows that are written in another way (`odd_rows`). `again`: pairs that came in with another file of the
    import: their line, that file's name, and their line in it. `accepted`: lines of pairs that the file has although
    they came in as rejected, since another file says so.
    """

    header: tuple[str, ...] = PUBLISHED
    delimiter: str = ","
    ends: str = "\n"
    last_end: bool = True
    bom: bool = False
    quoting: str = "minimal"
    no: str = "0"
    none: str = "0"
    kept: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unlike: Mapping[str, str] = field(default_factory=dict)
    verbatim: Mapping[str, Sequence[str]] = field(default_factory=dict)
    said: bool = False
    turned: Sequence[int] = ()
    odd: Odd = field(default_factory=dict)
    again: Sequence[tuple[int, str, int]] = ()
    accepted: Sequence[int] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "header": list(self.header),
            "delimiter": self.delimiter,
            "ends": self.ends,
            "last_end": self.last_end,
            "bom": self.bom,
            "quoting": self.quoting,
            "no": self.no,
            "none": self.none,
            "kept": self.kept,
            "unlike": self.unlike,
            "verbatim": self.verbatim,
            "said": self.said,
            "turned": list(self.turned),
            "odd": self.odd,
            **({"again": [list(one) for one in self.again]} if self.again else {}),
            **({"accepted": list(self.accepted)} if self.accepted else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Layout:
        # Files that were imported before empty cells were told from none of the categories are written as they were.
        return cls(**{"none": data["no"], **data, "header": tuple(data["header"])})

    def has(self, name: str) -> bool:
        """Whether there is a column for this."""
        return name in meanings(self.header)

    def cells(self, decided: DecidedRow) -> list[str]:
        """A row as we would write it, without what was kept of the file."""
        return [self._cell(name, decided) for name in meanings(self.header)]

    def parts(self, line: int, label: int) -> tuple[str, str, str] | None:
        """Subject, relation and object of a row, by the line at which its pair begins and its label; None where the
        file has none for it."""
        kept = self.kept.get(key(line, label), {})
        found = {name: kept.get(str(number), "") for number, name in enumerate(meanings(self.header)) if name in PARTS}
        subject, relation, compared = (found.get(name, "") for name in PARTS)
        return (subject, relation, compared) if is_seen(compared) else None

    def _cell(self, name: str, decided: DecidedRow) -> str:
        row, categories = decided.row, decided.categories
        if name in ("start", "ending1", "ending2"):
            return str(getattr(row, name))
        if name == "label":
            return str(row.label)
        if name == "valid":
            return "" if decided.valid is None else str(int(decided.valid))
        if categories is None:
            return ""
        if name == "category":
            return next((_SHORT[one] for one in CATEGORIES if one in categories), "")
        if name in CATEGORIES:
            return "1" if name in categories else self.no if categories else self.none
        return ""

    def with_kept(self, line: int, decided: DecidedRow) -> list[str]:
        """A row with what was kept of the file, but for cells that say something else than what is decided now."""
        own = key(line, decided.row.label)
        found, kept = self.cells(decided), self.kept.get(own, {})
        for number, name in enumerate(meanings(self.header)):
            cell, ours = kept.get(str(number), found[number]), found[number]
            no = "0" if name in CATEGORIES and decided.categories is not None else ""
            says_the_same = name not in (*CATEGORIES, "valid") or (flag(cell) or no) == (flag(ours) or no)
            if says_the_same or (name == "valid" and self.unlike.get(own) == ours):
                found[number] = cell
        return found


def key(line: int, label: int) -> str:
    """By which the kept cells of a row are found: the line at which its pair begins, and its label."""
    return f"{line}:{label}"


def written(layout: Layout, rows: Iterable[tuple[int, DecidedRow]]) -> bytes:
    """A file of rows, each with the line at which its pair begins."""
    lines = [list(layout.header)]
    turned = set(layout.turned)
    for line, pair in groupby(rows, key=lambda row: row[0]):
        found = [one for _line, decided in pair for one in _written_row(layout, line, decided)]
        lines += reversed(found) if line in turned else found
    return _encoded(layout, lines)


def _written_row(layout: Layout, line: int, decided: DecidedRow) -> list[list[str]]:
    """A row, and the one of its pair that was not a half."""
    other = key(line, 1 - decided.row.label)
    cells = layout.with_kept(line, decided)
    beside = list(layout.verbatim.get(other, ()))
    both = [cells, beside] if decided.row.label == 0 else [beside, cells]
    return [one for one in both if one]


def _encoded(layout: Layout, lines: Iterable[Sequence[str]]) -> bytes:
    writer = row_writer(layout.delimiter, layout.ends, layout.quoting)
    text = joined(lines, layout.odd, writer, above=_above(layout), without="" if layout.last_end else layout.ends)
    return text.encode("utf-8-sig" if layout.bom else "utf-8")


def _above(layout: Layout) -> str:
    return f"sep={layout.delimiter}{layout.ends}" if layout.said else ""


def layout_of(
    text: str,
    header: Sequence[str],
    delimiter: str,
    rows: Sequence[tuple[int, DecidedRow, Sequence[str]]],
    *,
    is_quoted: bool,
) -> Layout:
    """How a file is written, from its text and its rows: line of the pair, what it says, its cells. Without text, as
    the published files are. `is_quoted`: quotation marks enclose its cells."""
    body = text.removeprefix(BOM)
    columns = [number for number, name in enumerate(meanings(header)) if name in CATEGORIES]
    nos = Counter(cells[number] for _line, _said, cells in rows for number in columns if cells[number] in ("", "0"))
    plain = Layout(
        header=tuple(heading.removeprefix(BOM) for heading in header),
        delimiter=delimiter,
        ends=line_end_of(body),
        last_end=body.endswith("\n") or not body,
        bom=body != text,
        said=bool(named_delimiter(body.partition("\n")[0])),
        no=nos.most_common(1)[0][0] if nos else "0",
    )
    valid = meanings(header).index("valid") if "valid" in meanings(header) else None
    kept, verbatim, unlike = {}, {}, {}
    for line, decided, cells in rows:
        if not is_seen(decided.row.start):
            verbatim[key(line, decided.row.label)] = list(cells)
            continue
        written = plain.cells(decided)
        odd = {str(at): cell for at, (cell, ours) in enumerate(zip(cells, written, strict=True)) if cell != ours}
        if valid is not None and flag(cells[valid]) != written[valid]:
            unlike[key(line, decided.row.label)] = written[valid]
        if odd:
            kept[key(line, decided.row.label)] = odd
    labels = [
        (line, [decided.row.label for _line, decided, _cells in pair])
        for line, pair in groupby(rows, lambda row: row[0])
    ]
    turned = [line for line, found in labels if found == [1, 0]]
    plain = replace(plain, kept=kept, unlike=unlike, verbatim=verbatim, turned=turned)
    found = list(found_rows(body, delimiter=delimiter, is_quoted=is_quoted, width=len(header), line_end=plain.ends))
    return min(_quoted(plain, found), key=lambda layout: len(layout.odd))


def _quoted(plain: Layout, rows: Sequence[tuple[Sequence[str], str]]) -> Iterator[Layout]:
    """The layout with each way of quoting that can write the rows, and those that it does not write as they are."""
    for quoting in QUOTING:
        # Without quotation marks a cell cannot hold the separator.
        with suppress(csv.Error):
            odd = odd_rows(rows, row_writer(plain.delimiter, plain.ends, quoting), _above(plain))
            yield replace(plain, quoting=quoting, odd=odd)
