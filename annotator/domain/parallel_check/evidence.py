"""How far lines of two files look like translations of each other: one number per pair of lines near the diagonal.

A band is an array of one row per line of a; column k of row i is about line i + low + k of b.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.domain.parallel_check.arrays import Floats, Ints, taken
from annotator.domain.parallel_check.features import Side
from annotator.domain.parallel_check.lexicon import NOTHING, Table

_LEAST_SPREAD = 0.05


@dataclass(frozen=True)
class Band:
    """Which lines of b are compared with a line of a: those from i + low to i + low + width - 1."""

    low: int
    width: int

    def mirrored(self) -> Band:
        """The same pairs of lines seen from b."""
        return Band(-(self.low + self.width - 1), self.width)

    def columns(self, a: int, b: int) -> tuple[Ints, np.ndarray]:
        """The line of b for each cell, and whether there is such a line."""
        columns = np.arange(a)[:, None] + self.low + np.arange(self.width)
        return columns, (columns >= 0) & (columns < b)


def length(a: Side, b: Side, band: Band, ratio: tuple[Floats, Floats]) -> Floats:
    """Log likelihood ratio of the lengths (after Gale & Church 1993).

    `ratio`: the lengths of lines that go together, from which ratio and spread are taken.
    """
    first, second = np.log(a.lengths + 2), np.log(b.lengths + 2)
    difference = np.log(ratio[1] + 2) - np.log(ratio[0] + 2)
    middle = float(np.median(difference))
    # A short line's length says less: a spread for each length, from a fit to what these files show.
    size = np.log(ratio[0] + 2)
    deviation = np.abs(difference - middle)
    basis = np.stack([np.ones(len(size)), np.exp(-size / 2)])
    weight = np.linalg.lstsq(basis @ basis.T + np.eye(2) * 0.5, basis @ (deviation * 1.3), rcond=None)[0]
    spread = np.maximum(weight[0] + weight[1] * np.exp(-first / 2), _LEAST_SPREAD)[:, None]
    at = float(second.mean())
    wide = max(float(second.std()), _LEAST_SPREAD)
    columns, there = band.columns(len(a), len(b))
    other = second[np.clip(columns, 0, len(b) - 1)]
    distance = (other - first[:, None] - middle) / spread
    apart = (other - at) / wide
    # Student's t with 4 degrees of freedom, since free translations are not rare.
    found: Floats = -2.5 * np.log1p(distance**2 / 4) - np.log(spread) + apart**2 / 2 + np.log(wide)
    return np.where(there, np.clip(found, -6, 6), 0.0)


def marks(a: Side, b: Side, band: Band) -> Floats:
    """How much rarer it is than by chance that two lines end in the same mark, or in different ones: a log ratio."""
    columns, there = band.columns(len(a), len(b))
    other = b.last[np.clip(columns, 0, len(b) - 1)]
    values, counts = np.unique(b.last, return_counts=True)
    share = (counts + 0.5) / (counts.sum() + 1)
    place = np.clip(np.searchsorted(values, a.last), 0, len(values) - 1)
    chance = np.where(values[place] == a.last, share[place], 1 / (len(b) + 1))[:, None]
    same = np.where(other == a.last[:, None], np.log(0.8 + 0.2 * chance) - np.log(chance), np.log(0.2))
    return np.where(there & (chance < 0.5), same, 0.0)


def spelling(a: Side, b: Side, band: Band) -> Floats:
    """Likeness of spelling: cosine of the letter groups of both lines, rare ones counting more, from 0 to 1."""
    size = int(max(a.grams.max(initial=0), b.grams.max(initial=0))) + 1
    occurrences = np.bincount(a.grams, minlength=size) + np.bincount(b.grams, minlength=size)
    weight = np.log((len(a) + len(b) + 1) / (occurrences + 0.5)).clip(0.0) ** 2
    norms = [
        np.sqrt(np.add.reduceat(np.append(weight[side.grams], 0.0), side.gram_starts[:-1]) + 1e-9) for side in (a, b)
    ]
    for norm, side in zip(norms, (a, b), strict=True):
        norm[np.diff(side.gram_starts) == 0] = 1.0
    columns, there = band.columns(len(a), len(b))
    shared = np.zeros(columns.shape)
    present = np.zeros(size)
    starts_a, starts_b = a.gram_starts.tolist(), b.gram_starts.tolist()
    for line in range(len(a)):
        low, high = max(0, line + band.low), min(len(b), line + band.low + band.width)
        if low >= high:
            continue
        own = a.grams[starts_a[line] : starts_a[line + 1]]
        present[own] = weight[own]
        begin, end = starts_b[low], starts_b[high]
        sums = np.zeros(end - begin + 1)
        np.cumsum(present[b.grams[begin:end]], out=sums[1:])
        ends = sums[b.gram_starts[low : high + 1] - begin]
        shared[line, low - line - band.low : high - line - band.low] = ends[1:] - ends[:-1]
        present[own] = 0.0
    other = norms[1][np.clip(columns, 0, len(b) - 1)]
    return np.where(there, shared / (norms[0][:, None] * other), 0.0)


def translation(a: Side, b: Side, band: Band, table: Table, lines: Ints) -> Floats:
    """Log likelihood ratio of b's words given a's, under a table, for the given lines of a (other rows are 0)."""
    found = np.zeros((len(a), band.width))
    explained = np.zeros(len(table.common))
    scarcity = (1 - NOTHING) / table.common[b.words]
    starts_a, starts_b = a.word_starts.tolist(), b.word_starts.tolist()
    for line in lines.tolist():
        low, high = max(0, line + band.low), min(len(b), line + band.low + band.width)
        own = a.words[starts_a[line] : starts_a[line + 1]]
        if low >= high or not len(own):
            continue
        places = taken(table.starts, own)
        into = table.words[places]
        np.add.at(explained, into, table.chances[places] / len(own))
        begin, end = starts_b[low], starts_b[high]
        sums = np.zeros(end - begin + 1)
        np.cumsum(np.log(explained[b.words[begin:end]] * scarcity[begin:end] + NOTHING), out=sums[1:])
        ends = sums[b.word_starts[low : high + 1] - begin]
        found[line, low - line - band.low : high - line - band.low] = ends[1:] - ends[:-1]
        explained[into] = 0.0
    return found


def mirrored(values: Floats, band: Band, a: int) -> Floats:
    """A band seen from b as a band seen from a; `band` is that of a."""
    columns, there = band.columns(a, len(values))
    places = np.clip(columns, 0, len(values) - 1)
    return np.where(there, values[places, np.arange(band.width)[::-1]], 0.0)
