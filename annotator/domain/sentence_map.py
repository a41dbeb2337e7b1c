"""A map of sentences: how many there are on it, and which are drawn. Their places: `plane.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from heapq import nsmallest

# Points of one map, over all languages: more than a page shows well.
MOST_POINTS = 6000
# Fewer say nothing.
LEAST_POINTS = 3


def each(wanted: int, languages: int) -> int:
    """How many sentences a language can have, where so many of each are wanted."""
    return min(wanted, MOST_POINTS // max(languages, 1))


def drawn(sentences: Iterable[tuple[str, int]], count: int, seed: int) -> list[int]:
    """The ids of `count` sentences out of all, given with the uids of their segments.

    Chance is a hash of seed and uid: the same seed draws the same segments, whatever stands beside them. So
    translations of each other are drawn together.
    """

    def chance(one: tuple[str, int]) -> tuple[bytes, int]:
        return hashlib.sha256(f"{seed}:{one[0]}".encode("utf-8", "surrogatepass")).digest(), one[1]

    return [sentence for _uid, sentence in nsmallest(count, sentences, key=chance)]
