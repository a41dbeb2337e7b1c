"""Bootstrap intervals of what is computed from sums over sentences or documents.

Whole clusters are drawn, since the tokens of a sentence do not vary independently of each other. Clusters with equal
sums are drawn together, by how many there are: it is the same distribution, its cost grows with the number of
different rows and not with the corpus, and neither their order nor that of the database changes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.domain.agreement.plan import RESAMPLES

Floats = NDArray[np.float64]
# From sums with any leading axes to a value for each.
Statistic = Callable[[Floats], Floats]

LEVEL = 0.95
# Resamples drawn at a time: what they take is this many times the number of different rows.
_AT_ONCE = 50
# Clusters that are drawn in the time in which a different row is.
_CLUSTERS_OF_A_ROW = 10
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval. All three are None where the value is undefined; the interval alone is None where it
    was undefined in more than 5 % of the resamples. `undefined`: that share, 0 to 1."""

    value: float | None
    low: float | None = None
    high: float | None = None
    undefined: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {"value": self.value, "low": self.low, "high": self.high, "undefined": self.undefined}


@dataclass(frozen=True)
class Resampled:
    """Sums of a sample, of its resamples, and without each of its different rows.

    `whole`: shape (columns,). `drawn`: (resamples, columns). `without`: (different rows, columns), each less one
    cluster, and `times`: how many clusters have that row.
    """

    whole: Floats
    drawn: Floats
    without: Floats
    times: Floats

    def values(self, statistic: Statistic) -> Floats:
        """The statistic of each resample."""
        return statistic(self.drawn)

    def estimate(self, statistic: Statistic, *, level: float = LEVEL) -> Estimate:
        """The statistic of the sample with its interval, bias-corrected and accelerated (BCa).

        Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association
        82(397), 171-185.
        """
        value = float(statistic(self.whole))
        if np.isnan(value):
            return Estimate(None)
        drawn = self.values(statistic)
        undefined = float(np.isnan(drawn).mean()) if len(drawn) else 1.0
        if undefined > 1 - level:
            return Estimate(value, undefined=undefined)
        drawn = drawn[~np.isnan(drawn)]
        low, high = np.quantile(drawn, self._ends(value, drawn, statistic, level))
        return Estimate(value, float(low), float(high), undefined)

    def _ends(self, value: float, drawn: Floats, statistic: Statistic, level: float) -> tuple[float, float]:
        """The shares of resamples at which the interval begins and ends."""
        tails = ((1 - level) / 2, (1 + level) / 2)
        below = (np.sum(drawn < value) + np.sum(drawn == value) / 2) / len(drawn)
        if not 0 < below < 1:
            return tails
        left = statistic(self.without)
        known = ~np.isnan(left)
        times = self.times[known]
        distances = np.average(left[known], weights=times) - left[known] if known.any() else np.zeros(1)
        times = times if known.any() else np.ones(1)
        spread = float(np.sum(times * distances**2))
        acceleration = float(np.sum(times * distances**3)) / (6 * spread**1.5) if spread else 0.0
        bias = _NORMAL.inv_cdf(float(below))
        ends = []
        for tail in tails:
            shifted = bias + _NORMAL.inv_cdf(tail)
            scale = 1 - acceleration * shifted
            ends.append(_NORMAL.cdf(bias + shifted / scale) if scale > 0 else tail)
        return ends[0], ends[1]


def resample(
    clusters: Floats,
    *,
    seed: int | Sequence[int],
    resamples: int = RESAMPLES,
    times: Sequence[int] | NDArray[np.int64] | None = None,
) -> Resampled:
    """Draw as many clusters as there are, with replacement, `resamples` times. `clusters`: a row of sums each; `times`:
    how many clusters each row stands for, one without it."""
    if not len(clusters):
        nothing = np.zeros((0, clusters.shape[1]))
        return Resampled(np.zeros(clusters.shape[1]), nothing, nothing, np.zeros(0))
    rows, of_row = np.unique(clusters, axis=0, return_inverse=True)
    found = np.bincount(of_row.ravel(), weights=times).astype(np.int64)
    random = np.random.default_rng(seed)
    drawn = [_draws(random, found, min(_AT_ONCE, resamples - begin)) @ rows for begin in range(0, resamples, _AT_ONCE)]
    whole = found @ rows
    return Resampled(whole, np.concatenate(drawn), whole - rows, found.astype(float))


def _draws(random: np.random.Generator, times: NDArray[np.int64], resamples: int) -> Floats:
    """How often each different row was drawn in each resample, by whichever way of drawing costs less: row by row, or
    cluster by cluster where few of them are equal."""
    number = int(times.sum())
    if number > _CLUSTERS_OF_A_ROW * len(times):
        return random.multinomial(number, times / number, size=resamples).astype(float)
    of_cluster = np.repeat(np.arange(len(times)), times)
    drawn = of_cluster[random.integers(number, size=(resamples, number))]
    drawn += len(times) * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * len(times)).reshape(resamples, -1).astype(float)


def difference(one: Resampled, other: Resampled, statistic: Statistic, *, level: float = LEVEL) -> Estimate:
    """The statistic of one sample less that of another, drawn independently, with its percentile interval."""
    value = float(statistic(one.whole)) - float(statistic(other.whole))
    if np.isnan(value):
        return Estimate(None)
    drawn = one.values(statistic) - other.values(statistic)
    known = drawn[~np.isnan(drawn)]
    undefined = 1 - len(known) / len(drawn) if len(drawn) else 1.0
    if undefined > 1 - level:
        return Estimate(value, undefined=undefined)
    low, high = np.quantile(known, ((1 - level) / 2, (1 + level) / 2))
    return Estimate(value, float(low), float(high), undefined)
