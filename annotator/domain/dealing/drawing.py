"""A seeded random sample in which each stratum has its share."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

_T = TypeVar("_T")
_S = TypeVar("_S", bound=Hashable)


def shares(sizes: Mapping[_S, int], count: int) -> dict[_S, int]:
    """How many of `count` each stratum has: in proportion to its size, rounded by the largest remainder. Among equal
    remainders the larger stratum is first, then the one that comes first.

    >>> shares({"a": 70, "b": 20, "c": 10}, 10)
    {'a': 7, 'b': 2, 'c': 1}
    """
    total = sum(sizes.values())
    count = min(count, total)
    found = {name: size * count // total if total else 0 for name, size in sizes.items()}
    places = {name: place for place, name in enumerate(sizes)}
    by_remainder = sorted(
        sizes, key=lambda name: (-(sizes[name] * count % total) if total else 0, -sizes[name], places[name])
    )
    for name in by_remainder[: count - sum(found.values())]:
        found[name] += 1
    return found


def draw(strata: Sequence[tuple[_T, _S]], count: int, *, seed: int) -> list[_T]:
    """`count` of what is given with its stratum, at random within each, in the order in which it came. The same seed
    draws the same."""
    members: dict[_S, list[int]] = {}
    for place, (_one, stratum) in enumerate(strata):
        members.setdefault(stratum, []).append(place)
    rng = random.Random(seed)  # noqa: S311 -- a sample that can be drawn again, not a secret
    wanted = shares({name: len(places) for name, places in members.items()}, count)
    drawn = {place for name, places in members.items() for place in rng.sample(places, wanted[name])}
    return [one for place, (one, _stratum) in enumerate(strata) if place in drawn]
