"""Published splits: a file for each part, or a table with a column that names the part.

A file for each part is called by it (`meta4xnli_train.tsv`, `dev.txt`, `test/es.conll`), and holds sentences as
`token<TAB>label` lines with a blank line after each, a sentence or an id per line, rows with a column of ids (`pairID`,
as the interpretation files have), or JSON lines. A table has a column of ids and one called `split`, `part`, `fold`,
`set`, `partition` or `subset`. Ids in several rows, as those of pairs are in each language, count once.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.text.natural import natural_key
from annotator.domain.text.tokens import tokenise
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.lines import LineStream
from annotator.formats.text.tagged import Columns, is_tag, stream_tagged

# The names that parts usually have, in their order.
_USUAL = (
    ("train", "training", "trn", "tr"),
    ("dev", "devel", "development", "valid", "validation", "val"),
    ("test", "testing", "tst", "eval", "evaluation"),
)
_RANKS = {name: rank for rank, names in enumerate(_USUAL) for name in names}
_FOLD = re.compile(r"(fold|part|k)[ _-]?\d+", re.IGNORECASE)
_IDS = ("id", "uid", "pairid", "segmentid", "sentenceid", "itemid", "segment", "item", "hypothesisid")
_PARTS = ("split", "part", "fold", "set", "partition", "subset")
_DATASETS = ("sourcedataset", "dataset")
# Bytes of a file by which its layout is told.
BEGINNING = 65_536


class Layout(StrEnum):
    TOKENS = "tokens"
    TABLE = "table"
    JSON_LINES = "json-lines"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Source:
    """A file: how it is called, and where it lies."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file of a published split: the part that it is of ("" where its rows name parts), and its language where its
    name says one."""

    name: str
    layout: Layout
    part: str
    language: str
    delimiter: str = ""


@dataclass(frozen=True, slots=True)
class PartRow:
    """A row: an id, or the tokens of a sentence, or both where a line may be either. `line`: counted from 1."""

    line: int
    part: str
    id: str = ""
    dataset: str = ""
    tokens: tuple[str, ...] = ()


def part_file(name: str, beginning: bytes, languages: Sequence[str]) -> PartFile:
    """The part and language of a file, by its name and its first bytes. Raises FormatError where it names no part."""
    text = beginning.decode("utf-8-sig", errors="replace")
    lines = [line for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    layout, delimiter = _layout(lines, has_blank="\n\n" in text.replace("\r\n", "\n").strip("\n"))
    has_parts = layout == Layout.TABLE and _column(lines[0].split(delimiter), _PARTS) is not None
    has_parts = has_parts or (layout == Layout.JSON_LINES and _key(_object(lines[0]), _PARTS) is not None)
    part = "" if has_parts else part_in(name)
    if not has_parts and not part:
        raise FormatError(
            name,
            0,
            message(_("the name of a part in the name of the file, such as train, dev or test")),
            message(_("none")),
        )
    return PartFile(name, layout, part, _language_in(name, languages), delimiter)


def part_in(name: str) -> str:
    """The part that the name of a file says: the last word of it that parts are usually called by."""
    path = PurePosixPath(name)
    for text in (path.stem, *reversed(path.parts[:-1])):
        if fold := _FOLD.search(text):
            return fold[0]
        words = re.split(r"[^\w]|_", text)
        if known := [word for word in words if word.lower() in _RANKS]:
            return known[-1]
    return ""


def part_order(names: Iterable[str]) -> list[str]:
    """Parts in the order in which corpora list them: training, development, test; others by name."""
    return sorted(set(names), key=lambda name: (_RANKS.get(name.lower(), len(_USUAL)), natural_key(name)))


def corpus_in(name: str) -> str:
    """How a file calls the corpus: its name without the part, "" where nothing is left."""
    stem = PurePosixPath(name).name.split(".")[0]
    part = part_in(name)
    return stem.replace(part, "").strip("_- ") if part else ""


def part_rows(file: PartFile, stream: BinaryIO) -> Iterator[PartRow | FormatWarning]:
    """The rows of a file, one at a time, and what is odd. Raises FormatError."""
    if file.layout == Layout.TOKENS:
        return _of_tokens(file, stream)
    lines = _lines(file, stream)
    if file.layout == Layout.TABLE:
        return _of_table(file, lines)
    if file.layout == Layout.JSON_LINES:
        return _of_objects(file, lines)
    return (PartRow(number, file.part, id=line, tokens=tokenise(line)) for number, line in lines)


def _layout(lines: Sequence[str], *, has_blank: bool) -> tuple[Layout, str]:
    first = lines[0] if lines else ""
    if first.startswith("{"):
        return Layout.JSON_LINES, ""
    for delimiter in ("\t", ",", ";"):
        cells = first.split(delimiter)
        # "Id" with its tag may be a sentence's first word.
        if _column(cells, _IDS) is not None and not any(map(is_tag, cells)):
            return Layout.TABLE, delimiter
    tabs = sum("\t" in line for line in lines[:50])
    if lines and (tabs == len(lines[:50]) or (has_blank and all(len(line.split()) > 1 for line in lines[:50]))):
        return Layout.TOKENS, "\t" if tabs else " "
    return Layout.LINES, ""


def _language_in(name: str, languages: Sequence[str]) -> str:
    words = re.split(r"[/._]", name)
    return next((word for word in reversed(words[:-1]) if word in languages), "")


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    plain = [_plain(cell.strip().strip('"')) for cell in header]
    return next((plain.index(name) for name in names if name in plain), None)


def _key(value: dict[str, object], names: Sequence[str]) -> str | None:
    by_name = {_plain(key): key for key in value}
    return next((by_name[name] for name in names if name in by_name), None)


def _object(line: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _of_tokens(file: PartFile, stream: BinaryIO) -> Iterator[PartRow | FormatWarning]:
    columns: Columns = "first_two" if file.delimiter == "\t" else "first_last"
    for read in stream_tagged(LineStream(stream, file.name), columns=columns):
        if isinstance(read, FormatError):
            raise read
        yield read if isinstance(read, FormatWarning) else PartRow(read.line, file.part, tokens=read.tokens)


def _lines(file: PartFile, stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers."""
    return ((number, line) for number, line in LineStream(stream, file.name) if line.strip())


