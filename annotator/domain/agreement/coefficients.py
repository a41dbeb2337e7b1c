"""Coefficients of agreement among any number of people, from sums over items.

Every coefficient here is a function of sums over items, such as how often each value was given. Sums of some sentences
are added up, so a stratum, a resample and the whole corpus are counted by the same functions: `item_sums` has a row
per item, `cluster_sums` a row per sentence or document, and the coefficients take sums with any leading axes.

Values are numbers from 0 to `k` - 1, and `GAP` where a person gave none. An item that fewer than two people answered
says nothing of agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.domain.agreement.distances import INTERVAL, JACCARD, MASI, TOGETHER
from annotator.domain.agreement.sets import jaccard, masi

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
GAP = -1


@dataclass(frozen=True)
class Layout:
    """Columns of the sums of items with `k` values.

    `items` with two answers or more, `agreeing` (the mean over their pairs of people), `apart` (distance of their
    answers), `answers` (how many), then per value: `given` (how often), `same` (pairs of people who both gave it),
    `possible` (pairs with somebody who gave it), `shares` (of each item's answers).
    """

    k: int

    items = 0
    agreeing = 1
    apart = 2
    answers = 3

    @property
    def width(self) -> int:
        return 4 + 4 * self.k

    @property
    def given(self) -> slice:
        return self._block(0)

    @property
    def same(self) -> slice:
        return self._block(1)

    @property
    def possible(self) -> slice:
        return self._block(2)

    @property
    def shares(self) -> slice:
        return self._block(3)

    def _block(self, number: int) -> slice:
        return slice(4 + number * self.k, 4 + (number + 1) * self.k)


@dataclass(frozen=True)
class PairLayout:
    """Columns of the sums of two people: `items` that both answered, then per value how often the `first` and the
    `second` gave it, and both the `same`."""

    k: int

    items = 0

    @property
    def width(self) -> int:
        return 1 + 3 * self.k

    @property
    def first(self) -> slice:
        return slice(1, 1 + self.k)

    @property
    def second(self) -> slice:
        return slice(1 + self.k, 1 + 2 * self.k)

    @property
    def same(self) -> slice:
        return slice(1 + 2 * self.k, 1 + 3 * self.k)


def item_sums(codes: Codes, k: int, distance: Floats | None = None) -> Floats:
    """A row of sums (`Layout`) per item. `codes`: shape (items, people).

    `distance`: shape (k, k), how far two values are apart, 0 on the diagonal; nominal without one.
    """
    layout = Layout(k)
    counts = np.zeros((len(codes), k))
    for person in codes.T:
        answered = np.flatnonzero(person != GAP)
        np.add.at(counts, (answered, person[answered]), 1.0)
    answers = counts.sum(axis=1)
    compared = answers > 1
    counts[~compared] = 0.0
    answers[~compared] = 0.0
    others = np.where(compared, answers - 1, 1.0)
    whole = np.where(compared, answers, 1.0)
    same = counts * (counts - 1)
    sums = np.zeros((len(codes), layout.width))
    sums[:, layout.items] = compared
    sums[:, layout.agreeing] = same.sum(axis=1) / (whole * others)
    if distance is None:
        apart = answers**2 - (counts**2).sum(axis=1)
    else:
        apart = np.einsum("ik,ik->i", counts @ distance, counts)
    sums[:, layout.apart] = apart / others
    sums[:, layout.answers] = answers
    sums[:, layout.given] = counts
    sums[:, layout.same] = same
    sums[:, layout.possible] = counts * others[:, None]
    sums[:, layout.shares] = counts / whole[:, None]
    return sums


def cluster_sums(sums: Floats, clusters: Codes) -> Floats:
    """A row per cluster: `clusters` says by a number from 0 which one each row of `sums` belongs to."""
    found = np.zeros((int(clusters.max(initial=-1)) + 1, sums.shape[1]))
    np.add.at(found, clusters, sums)
    return found


def observed(sums: Floats, k: int) -> Floats:
    """Observed agreement, 0 to 1: the share of pairs of answers that are the same, as the mean over items."""
    return ratio(sums[..., Layout.agreeing], sums[..., Layout.items])


def fleiss_kappa(sums: Floats, k: int) -> Floats:
    """Fleiss' kappa: chance is that two answers drawn from all are the same.

    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382;
    where not everybody answered everything, by shares of each item: Gwet, K. L. (2014). Handbook of Inter-Rater
    Reliability, 4th ed., chapter 2. NaN where everybody gave one value.
    """
    shares = ratio(sums[..., Layout(k).shares], sums[..., Layout.items, None])
    return _beyond_chance(observed(sums, k), (shares**2).sum(axis=-1))


def gwet_ac1(sums: Floats, k: int) -> Floats:
    """Gwet's AC1: p_e = Σ π (1 - π) / (k - 1), with π the mean share of a value. 1 where there is one value only.

    Gwet, K. L. (2008). British Journal of Mathematical and Statistical Psychology 61(1), 29-48.
    """
    agreeing = observed(sums, k)
    if k < 2:
        return agreeing
    shares = ratio(sums[..., Layout(k).shares], sums[..., Layout.items, None])
    return _beyond_chance(agreeing, (shares * (1 - shares)).sum(axis=-1) / (k - 1))


def krippendorff_alpha(sums: Floats, k: int, distance: Floats | None = None) -> Floats:
    """Krippendorff's alpha: one less the distance seen within items over that of any two answers.

    `distance` as for `item_sums`. NaN where all answers are the same.

    Krippendorff, K. (2004). Content Analysis, 2nd ed., chapter 11.
    """
    given = sums[..., Layout(k).given]
    total = sums[..., Layout.answers]
    if distance is None:
        expected = total**2 - (given**2).sum(axis=-1)
    else:
        expected = np.einsum("...k,...k->...", given @ distance, given)
    seen = ratio(sums[..., Layout.apart], total)
    return 1 - ratio(seen, ratio(expected, total * (total - 1)))


def specific_agreement(sums: Floats, k: int) -> Floats:
    """Agreement specific to each value, 0 to 1, along the last axis: of two people 2·both / (first + second).

    Of a value that marks something it is *positive* agreement, of the value for nothing *negative* agreement.

    Fleiss, J. L. (1975). Biometrics 31(3), 651-659; of several people: Uebersax, J. S. (1982). A design-independent
    method for measuring the reliability of psychiatric diagnosis. Journal of Psychiatric Research 17(4), 335-342.
    """
    layout = Layout(k)
    return ratio(sums[..., layout.same], sums[..., layout.possible])


def pair_sums(first: Codes, second: Codes, k: int) -> Floats:
    """A row of sums (`PairLayout`) per item that both answered; zeros for the others."""
    layout = PairLayout(k)
    sums = np.zeros((len(first), layout.width))
    both = np.flatnonzero((first != GAP) & (second != GAP))
    one, other = first[both], second[both]
    sums[both, layout.items] = 1
    sums[both, layout.first.start + one] = 1
    sums[both, layout.second.start + other] = 1
    same = one == other
    sums[both[same], layout.same.start + one[same]] = 1
    return sums


def cohen_kappa(sums: Floats, k: int) -> Floats:
    """Cohen's kappa from sums of `pair_sums` (see `kappa.py`). NaN where agreement by chance is 1."""
    layout = PairLayout(k)
    items = sums[..., layout.items]
    agreeing = ratio(sums[..., layout.same].sum(axis=-1), items)
    chance = ratio((sums[..., layout.first] * sums[..., layout.second]).sum(axis=-1), items**2)
    return _beyond_chance(agreeing, chance)


def label_kappa(sums: Floats, k: int) -> Floats:
    """Cohen's kappa of each value against all others, along the last axis, from sums of `pair_sums`."""
    layout = PairLayout(k)
    items = sums[..., layout.items, None]
    first, second, both = sums[..., layout.first], sums[..., layout.second], sums[..., layout.same]
    agreeing = ratio(items + 2 * both - first - second, items)
    chance = ratio(first * second + (items - first) * (items - second), items**2)
    return _beyond_chance(agreeing, chance)


def coincidence_sums(codes: Codes, k: int) -> Floats:
    """A row per item of how often each two values met, k² columns; the answers of an item add up to their number.

    Krippendorff's coincidences, for a distance that hangs on how often values were given (`alpha_of_coincidences`).
    """
    counts = np.zeros((len(codes), k))
    for person in codes.T:
        answered = np.flatnonzero(person != GAP)
        np.add.at(counts, (answered, person[answered]), 1.0)
    answers = counts.sum(axis=1)
    counts[answers < 2] = 0.0
    met = counts[:, :, None] * counts[:, None, :]
    met[:, np.arange(k), np.arange(k)] -= counts
    return met.reshape(len(codes), k * k) / np.where(answers > 1, answers - 1, 1.0)[:, None]


def ordinal_alpha(sums: Floats, k: int) -> Floats:
    """Krippendorff's alpha of `k` values in their order, from `coincidence_sums`. NaN where all answers are one."""
    met = sums.reshape(*sums.shape[:-1], k, k)
    given = met.sum(axis=-1)
    total = given.sum(axis=-1)
    distance = ordinal_distance(given)
    seen = ratio((met * distance).sum(axis=(-2, -1)), total)
    expected = np.einsum("...ij,...i,...j->...", distance, given, given)
    return 1 - ratio(seen, ratio(expected, total * (total - 1)))


def ordinal_distance(given: Sequence[float] | Floats) -> Floats:
    """Squared ordinal distances of Krippendorff (2004), of values in their order. `given`: how often each was given,
    along the last axis."""
    counts = np.asarray(given, dtype=float)
    before = np.concatenate((np.zeros((*counts.shape[:-1], 1)), np.cumsum(counts, axis=-1)), axis=-1)
    ranks = np.arange(counts.shape[-1])
    low, high = np.minimum.outer(ranks, ranks), np.maximum.outer(ranks, ranks)
    between = before[..., high + 1] - before[..., low] - (counts[..., low] + counts[..., high]) / 2
    distance: Floats = np.where(low == high, 0.0, between**2)
    return distance


def interval_distance(values: Sequence[float]) -> Floats:
    """Squared differences of the values."""
    numbers = np.asarray(values, dtype=float)
    distance: Floats = (numbers[:, None] - numbers[None, :]) ** 2
    return distance


def distance_matrix(name: str, values: Sequence[str], *, unmarked: str = "") -> Floats | None:
    """The distance of every two values; None for ORDINAL, which hangs on how often each was given, and for NOMINAL.

    `unmarked`: the value of an empty set. Raises ValueError where INTERVAL is asked of what is no number.
    """
    if name == INTERVAL:
        return interval_distance([float(value) for value in values])
    by_name: dict[str, Callable[[frozenset[str], frozenset[str]], float]] = {JACCARD: jaccard, MASI: masi}
    if name not in by_name:
        return None
    sets = [frozenset() if value == unmarked else frozenset(value.split(TOGETHER)) for value in values]
    return np.array([[by_name[name](one, other) for other in sets] for one in sets]).reshape(len(sets), len(sets))


def _beyond_chance(agreeing: Floats, chance: Floats) -> Floats:
    left = 1 - chance
    return ratio(agreeing - chance, np.where(left < 1e-12, 0.0, left))


def ratio(one: Any, other: Any) -> Floats:
    """One divided by the other, NaN for a division by 0."""
    below = np.asarray(other, dtype=float)
    safe = np.where(below == 0, 1.0, below)
    return np.where(below == 0, np.nan, np.asarray(one, dtype=float) / safe)
