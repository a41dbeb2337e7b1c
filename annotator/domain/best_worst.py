"""Best–worst scaling: tuples of four items, scores by counting, and how reliable the scores are.

Whoever answers says of a tuple which item has most and which has least of a property. After Kiritchenko & Mohammad
(2016), Capturing Reliable Fine-Grained Sentiment Associations by Crowdsourcing and Best–Worst Scaling, and (2017),
Best–Worst Scaling More Reliable than Rating Scales.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import StatisticsError, correlation, mean
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

UNIT_KIND = "best-worst-tuple"
SIZE = 4
# Twice as many tuples as items, as the authors advise: each item is in eight.
EACH_IN = 8
# How many shuffled items are at hand when the next one of a tuple is looked for.
_AT_HAND = 16
_TRIES = 5
_HALVES = 100


@dataclass(frozen=True, slots=True)
class Picked(Generic[T]):
    """One person's answer to a tuple: its items, and which of them is best and worst."""

    items: tuple[T, ...]
    best: T
    worst: T


@dataclass(frozen=True, slots=True)
class Score:
    """How often an item was chosen as best and worst, and how often somebody saw it."""

    best: int
    worst: int
    seen: int

    @property
    def value(self) -> float:
        """−1 (always worst) to 1 (always best)."""
        return (self.best - self.worst) / self.seen


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


def make_tuples(items: Sequence[T], *, seed: int) -> list[tuple[T, ...]]:
    """Tuples of four different items, twice as many as there are items; the same seed gives the same ones.

    Each item is in eight tuples, or in one more or fewer where the numbers do not come out; a pair is together as
    seldom as a few tries find. No four items are there twice: of fewer than six items there are fewer tuples.
    Raises ValueError for fewer than four items, and for an item that occurs twice.
    """
    if len(items) < SIZE:
        raise ValueError(f"A tuple needs {SIZE} items; there are {len(items)}.")
    if len(set(items)) < len(items):
        raise ValueError("Each item may be there once.")
    random = Random(seed)  # noqa: S311 -- a draw to be repeated, no secret
    tries = [_arranged(len(items), random) for _ in range(_TRIES)]
    _cost, best = min(tries, key=lambda one: one[0])
    once = {frozenset(numbers): numbers for numbers in best}
    return [tuple(items[number] for number in numbers) for numbers in once.values()]


def _arranged(count: int, random: Random) -> tuple[int, list[list[int]]]:
    """Tuples of the numbers below `count`; before them what they cost: pairs that meet again, each time more."""
    waiting: list[int] = []
    together: Counter[tuple[int, int]] = Counter()
    shuffles = EACH_IN
    tuples: list[list[int]] = []
    cost = 0
    while len(tuples) * SIZE < EACH_IN * count:
        while shuffles and len(waiting) < _AT_HAND:
            waiting += random.sample(range(count), count)
            shuffles -= 1
        chosen: list[int] = []
        for _ in range(SIZE):
            number, repeated = _next(waiting, chosen, together, count)
            cost += repeated
            together.update(_pair(number, other) for other in chosen)
            chosen.append(number)
        # Those that were hardest to place would stand last.
        random.shuffle(chosen)
        tuples.append(chosen)
    return cost, tuples


def _next(
    waiting: list[int], chosen: list[int], together: Mapping[tuple[int, int], int], count: int
) -> tuple[int, int]:
    """Take the first that has met those chosen least often, and how often that is."""
    found: tuple[int, int] | None = None
    for place, number in enumerate(waiting):
        if number in chosen:
            continue
        met = sum(together.get(_pair(number, other), 0) ** 2 for other in chosen)
        if found is None or met < found[0]:
            found = met, place
        if met == 0:
            break
    if found is not None:
        return waiting.pop(found[1]), found[0]
    # At the very end only items are left that the tuple has: another one is in one more, theirs is in one fewer.
    if waiting:
        waiting.pop()
    others = (number for number in range(count) if number not in chosen)
    number = min(others, key=lambda one: sum(together.get(_pair(one, other), 0) ** 2 for other in chosen))
    return number, 0


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def scores(answers: Iterable[Picked[T]]) -> dict[T, Score]:
    """Of each item that somebody saw: how often it was best, worst and seen."""
    best: Counter[T] = Counter()
    worst: Counter[T] = Counter()
    seen: Counter[T] = Counter()
    for answer in answers:
        seen.update(answer.items)
        best[answer.best] += 1
        worst[answer.worst] += 1
    return {item: Score(best[item], worst[item], number) for item, number in seen.items()}


def split_half(tuples: Sequence[Sequence[Picked[T]]], *, seed: int, halves: int = _HALVES) -> Reliability | None:
    """How far the scores of one half of the answers agree with those of the other.

    `tuples`: the answers to each tuple. They are split at random, each tuple's by itself; of an odd number either half
    may get one more. None where no split has two items in both halves whose scores differ.
    """
    random = Random(seed)  # noqa: S311 -- a draw to be repeated, no secret
    spearmans, pearsons = [], []
    for _ in range(halves):
        one, other = _split(tuples, random)
        shared = [item for item in one if item in other]
        a, b = [one[item].value for item in shared], [other[item].value for item in shared]
        try:
            pearson, spearman = correlation(a, b), correlation(ranks(a), ranks(b))
        except StatisticsError:
            # Fewer than two items, or all scores of a half are the same.
            continue
        pearsons.append(pearson)
        spearmans.append(spearman)
    return Reliability(mean(spearmans), mean(pearsons), len(pearsons)) if pearsons else None


def _split(tuples: Sequence[Sequence[Picked[T]]], random: Random) -> tuple[dict[T, Score], dict[T, Score]]:
    sides: tuple[list[Picked[T]], list[Picked[T]]] = ([], [])
    for answers in tuples:
        first = random.randrange(2)
        for number, answer in enumerate(random.sample(answers, len(answers))):
            sides[(number + first) % 2].append(answer)
    return scores(sides[0]), scores(sides[1])


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1; the same values share the mean of their ranks.

    >>> ranks([0.5, 0.1, 0.5])
    [2.5, 1.0, 2.5]
    """
    counts = Counter(values)
    rank_of: dict[float, float] = {}
    before = 0
    for value in sorted(counts):
        rank_of[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    return [rank_of[value] for value in values]


def spearman_brown(half: float) -> float | None:
    """The reliability of the whole from that of its halves: 2r / (1 + r). None for r = −1.

    >>> round(spearman_brown(0.5), 3)
    0.667
    """
    return None if half <= -1 else 2 * half / (1 + half)
