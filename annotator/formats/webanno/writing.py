"""Records as WebAnno TSV 3.3, laid out as INCEpTION does: layers and features by name, annotations from left to right,
the longer ones first, numbers only where several tokens or several annotations need them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotator.formats.common.records import PairRecord, Record, Text
from annotator.formats.text.characters import places_of, plain
from annotator.formats.text.offsets import utf16_units
from annotator.formats.webanno import layers
from annotator.formats.webanno.documents import by_document

_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n]")
# A vertical tab is the one control character that INCEpTION does not escape, and does not unescape.
_BARE = "\v"
_LETTERS = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f", "\b": "\\b", "\\": "\\\\"}
_WORDS = ((layers.LEMMA, "value"), (layers.POS, "PosValue"))


def write_documents(records: Iterable[Record | PairRecord], folder: Path) -> list[Path]:
    """One file for each language of each document; a document's records stand together. One is held in memory."""
    paths: list[Path] = []
    for document in by_document(records):
        paths.append(folder / f"{document.file_name}.tsv")
        paths[-1].write_text(_spelt(document.sentences), encoding="utf-8", newline="\n")
    return paths


@dataclass(slots=True)
class _Written:
    """A sentence with its annotations: layer, tokens or a part of one, features."""

    record: Record
    text: Text
    marks: list[tuple[str, tuple[int, int], dict[str, str]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A line of a sentence: its number, its place, and that of its token."""

    name: str
    place: tuple[int, int]
    token: tuple[int, int]


def _spelt(sentences: Sequence[tuple[Record, Text]]) -> str:
    written: list[_Written] = []
    for record, text in sentences:
        one = _Written(record, text)
        places = places_of(text)
        for layer, place, features in layers.layers_of(record, text, "WebAnno TSV"):
            one.marks.append((layer, place or (places[0][0], places[-1][1]), features))
        written.append(one)
    columns = layers.declared(
        ((layer, features) for one in written for layer, _place, features in one.marks),
        answered=any(text.labels for _, text in sentences),
    )
    for (layer, name), kind in zip(_WORDS, ("lemmas", "parts_of_speech"), strict=True):
        if any(getattr(text, kind) for _, text in sentences):
            columns[layer] = [name]
    shape = dict(sorted(columns.items()))
    lines = ["#FORMAT=WebAnno TSV 3.3"]
    lines += [f"#T_SP={layer}|{'|'.join(features)}" for layer, features in shape.items()]
    lines += ["", ""]
    begin = own = 0
    for number, one in enumerate(written, start=1):
        length, own = _sentence(one, number, begin, own, shape, lines)
        begin += length + 1
    return "\n".join(lines)


def _sentence(
    one: _Written,
    number: int,
    begin: int,
    own: int,
    shape: Mapping[str, Sequence[str]],
    lines: list[str],
) -> tuple[int, int]:
    """Add the lines of a sentence; its length in UTF-16 units, and the last number that an annotation got."""
    places = places_of(one.text)
    # Sentences begin with their first token and end with their last one.
    first, last = places[0][0], places[-1][1]
    string = plain(one.text)
    units = utf16_units(string)
    if one.record.id:
        lines.append(f"#Sentence.id={_in_text(one.record.id)}")
    lines += [f"#Text={_in_text(part)}" for part in string[first:last].split("\n")]
    one.marks.sort(key=lambda mark: (mark[0], mark[1][0], -mark[1][1]))
    rows = _rows(one, places)
    cells, own = _cells(one, rows, shape, own)
    for at, unit in enumerate(rows):
        left, right = unit.place
        row = [f"{number}-{unit.name}", f"{begin + units[left] - units[first]}-{begin + units[right] - units[first]}"]
        row.append(_form(string[left:right]))
        row += ["|".join(cells[at].get((layer, name), ["_"])) for layer, names in shape.items() for name in names]
        lines.append("\t".join(row) + "\t")
    lines.append("")
    return units[last] - units[first], own


def _cells(
    one: _Written, rows: Sequence[_Unit], shape: Mapping[str, Sequence[str]], own: int
) -> tuple[list[dict[tuple[str, str], list[str]]], int]:
    """What stands in each row by layer and feature, and the last number that an annotation got."""
    cells: list[dict[tuple[str, str], list[str]]] = [{} for _ in rows]
    begins, ends = [unit.token[0] for unit in rows], [unit.token[1] for unit in rows]
    covered = []
    for _, place, _ in one.marks:
        near = range(bisect_right(ends, place[0]), bisect_left(begins, place[1]))
        covered.append([at for at in near if _belongs(place, rows[at])])
    several = Counter((mark[0], at) for mark, here in zip(one.marks, covered, strict=True) for at in here)
    for (layer, _, features), here in zip(one.marks, covered, strict=True):
        known = ""
        # INCEpTION would do without a number on a part of a token, too, and then take it for one on the whole token.
        if len(here) > 1 or any(several[layer, at] > 1 or rows[at].place != rows[at].token for at in here):
            own += 1
            known = f"[{own}]"
        for at in here:
            for name in shape[layer]:
                value = _escaped(features[name]) if features.get(name) else "*"
                cells[at].setdefault((layer, name), []).append(value + known)
    tokens = [at for at, unit in enumerate(rows) if unit.place == unit.token]
    for column, values in zip(_WORDS, (one.text.lemmas, one.text.parts_of_speech), strict=True):
        for at, value in zip(tokens, values, strict=False):
            if value:
                cells[at][column] = [_escaped(value)]
    return cells, own


def _rows(one: _Written, places: Sequence[tuple[int, int]]) -> list[_Unit]:
    """The units of a sentence: each token, after it its parts that some label covers without the rest of it."""
    begins, ends = [begin for begin, _ in places], [end for _, end in places]
    parts: dict[int, dict[tuple[int, int], None]] = {}
    for _, place, _ in one.marks:
        # Only the first and the last token can be covered in part.
        for at in {bisect_right(ends, place[0]), bisect_left(begins, place[1]) - 1}:
            if 0 <= at < len(places) and (part := _part(place, places[at])) is not None:
                parts.setdefault(at, {})[part] = None
    rows: list[_Unit] = []
    for at, token in enumerate(places):
        rows.append(_Unit(str(at + 1), token, token))
        rows += [_Unit(f"{at + 1}.{n}", part, token) for n, part in enumerate(parts.get(at, ()), start=1)]
    return rows


def _part(place: tuple[int, int], token: tuple[int, int]) -> tuple[int, int] | None:
    """What a label covers of a token; None for nothing, and for all of it."""
    begin, end = max(place[0], token[0]), min(place[1], token[1])
    return (begin, end) if begin < end and (begin, end) != token else None


def _belongs(place: tuple[int, int], unit: _Unit) -> bool:
    """Whether an annotation is written at a unit: at whole tokens inside of it, and at what it has of others."""
    part = _part(place, unit.token)
    if unit.place == unit.token:
        return part is None and place[0] < unit.token[1] and unit.token[0] < place[1]
    return part == unit.place


def _form(token: str) -> str:
    """A token as its row shows it: as it is, unless that would break the row."""
    return _in_text(token) if any(character < " " for character in token) else token


def _in_text(text: str) -> str:
    return "".join(_LETTERS.get(c, "\\" + c if c < " " and c != _BARE else c) for c in text)


def _escaped(value: str) -> str:
    return _RESERVED.sub(lambda match: _LETTERS.get(match[0], "\\" + match[0]), value)
