"""The cells of WebAnno TSV 3: layers with their columns, the annotations that a token's cells hold, and escapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

SPAN, CHAIN, RELATION = "#T_SP", "#T_CH", "#T_RL"
NOTHING, NO_VALUE = "_", "*"
_STACK = re.compile(r"(?<!\\)(?:\\\\)*\|")
_SLOTS = re.compile(r"(?<!\\)(?:\\\\)*;")
_VALUE = re.compile(r"((?:[^\\]|\\(?:.|\Z))*?)(?:\[(\d{1,9})\])?", re.DOTALL)
_LINK = re.compile(r"->(\d+-\d+)$")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_IN_TEXT = re.compile(r"\\([tnrfb\\\x00-\x1f])")
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


@dataclass(frozen=True)
class Layer:
    """A layer of the header: what it is called, its kind, its features, the first of its columns."""

    name: str
    kind: str
    features: tuple[str, ...]
    first: int

    @property
    def width(self) -> int:
        return max(len(self.features), 1)

    @cached_property
    def roles(self) -> tuple[int, ...]:
        """The columns of roles. What fills them is in the columns after these."""
        return tuple(number for number, name in enumerate(self.features) if name.startswith("ROLE_"))

    @cached_property
    def targets(self) -> tuple[int, ...]:
        return tuple(number + 1 for number in self.roles if number + 1 < self.width)

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The features that are not slots."""
        slots = {*self.roles, *self.targets}
        return tuple(name for number, name in enumerate(self.features) if number not in slots)

    def cells(self, row: Sequence[str]) -> Sequence[str]:
        """Its cells of a row; none where nothing is annotated."""
        cells = row[self.first : self.first + self.width]
        return () if all(cell == NOTHING for cell in cells) else cells


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation as one row has it: its features, the number that other rows know it by, how many links it has."""

    features: dict[str, str]
    number: str
    links: int


def stacked(layer: Layer, cells: Sequence[str]) -> Iterator[Annotation]:
    """The annotations of a span layer in its cells of a row, from the bottom of the stack."""
    columns = [_split(_STACK, cell) for cell in cells]
    for level in range(max(map(len, columns))):
        features: dict[str, str] = {}
        number = ""
        links = 0
        for at, column in enumerate(columns):
            cell = column[level] if level < len(column) else NOTHING
            if at in layer.targets:
                links += sum(target not in (NOTHING, NO_VALUE) for target in _split(_SLOTS, cell))
                continue
            match = _VALUE.fullmatch(cell)
            value, number = (match[1], match[2] or number) if match else (NOTHING, number)
            if value not in (NOTHING, NO_VALUE) and at not in layer.roles and at < len(layer.features):
                features[layer.features[at]] = unescaped(value)
        yield Annotation(features, number, links)


def relations(layer: Layer, cells: Sequence[str]) -> list[str]:
    """The relations that end at a row, or its places in chains: "" for a relation, chain and place of the others.

    A chain's element of several tokens is in the row of each.
    """
    if layer.kind == RELATION:
        return [""] * len(_split(_STACK, cells[-1]))
    at = layer.features.index("referenceRelation") if "referenceRelation" in layer.features else 0
    return [match[1] if (match := _LINK.search(link)) else "" for link in _split(_STACK, cells[at])]


def unescaped(text: str) -> str:
    """A value as it was before it was escaped."""
    return _ESCAPED.sub(lambda match: _LETTERS.get(match[1], match[1]), text)


def unescaped_text(text: str) -> str:
    """A sentence, or its id, as it was before it was escaped: fewer characters are than in values."""
    return _IN_TEXT.sub(lambda match: _LETTERS.get(match[1], match[1]), text)


def _split(mark: re.Pattern[str], cell: str) -> list[str]:
    """A cell at its separators, where these are not escaped."""
    parts: list[str] = []
    begin = 0
    for match in mark.finditer(cell):
        parts.append(cell[begin : match.end() - 1])
        begin = match.end()
    return [*parts, cell[begin:]]
