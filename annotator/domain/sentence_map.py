"""A map of sentences: which of them are drawn, and where vectors lie in a plane."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from heapq import nsmallest
from typing import Any

import numpy as np
import numpy.typing as npt

# Points of one map, over all languages: more than a page shows well.
MOST_POINTS = 6000
# Fewer say nothing.
LEAST_POINTS = 3
# The side of the square that points lie in.
SIDE = 1000

Floats = npt.NDArray[np.float32]
Point = tuple[int, int]


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


def centred(vectors: Floats, groups: npt.NDArray[Any]) -> Floats:
    """Each vector, made of length 1, less the mean of its group, which is that of its language."""
    found: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    for group in np.unique(groups):
        found[groups == group] -= found[groups == group].mean(0)
    return found


def principal(vectors: Floats) -> Floats:
    """Rows by two: the first two principal components of vectors whose mean is 0.

    An axis points to where its largest loading is positive, so that the same vectors always give the same map.
    """
    values, axes = np.linalg.eigh(np.cov(vectors.astype(np.float64), rowvar=False, bias=True))
    first = axes[:, np.argsort(values)[::-1][:2]]
    first = first * np.sign(first[np.abs(first).argmax(0), np.arange(first.shape[1])])
    return np.asarray(vectors @ first, np.float32)


def fitted(points: Floats) -> list[Point]:
    """The points in a square of SIDE, both axes on one scale, in the middle."""
    low, high = points.min(0), points.max(0)
    scale = SIDE / max(float((high - low).max()), 1e-9)
    places = np.rint((points - (low + high) / 2) * scale + SIDE / 2).astype(int)
    return [(x, y) for x, y in places.tolist()]
