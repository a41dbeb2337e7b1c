"""The items of a split, in arrays: a million items take some tens of megabytes.

Names (of groups, expressions, texts) are kept as numbers of 64 bits that a hash gives, so the order in which items come
in says nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]
Codes = NDArray[np.int32]
# The part of an item that is in none.
NO_PART = -1


def number_of(name: str, seed: int = 0) -> int:
    """A number of 64 bits for a name: the same each time; with another seed, in another order among others."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8, salt=seed.to_bytes(8, "big")).digest(), "big")


class Items:
    """The items of a split, added one by one.

    `groups`: what stays together, as a number that the seed gives; of an item without a group, its own. `strata`: those
    that items belong to, as many of each. `expressions`: numbers, from `starts[k]` to `starts[k + 1]` those of item k.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._groups = array("Q")
        self._strata: list[array[int]] = []
        self._codes: dict[str, int] = {}
        self._expressions = array("Q")
        self._starts = array("q", [0])

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, group: str, strata: Iterable[str], expressions: Iterable[str] = ()) -> None:
        """Add an item. `strata`: the names of those that it belongs to."""
        codes = [self._codes.setdefault(name, len(self._codes)) for name in strata]
        while len(self._strata) < len(codes):
            self._strata.append(array("i"))
        for column, code in zip(self._strata, codes, strict=True):
            column.append(code)
        self._groups.append(number_of(group, self.seed))
        self._expressions.extend(number_of(one) for one in expressions)
        self._starts.append(len(self._expressions))

    @property
    def groups(self) -> Numbers:
        return np.frombuffer(self._groups, np.uint64)

    @property
    def strata(self) -> Iterator[Codes]:
        """The strata of all items, as often as each has one; numbered in the order of their names."""
        order = np.zeros(len(self._codes), np.int32)
        for place, name in enumerate(sorted(self._codes)):
            order[self._codes[name]] = place
        return (order[np.frombuffer(column, np.int32)] for column in self._strata)

    @property
    def names(self) -> list[str]:
        """The names of the strata, in their order."""
        return sorted(self._codes)

    @property
    def expressions(self) -> Numbers:
        return np.frombuffer(self._expressions, np.uint64)

    @property
    def starts(self) -> Places:
        return np.frombuffer(self._starts, np.int64)
