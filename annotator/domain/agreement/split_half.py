"""How reliable the scores of best–worst scaling are: those of random halves of the answers, compared.

After Kiritchenko & Mohammad (2017), Best–Worst Scaling More Reliable than Rating Scales.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from annotator.domain.agreement.best_worst import Picked

T = TypeVar("T", bound=Hashable)
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

_HALVES = 100


@dataclass(frozen=True, slots=True)
class Reliability:
    """Means over random halves of the correlation of both halves' scores.

    The corrected ones say how reliable the scores of all answers are (Spearman–Brown): 2r / (1 + r).
    """

    spearman: float
    pearson: float
    halves: int

    @property
    def corrected_spearman(self) -> float | None:
        return spearman_brown(self.spearman)

    @property
    def corrected_pearson(self) -> float | None:
        return spearman_brown(self.pearson)


@dataclass(frozen=True, slots=True)
class _Answers:
    """All answers in the order of their tuples. `tuples`: the tuple of each; `begins`: where each tuple's begin;
    `items`: four a row, `best` and `worst` one each, as numbers from 0 to `count`."""

    count: int
    tuples: Numbers
    begins: Numbers
    items: Numbers
    best: Numbers
    worst: Numbers


def split_half(tuples: Sequence[Sequence[Picked[T]]], *, seed: int, halves: int = _HALVES) -> Reliability | None:
    """How far the scores of one half of the answers agree with those of the other.

    `tuples`: the answers to each tuple. They are split at random, each tuple's by itself; of an odd number either half
    may get one more. None where no split has two items in both halves whose scores differ.
    """
    answers = _numbered(tuples)
    random = np.random.default_rng(seed)
    spearmans, pearsons = [], []
    for _ in range(halves if answers.count else 0):
        one, other = _scores(answers, _split(answers, random))
        shared = ~(np.isnan(one) | np.isnan(other))
        a, b = one[shared], other[shared]
        # Fewer than two items, or all scores of a half are the same.
        if len(a) < 2 or (a == a[0]).all() or (b == b[0]).all():
            continue
        pearsons.append(float(np.corrcoef(a, b)[0, 1]))
        spearmans.append(float(np.corrcoef(ranks(a), ranks(b))[0, 1]))
    return Reliability(mean(spearmans), mean(pearsons), len(pearsons)) if pearsons else None


def _numbered(tuples: Sequence[Sequence[Picked[T]]]) -> _Answers:
    flat = [answer for answers in tuples for answer in answers]
    numbers = {item: number for number, item in enumerate(dict.fromkeys(i for one in flat for i in one.items))}
    sizes = np.array([len(answers) for answers in tuples], dtype=np.int64)
    return _Answers(
        len(numbers),
        np.repeat(np.arange(len(tuples)), sizes),
        np.cumsum(sizes) - sizes,
        np.array([[numbers[item] for item in one.items] for one in flat], dtype=np.int64),
        np.array([numbers[one.best] for one in flat], dtype=np.int64),
        np.array([numbers[one.worst] for one in flat], dtype=np.int64),
    )


def _split(answers: _Answers, random: np.random.Generator) -> Numbers:
    """0 or 1 for each answer: those of a tuple in random order, in turns."""
    order = np.lexsort((random.random(len(answers.tuples)), answers.tuples))
    place = np.arange(len(order)) - answers.begins[answers.tuples]
    first = random.integers(2, size=len(answers.begins))
    sides = np.empty_like(order)
    sides[order] = (place + first[answers.tuples]) % 2
    return sides


def _scores(answers: _Answers, sides: Numbers) -> tuple[Floats, Floats]:
    """The score of each item in both halves, (best − worst) / seen; not a number where a half has not seen it."""

    def counted(items: Numbers) -> Floats:
        return np.bincount(items, minlength=2 * answers.count).astype(np.float64)

    shift = sides * answers.count
    seen = counted((answers.items + shift[:, np.newaxis]).ravel())
    found = counted(answers.best + shift) - counted(answers.worst + shift)
    values = np.divide(found, seen, out=np.full_like(found, np.nan), where=seen > 0)
    return values[: answers.count], values[answers.count :]


def ranks(values: Floats | Sequence[float]) -> Floats:
    """The rank of each value from 1; the same values share the mean of their ranks.

    >>> ranks([0.5, 0.1, 0.5]).tolist()
    [2.5, 1.0, 2.5]
    """
    _values, places, counts = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts + (counts + 1) / 2)[places], dtype=np.float64)


def spearman_brown(half: float) -> float | None:
    """The reliability of the whole from that of its halves: 2r / (1 + r). None where they do not agree: for r below 0
    the formula says nothing, and below −1/3 less than −1.

    >>> round(spearman_brown(0.5), 3)
    0.667
    >>> spearman_brown(-0.2) is None
    True
    """
    return None if half < 0 else 2 * half / (1 + half)
