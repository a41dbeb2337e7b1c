"""Lexical splits: no expression of one part is seen in another.

Expressions and the groups that have them hang together: with all that shares an expression, and all that shares one
with that, nearly the whole corpus would go to one part. So expressions are chosen for the held-out part first. Groups
that have only such expressions are in it, those that have such and others are in no part, and the rest is dealt out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.domain.splits.assignment import Chosen, Deal, Groups
from annotator.domain.splits.items import NO_PART, Items, Places

# How many items outside of a group may have one of its expressions, for each item of the group, at first.
ALLOWANCE = 4
# The share of all items with expressions beyond which expressions are never chosen.
MOST = 0.05


def assign_lexical(items: Items, shares: Sequence[float], held_out: int) -> Places:
    """As `assign`, and no expression of part `held_out` is in another part; NO_PART for items that would break that.

    Groups are taken in the order that the seed gives, each with all of its expressions, until the held-out part has its
    share of the items with expressions. A group is passed over while more than ALLOWANCE items of other groups for each
    of its own have an expression that it would bring; where that is too little, twice as many may, and so on, up to the
    share MOST of all. So frequent expressions stay in training.
    """
    groups = Groups.of(items)
    uses = _Uses.of(items, groups)
    has_some = uses.numbers > 0
    missing = uses.missing(shares[held_out] * float(groups.sizes[has_some].sum()))
    inside = has_some & (missing == 0)
    left_out = has_some & ~inside & (missing < uses.numbers)
    placed = np.where(inside, held_out, NO_PART)
    # What is left out is dealt to nobody: a part that there is not.
    placed[left_out] = len(shares)
    parts = Deal(groups, shares, dealt=~left_out).run(placed, {held_out: has_some & ~inside})
    parts[left_out] = NO_PART
    return groups.of_items(parts)


@dataclass(frozen=True)
class _Uses:
    """Which expressions groups have.

    `expressions`: those of group g from `starts[g]` to `starts[g + 1]`, as places; `groups`: the groups that have
    expression e from `ends[e]` to `ends[e + 1]`. `numbers`: how many a group has; `weights`: how many items are in the
    groups that have an expression.
    """

    sizes: Places
    numbers: Places
    expressions: Places
    starts: Places
    groups: Places
    ends: Places
    weights: Places

    @classmethod
    def of(cls, items: Items, groups: Groups) -> _Uses:
        names, places = np.unique(items.expressions, return_inverse=True)
        owners = groups.of_item[np.repeat(np.arange(len(items)), np.diff(items.starts))]
        keys = np.unique(owners * max(len(names), 1) + places.reshape(-1))
        of_group, expressions = keys // max(len(names), 1), keys % max(len(names), 1)
        numbers = np.bincount(of_group, minlength=len(groups))
        weights = np.bincount(expressions, groups.sizes[of_group], len(names)).astype(np.int64)
        return cls(
            groups.sizes,
            numbers,
            expressions,
            np.concatenate([[0], np.cumsum(numbers)]),
            of_group[np.argsort(expressions, kind="stable")],
            np.concatenate([[0], np.cumsum(np.bincount(expressions, minlength=len(names)))]),
            weights,
        )

    def missing(self, wanted: float) -> Places:
        """By group, how many of its expressions are not chosen, once groups with only chosen ones have `wanted` items,
        or no more can be had."""
        missing = self.numbers.copy()
        chosen: Chosen = np.zeros(len(self.weights), bool)
        found = 0
        candidates = np.flatnonzero(self.numbers)
        limit = max(ALLOWANCE, MOST * float(self.sizes[candidates].sum()))
        allowance = ALLOWANCE
        while found < wanted and len(candidates):
            later = []
            for group in candidates:
                if found >= wanted:
                    break
                own = self.expressions[self.starts[group] : self.starts[group + 1]]
                new = own[~chosen[own]]
                others = int(self.weights[new].sum()) - len(new) * int(self.sizes[group])
                if others > min(allowance * int(self.sizes[group]), limit):
                    later.append(group)
                    continue
                chosen[new] = True
                for one in new:
                    holders = self.groups[self.ends[one] : self.ends[one + 1]]
                    missing[holders] -= 1
                    found += int(self.sizes[holders[missing[holders] == 0]].sum())
            if allowance > limit:
                break
            allowance *= 2
            candidates = np.array(later, np.int64)
        return missing
