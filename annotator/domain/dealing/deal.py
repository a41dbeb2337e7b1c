"""Who gets which items. Pure: from who can have what, and who has how much, to a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from annotator.domain.dealing.drawing import draw


class Amount(StrEnum):
    """How many items are dealt, and how many of these are shared."""

    NUMBER = "number"
    SHARE = "share"  # in percent
    EACH = "each"  # of each stratum
    ALL = "all"


class Turns(StrEnum):
    """Who is next."""

    IN_TURN = "turn"
    BY_LOAD = "load"  # the person with the least open work first


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that can be dealt. `places`: how many people it still wants, where it is not shared; `people`: those who
    can have it. `untouched`: nobody has it or answered it, so that as many as one likes can share it."""

    item: int
    stratum: str
    people: frozenset[int]
    places: int = 1
    untouched: bool = True


@dataclass(frozen=True, slots=True)
class Order:
    """A request for items. `shared` items go to `sharers` people each, the others to as many as they want. `seed`: None
    takes the first items in order; else a random sample, in proportion to the strata."""

    amount: Amount = Amount.ALL
    number: int = 0
    seed: int | None = None
    shared_amount: Amount = Amount.NUMBER
    shared: int = 0
    sharers: int = 2
    turns: Turns = Turns.IN_TURN


@dataclass(frozen=True, slots=True)
class Plan:
    """`given`: by person, their items in order. `shared`: items that several people get. `asked` and `asked_shared`:
    how many there were to be."""

    given: Mapping[int, Sequence[int]] = field(default_factory=dict)
    shared: frozenset[int] = frozenset()
    asked: int = 0
    asked_shared: int = 0

    @property
    def items(self) -> set[int]:
        """All items that somebody gets."""
        return {item for items in self.given.values() for item in items}


def part(amount: Amount, number: int, whole: int) -> int:
    """How many of `whole` an amount is; half an item is rounded up.

    >>> part(Amount.SHARE, 15, 10), part(Amount.NUMBER, 15, 10), part(Amount.ALL, 0, 10)
    (2, 15, 10)
    """
    if amount == Amount.ALL:
        return whole
    return int(Fraction(whole * number, 100) + Fraction(1, 2)) if amount == Amount.SHARE else number


def deal(candidates: Sequence[Candidate], people: Sequence[int], order: Order, loads: Mapping[int, int]) -> Plan:
    """Who gets which of the candidates, given in order. `loads`: by person, how much open work they have.

    No item is given twice to a person, nor to anyone who cannot have it. An item is shared by exactly `sharers` people
    or not at all. Where fewer can be dealt than asked for, the plan says so.
    """
    everyone = frozenset(people)
    can = [one for one in candidates if one.people & everyone and one.places]
    asked, chosen = _chosen(can, order)
    asked_shared = part(order.shared_amount, order.shared, min(asked, len(can))) if order.shared else 0
    sharable = [one for one in chosen if one.untouched and len(one.people & everyone) >= order.sharers]
    # At random also where the first items are dealt: agreement on the first ones alone tells little of the rest.
    shared = {one.item for one in _choose(sharable, min(asked_shared, len(sharable)), order.seed or 0)}
    given: dict[int, list[int]] = {person: [] for person in people}
    turns = _Turns(people, order.turns, loads)
    for one in chosen:
        for person in turns.take(one.people, order.sharers if one.item in shared else one.places):
            given[person].append(one.item)
    return Plan(given, frozenset(shared), asked, asked_shared)


def _chosen(can: Sequence[Candidate], order: Order) -> tuple[int, Sequence[Candidate]]:
    """How many items are asked for, and which are chosen, in order."""
    if order.amount != Amount.EACH:
        asked = part(order.amount, order.number, len(can))
        return asked, _choose(can, min(asked, len(can)), order.seed)
    strata: dict[str, list[Candidate]] = {}
    for one in can:
        strata.setdefault(one.stratum, []).append(one)
    drawn = {one.item for rows in strata.values() for one in _choose(rows, order.number, order.seed)}
    return order.number * len(strata), [one for one in can if one.item in drawn]


def _choose(candidates: Sequence[Candidate], count: int, seed: int | None) -> Sequence[Candidate]:
    if seed is None:
        return candidates[:count]
    return draw([(one, one.stratum) for one in candidates], count, seed=seed)


class _Turns:
    """Whose turn it is."""

    def __init__(self, people: Sequence[int], turns: Turns, loads: Mapping[int, int]) -> None:
        self._order = {person: place for place, person in enumerate(people)}
        # In turn, everybody begins with nothing: a person skipped for one item is first for the next.
        self._loads = {person: loads.get(person, 0) if turns == Turns.BY_LOAD else 0 for person in people}

    def take(self, can: frozenset[int], count: int) -> list[int]:
        """The next `count` of those who can, at most; they have one item more each."""
        waiting = sorted(can & self._order.keys(), key=lambda person: (self._loads[person], self._order[person]))
        for person in waiting[:count]:
            self._loads[person] += 1
        return waiting[:count]
