"""Orders and names that tell nothing of what they stand for."""

from __future__ import annotations

from itertools import pairwise

from annotator.domain.stable_shuffle import another_name, stable_shuffle

UIDS = [f"idioms:manual_ne:{number}" for number in range(1, 401)]


def _neighbours_in_order(names: list[object]) -> int:
    ranks = {name: rank for rank, name in enumerate(sorted(names, key=str))}
    return sum(ranks[one] < ranks[other] for one, other in pairwise(names))


def test_other_names_are_the_same_each_time_and_each_its_own() -> None:
    assert [another_name(uid) for uid in UIDS] == [another_name(uid) for uid in UIDS]
    assert len({another_name(uid) for uid in UIDS}) == len(UIDS)


def test_neither_orders_nor_names_follow_what_they_stand_for() -> None:
    """Of 399 neighbours half are in order, give or take; of numbers in order all would be."""
    assert 160 < _neighbours_in_order([another_name(uid) for uid in UIDS]) < 240
    assert 160 < _neighbours_in_order([f"{stable_shuffle(uid):017d}" for uid in UIDS]) < 240
