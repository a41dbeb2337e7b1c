"""Best–worst scaling: tuples of four items, and scores by counting. How reliable they are: `split_half.py`.

A person says of each tuple which item has most and which has least of a property. After Kiritchenko & Mohammad
(2016), Capturing Reliable Fine-Grained Sentiment Associations by Crowdsourcing and Best–Worst Scaling, and (2017),
Best–Worst Scaling More Reliable than Rating Scales.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

UNIT_KIND = "best-worst-tuple"
SIZE = 4
# Twice as many tuples as items, as the authors advise: each item is in eight.
EACH_IN = 8
# How many shuffled items are at hand when the next one of a tuple is looked for.
_AT_HAND = 16
_TRIES = 5


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
    # Of few items a try may make the same tuple twice; where another one has more different ones, it is better.
    once = [(cost, {frozenset(numbers): numbers for numbers in found}) for cost, found in tries]
    _cost, best = min(once, key=lambda one: (-len(one[1]), one[0]))
    return [tuple(items[number] for number in numbers) for numbers in best.values()]


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
