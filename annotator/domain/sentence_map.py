"""A map of sentences: how many there are on it, and which are drawn. Their places: `plane.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import NamedTuple

# Points of one map, over all languages: more than a page shows well.
MAX_POINTS = 6000
# Fewer say nothing.
MIN_POINTS = 3


class Drawn(NamedTuple):
    """A sentence: its unit, and the line of the unit's text that it is, from 0; None where it is the whole text."""

    unit: int
    line: int | None = None


def each(wanted: int, languages: int) -> int:
    """How many sentences a language can have, where so many of each are wanted."""
    return min(wanted, MAX_POINTS // max(languages, 1))


def drawn(sentences: Iterable[tuple[str, Drawn]], count: int, seed: int) -> list[Drawn]:
    """`count` sentences out of all, given with the uids of their segments.

    Chance is a hash of seed and uid: the same seed draws the same segments, whatever stands beside them. So
    translations of each other are drawn together, and so are the sentences of one text.
    """

    def chance(one: tuple[str, Drawn]) -> tuple[bytes, int, int]:
        uid, (unit, line) = one
        return hashlib.sha256(f"{seed}:{uid}".encode("utf-8", "surrogatepass")).digest(), unit, line or 0

    return [sentence for _uid, sentence in nsmallest(count, sentences, key=chance)]


def stored(sentence: Drawn, place: tuple[int, int]) -> list[int]:
    """A point as it is kept: the id of its unit, its place and, where the unit has several sentences, the line."""
    return [sentence.unit, *place, *(() if sentence.line is None else (sentence.line,))]


def read(point: Sequence[int]) -> tuple[Drawn, tuple[int, int]]:
    """The sentence and the place of a point as it is kept. Maps once had whole units alone, which still stand so."""
    unit, x, y, *line = point
    return Drawn(unit, *line), (x, y)