def _of_table(file: PartFile, lines: Iterator[tuple[int, str]]) -> Iterator[PartRow]:
    _number, first = next(lines)
    header = _cells(first, file.delimiter)
    of_part, of_dataset = (_column(header, names) for names in (_PARTS, _DATASETS))
    # Without one, it would not have been taken for a table.
    of_id = _column(header, _IDS) or 0
    for number, line in lines:
        cells = _cells(line, file.delimiter)
        if len(cells) <= max(of_id, of_part or 0):
            what = message(_("%(count)s columns, as in the header"), count=len(header))
            raise FormatError(file.name, number, what, quote(line, 80))
        part = file.part if of_part is None else cells[of_part].strip()
        dataset = cells[of_dataset].strip() if of_dataset is not None and of_dataset < len(cells) else ""
        yield PartRow(number, part, id=cells[of_id].strip(), dataset=dataset)


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a line. Tab-separated files of corpora quote nothing: a quotation mark is a character."""
    if delimiter == "\t" or '"' not in line:
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter))


def _of_objects(file: PartFile, lines: Iterator[tuple[int, str]]) -> Iterator[PartRow]:
    for number, line in lines:
        value = _object(line)
        of_id, of_part, of_dataset = (_key(value, names) for names in (_IDS, _PARTS, _DATASETS))
        tokens = value.get("tokens")
        words = tuple(map(str, tokens)) if isinstance(tokens, list) else ()
        id = str(value[of_id]) if of_id is not None else ""
        if not id and not words:
            raise FormatError(file.name, number, message(_("an object with an id or with tokens")), quote(line, 80))
        part = file.part if of_part is None else str(value[of_part])
        yield PartRow(number, part, id=id, dataset=str(value[of_dataset]) if of_dataset else "", tokens=words)
