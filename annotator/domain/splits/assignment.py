"""Which part each item of a split goes to: whole groups, each stratum in the asked proportions.

Groups with the same number of items of each stratum can stand for each other, so such groups are dealt out together:
each part gets its share of them, rounded down, and what remains goes one by one to the part that lacks most of what the
group has. Large groups come first. Then groups are changed for others while that helps. Which of the groups go where is
decided by a number that the seed and the group's name give: neither the order of the items nor that of the groups
matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from annotator.domain.splits.items import NO_PART, Items, Numbers, Places

Weights = NDArray[np.float64]
Chosen = NDArray[np.bool_]
# How little the size of a part counts beside its strata: it decides where these are equal.
_WHOLE = 1e-3
# How many sorts of groups are looked at for what to change, and how many changes are made.
_IMPROVED = 300
_STEPS = 100


def assign(items: Items, shares: Sequence[float]) -> Places:
    """By item, its part: the place of a share in `shares`. The same for the same items and seed."""
    groups = Groups.of(items)
    return groups.of_items(Deal(groups, shares).run(np.full(len(groups), NO_PART)))


@dataclass(frozen=True)
class Groups:
    """The groups of some items: `numbers` in ascending order, `of_item` the place of each item's group.

    `rows`, `columns`, `counts`: how many items of a stratum (column) a group (row) has; the last stratum is the whole.
    """

    numbers: Numbers
    of_item: Places
    rows: Places
    columns: Places
    counts: Places
    strata: int

    @classmethod
    def of(cls, items: Items) -> Groups:
        # Searching takes a third of the memory that places do which come of sorting.
        numbers = np.unique(items.groups)
        of_item = np.searchsorted(numbers, items.groups).astype(np.int64, copy=False)
        width = len(items.names) + 1
        found = [np.unique(of_item * width + codes, return_counts=True) for codes in items.strata]
        found.append((np.arange(len(numbers)) * width + width - 1, np.bincount(of_item, minlength=len(numbers))))
        cells, places = np.unique(np.concatenate([keys for keys, _counts in found]), return_inverse=True)
        counts = np.bincount(places.reshape(-1), np.concatenate([counts for _keys, counts in found]), len(cells))
        return cls(numbers, of_item, cells // width, cells % width, counts.astype(np.int64), width)

    def __len__(self) -> int:
        return len(self.numbers)

    def of_items(self, parts: Places) -> Places:
        """The counts of each group, for each item."""
        return parts[self.of_item] if len(self) else parts

    def cells(self, group: int) -> tuple[Places, Places]:
        """The strata of a group, and how many items of each it has."""
        begin, end = np.searchsorted(self.rows, [group, group + 1])
        return self.columns[begin:end], self.counts[begin:end]

    @property
    def sizes(self) -> Places:
        """How many items each group has."""
        return np.bincount(self.of_item, minlength=len(self)).astype(np.int64)

    def sums(self, chosen: Chosen) -> Weights:
        """How many items of each stratum the chosen groups have."""
        inside = chosen[self.rows]
        counts = self.counts[inside].astype(np.float64)
        return np.bincount(self.columns[inside], counts, self.strata).astype(np.float64)


class Deal:
    """The groups that are dealt out to parts, and how many items of each stratum each part has so far."""

    def __init__(self, groups: Groups, shares: Sequence[float], *, dealt: Chosen | None = None) -> None:
        """`dealt`: the groups of which the parts get their shares; all unless given."""
        self.groups, self.shares = groups, np.asarray(shares, np.float64)
        everything = groups.sums(np.ones(len(groups), bool) if dealt is None else dealt)
        self.targets = self.shares[:, None] * everything[None, :]
        self.have = np.zeros((len(shares), groups.strata))
        self.weights = np.divide(1.0, everything, out=np.zeros_like(everything), where=everything > 0)
        self.weights[-1] *= _WHOLE

    def run(self, placed: Places, barred: Mapping[int, Chosen] = MappingProxyType({})) -> Places:
        """By group, its part. `placed`: the parts of groups that have one. `barred`: by part, groups that must not be
        in it."""
        parts = placed.copy()
        for part in range(len(self.shares)):
            self.have[part] = self.groups.sums(parts == part)
        keys = np.zeros(len(self.groups), np.int64)
        for part, groups in barred.items():
            keys |= groups.astype(np.int64) << part
        profiles = [
            _Profile(alike, np.array([part for part in range(len(self.shares)) if not keys[alike[0]] >> part & 1]))
            for alike in self._alike(parts == NO_PART, keys)
        ]
        for profile in profiles:
            profile.given = self._given(profile)
        self._improve(profiles)
        for profile in profiles:
            parts[profile.groups] = np.repeat(np.arange(len(self.shares)), profile.given)
        return parts

    def _alike(self, free: Chosen, keys: Places) -> list[Places]:
        """The free groups, those together that have the same items and the same key: large ones and rare ones first."""
        groups = self.groups
        mixed = _mixed(groups.columns, groups.counts)
        profile = np.zeros(len(groups), np.uint64)
        np.add.at(profile, groups.rows, mixed)
        profile ^= _mixed(keys, np.ones_like(keys))
        sizes = groups.sizes
        chosen = np.flatnonzero(free)
        _names, first, inverse, numbers = np.unique(
            profile[chosen], return_index=True, return_inverse=True, return_counts=True
        )
        inverse = inverse.reshape(-1)
        # Groups are in the order of their numbers, which the seed gives; a profile's own number does not matter.
        order = np.lexsort((profile[chosen][first], numbers, -sizes[chosen][first]))
        by_profile = chosen[np.argsort(inverse, kind="stable")]
        ends = np.cumsum(numbers)
        return [by_profile[ends[one] - numbers[one] : ends[one]] for one in order]

    def _given(self, profile: _Profile) -> Places:
        """How many of the groups each part gets."""
        columns, counts = self.groups.cells(profile.groups[0])
        weights = self.weights[columns] * counts
        number, some = len(profile.groups), profile.allowed
        given = np.zeros(len(self.shares), np.int64)
        if number > 1:
            lacks = np.clip((self.targets - self.have)[some][:, columns], 0, None) @ weights
            ratio = lacks if lacks.sum() > 0 else self.shares[some]
            if ratio.sum() > 0:
                given[some] = np.floor(number * ratio / ratio.sum() + 1e-9).astype(np.int64)
                self.have[:, columns] += given[:, None] * counts[None, :]
        for _rest in range(number - int(given.sum())):
            lacks = (self.targets - self.have)[some][:, columns] @ weights
            part = some[int(np.argmax(np.round(lacks, 12)))]
            given[part] += 1
            self.have[part, columns] += counts
        return given

    def _improve(self, profiles: Sequence[_Profile]) -> None:
        """Move groups, or change one for another, while that brings all strata together nearer to their targets."""
        some = sorted(profiles, key=lambda one: -len(one.groups))[:_IMPROVED]
        vectors = np.zeros((len(some) + 1, self.groups.strata))
        for place, profile in enumerate(some):
            columns, counts = self.groups.cells(profile.groups[0])
            vectors[place, columns] = counts
        given = np.array([*(profile.given for profile in some), np.ones(len(self.shares), np.int64)])
        allowed = np.ones_like(given, dtype=bool)
        for place, profile in enumerate(some):
            allowed[place] = np.isin(np.arange(len(self.shares)), profile.allowed)
        weighted = vectors * self.weights
        # The last one isn't a group: a change for it is a move.
        apart = np.einsum("is,is->i", weighted, vectors)
        apart = apart[:, None] + apart[None, :] - 2 * weighted @ vectors.T
        for _step in range(_STEPS):
            best = (-1e-9, 0, 0, 0, 0)
            for one, other in combinations(range(len(self.shares)), 2):
                beyond = weighted @ ((self.have - self.targets)[one] - (self.have - self.targets)[other])
                gain = apart - beyond[:, None] + beyond[None, :]
                goes = (given[:, one] > 0) & allowed[:, other]
                comes = (given[:, other] > 0) & allowed[:, one]
                gain = np.where(goes[:, None] & comes[None, :], np.round(gain, 12), 0)
                place = int(np.argmin(gain))
                best = min(best, (float(gain.flat[place]), one, other, *divmod(place, len(given))))
            gained, one, other, out, back = best
            if gained >= -1e-9:
                break
            for profile_place, begin, end in ((out, one, other), (back, other, one)):
                if profile_place < len(some):
                    given[profile_place, begin] -= 1
                    given[profile_place, end] += 1
                    self.have[begin] -= vectors[profile_place]
                    self.have[end] += vectors[profile_place]
        for profile, now in zip(some, given, strict=False):
            profile.given = now


@dataclass
class _Profile:
    """Groups with the same items of each stratum; the parts that they may be in, and how many are `given` to each."""

    groups: Places
    allowed: Places
    given: Places = field(default_factory=lambda: np.zeros(0, np.int64))


def _mixed(columns: Places, counts: Places) -> Numbers:
    """A number for each cell, so that sums of them tell groups apart (the finaliser of SplitMix64)."""
    mixed = (columns.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= counts.astype(np.uint64) * np.uint64(0xD1B54A32D192ED03)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
