"""Agreement where each answer is a set of categories: distances of sets, and Krippendorff's alpha over them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

_T = TypeVar("_T", bound=Hashable)
_Set = frozenset[str]


def jaccard(one: _Set, other: _Set) -> float:
    """How far two sets are apart, 0 to 1: one less the share of what they have in common; 0 for two empty sets."""
    either = one | other
    return 1 - len(one & other) / len(either) if either else 0.0


def masi(one: _Set, other: _Set) -> float:
    """The MASI distance (Passonneau 2006): Jaccard's similarity, weighted by how the sets lie to each other.

    The weight is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap, 0 where they share nothing.

    >>> round(masi(frozenset("ab"), frozenset("a")), 3)
    0.667
    """
    if one == other:
        return 0.0
    if not one & other:
        return 1.0
    weight = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - (1 - jaccard(one, other)) * weight


def nominal(one: object, other: object) -> float:
    """0 for the same, 1 for anything else."""
    return float(one != other)


def alpha(units: Sequence[Sequence[_T]], distance: Callable[[_T, _T], float]) -> float | None:
    """Krippendorff's alpha (2004): one less the distance observed within units over that expected by chance.

    `units`: the answers to each, from any number of people; a unit with fewer than two tells nothing. None where
    nothing can be compared, or all answers are the same, so that no chance of disagreeing was seen.
    """
    answered = [answers for answers in units if len(answers) > 1]
    counts: dict[_T, int] = {}
    observed = 0.0
    for answers in answered:
        apart = sum(distance(a, b) for a in answers for b in answers)
        observed += apart / (len(answers) - 1)
        for answer in answers:
            counts[answer] = counts.get(answer, 0) + 1
    total = sum(counts.values())
    expected = sum(n * m * distance(a, b) for a, n in counts.items() for b, m in counts.items())
    if total < 2 or not expected:
        return None
    return 1 - (observed / total) / (expected / (total * (total - 1)))
