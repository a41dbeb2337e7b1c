"""The candidate links of sentence pairs as flat arrays, so that NumPy works on all pairs at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Above this many word pairs a sentence pair only has candidates near the diagonal: a text of 5,000 by
# 5,000 words would need gigabytes otherwise. Sentences up to 1,000 words each are never affected.
FULL_GRID = 1_000_000


@dataclass(frozen=True)
class CandidateLinks:
    """All candidate links of some sentence pairs, by pair, then source word, then target word.

    `sources` and `targets` hold the word ids of all pairs one after the other. Per candidate, `source` and
    `target` are positions in those, and `distance` is how far it lies from the diagonal,
    |i/I - j/J| with positions taken at the middle of each word, from 0 to 1. `ends` says per pair
    where its candidates end, `source_starts` and `target_starts` where its words begin.
    """

    sources: Ints
    targets: Ints
    source: Ints
    target: Ints
    distance: Floats
    ends: Ints
    source_starts: Ints
    target_starts: Ints

    @classmethod
    def of(cls, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> "CandidateLinks":
        """The candidates of pairs of word ids."""
        source_lengths = np.array([len(source) for source, _ in pairs], np.int64)
        target_lengths = np.array([len(target) for _, target in pairs], np.int64)
        source_starts = _starts(source_lengths)
        target_starts = _starts(target_lengths)
        # Per source word: its place in the sentence, and the first and last candidate on the other side.
        rows = np.repeat(np.arange(len(pairs)), source_lengths)
        place = (np.arange(rows.size) - source_starts[rows] + 0.5) / source_lengths[rows]
        columns = target_lengths[rows]
        width = np.maximum(1.0, FULL_GRID / 2 / np.maximum(source_lengths, 1))[rows]
        banded = (source_lengths * target_lengths > FULL_GRID)[rows]
        first = np.where(banded, np.maximum(0, place * columns - width), 0).astype(np.int64)
        end = np.where(banded, np.minimum(columns, place * columns + width + 1), columns).astype(np.int64)
        counts = end - first
        source = np.repeat(np.arange(rows.size), counts)
        column = np.arange(source.size) - np.repeat(_starts(counts), counts) + first[source]
        target = column + target_starts[rows[source]]
        distance = np.abs(place[source] - (column + 0.5) / columns[source])
        per_pair = np.bincount(rows, counts, minlength=len(pairs)).astype(np.int64)
        return cls(
            np.array([word for words, _ in pairs for word in words], np.int64),
            np.array([word for _, words in pairs for word in words], np.int64),
            source,
            target,
            distance,
            np.cumsum(per_pair),
            source_starts,
            target_starts,
        )


def sums(places: Ints, values: Floats, size: int) -> Floats:
    """The sum of `values` per place, for `size` places."""
    return np.bincount(places, values, minlength=size).astype(np.float64)


def _starts(lengths: Ints) -> Ints:
    starts: Ints = np.cumsum(lengths) - lengths
    return starts
