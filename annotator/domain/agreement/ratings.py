"""Ratings on a scale: how far apart two are, how far people agree, mean and spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean, stdev

from annotator.domain.agreement.sets import alpha


def interval(one: int, other: int) -> float:
    """The distance of values whose steps are equally far apart: the square of their difference."""
    return float((one - other) ** 2)


def ordinal(counts: Counter[int]) -> Callable[[int, int], float]:
    """The distance of values of which only the order is known: the square of how many ratings lie between them.

    `counts`: how often each value was given. Of the two values themselves half of the ratings count. Krippendorff, K.
    (2011). Computing Krippendorff's Alpha-Reliability, section 6.
    """

    def distance(one: int, other: int) -> float:
        low, high = min(one, other), max(one, other)
        between = sum(number for value, number in counts.items() if low <= value <= high)
        return (between - (counts[low] + counts[high]) / 2) ** 2

    return distance


def interval_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Krippendorff's alpha of ratings with equal steps. None as for `alpha`."""
    return alpha(units, interval)


def ordinal_alpha(units: Sequence[Sequence[int]]) -> float | None:
    """Krippendorff's alpha of ratings of which only the order is known. None as for `alpha`."""
    # A unit that one person rated tells nothing, here either.
    counts = Counter(value for values in units if len(values) > 1 for value in values)
    return alpha(units, ordinal(counts))


def mean_and_spread(values: Sequence[int]) -> tuple[float, float | None]:
    """The mean, and the standard deviation of the sample; None for a single value. Raises StatisticsError for none."""
    return mean(values), stdev(values) if len(values) > 1 else None
