"""Best–worst scaling: tuples by properties, scores and reliability against examples worked out by hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain.agreement.best_worst import EACH_IN, SIZE, Picked, make_tuples, scores
from annotator.domain.agreement.split_half import ranks, spearman_brown, split_half


@given(st.integers(min_value=6, max_value=120), st.integers(min_value=0, max_value=1000))
@example(7, 58)  # where the try that was best otherwise made three tuples twice
def test_tuples_hold_each_item_as_often_and_pairs_as_seldom_as_can_be(count: int, seed: int) -> None:
    tuples = make_tuples(range(count), seed=seed)
    assert all(len(set(one)) == SIZE for one in tuples)
    assert len({frozenset(one) for one in tuples}) == len(tuples)
    assert 2 * count - 2 <= len(tuples) <= 2 * count
    often = Counter(item for one in tuples for item in one)
    assert set(often) == set(range(count))
    together = Counter(frozenset(two) for one in tuples for two in combinations(one, 2))
    # Eight tuples bring an item together with three others each.
    least = ceil(EACH_IN * (SIZE - 1) / (count - 1))
    assert max(together.values()) <= least + 3
    if count >= 8:
        assert all(EACH_IN - 2 <= number <= EACH_IN + 2 for number in often.values())


def test_of_many_items_hardly_two_meet_twice() -> None:
    tuples = make_tuples(range(500), seed=3)
    assert (len(tuples), set(Counter(item for one in tuples for item in one).values())) == (1000, {EACH_IN})
    together = Counter(frozenset(two) for one in tuples for two in combinations(one, 2))
    assert sum(number > 1 for number in together.values()) <= 3


def test_the_same_seed_gives_the_same_tuples_and_another_one_others() -> None:
    assert make_tuples("abcdefgh", seed=1) == make_tuples("abcdefgh", seed=1)
    assert make_tuples("abcdefgh", seed=1) != make_tuples("abcdefgh", seed=2)


def test_four_items_are_one_tuple_and_fewer_are_none() -> None:
    (only,) = make_tuples("abcd", seed=0)
    assert set(only) == set("abcd")
    with pytest.raises(ValueError, match="needs 4 items"):
        make_tuples("abc", seed=0)
    with pytest.raises(ValueError, match="once"):
        make_tuples("abca", seed=0)


def _picked(items: str, best: str, worst: str) -> Picked[str]:
    return Picked(tuple(items), best, worst)


def test_scores_are_counted_as_worked_out_by_hand() -> None:
    found = scores([_picked("abcd", "a", "d"), _picked("abcd", "a", "c"), _picked("abce", "b", "a")])
    # a: twice best, once worst, seen three times.
    assert {item: round(one.value, 3) for item, one in found.items()} == {
        "a": 0.333,
        "b": 0.333,
        "c": -0.333,
        "d": -0.5,
        "e": 0.0,
    }
    assert (found["a"].best, found["a"].worst, found["a"].seen) == (2, 1, 3)


@given(st.lists(st.permutations("abcde"), min_size=1, max_size=40))
def test_scores_lie_between_the_ends_and_add_up_to_nothing(orders: list[list[str]]) -> None:
    found = scores(Picked(tuple(order[:4]), order[0], order[3]) for order in orders)
    assert all(-1 <= one.value <= 1 for one in found.values())
    assert sum(one.best - one.worst for one in found.values()) == 0
    assert sum(one.seen for one in found.values()) == 4 * len(orders)


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert ranks([3.0, 1.0, 3.0, 0.5]).tolist() == [3.5, 2.0, 3.5, 1.0]


def test_people_who_always_agree_are_wholly_reliable() -> None:
    tuples = [[_picked("".join(one), min(one), max(one))] * 2 for one in combinations("abcdef", 4)]
    found = split_half(tuples, seed=1)
    assert found is not None
    assert (round(found.spearman, 6), round(found.pearson, 6), found.halves) == (1, 1, 100)
    assert found.corrected_spearman == pytest.approx(1)


def test_halves_of_two_answers_are_as_worked_out_by_hand() -> None:
    # One answer in each half. Scores a 1, b 0, c 0, d −1 and a 1, b −1, c 0, d 0.
    # Pearson: sum of products 1, of squares 2 and 2: 1/2. Ranks 4, 2.5, 2.5, 1 and 4, 1, 2.5, 2.5, whose mean is 2.5:
    # products 2.25 + 0 + 0 + 0, squares 4.5 and 4.5: 1/2.
    found = split_half([[_picked("abcd", "a", "d"), _picked("abcd", "a", "b")]], seed=7)
    assert found is not None
    assert (found.pearson, found.spearman) == (pytest.approx(0.5), pytest.approx(0.5))
    assert found.corrected_pearson == pytest.approx(2 / 3)


def test_where_no_half_can_be_compared_there_is_no_reliability() -> None:
    assert split_half([], seed=1) is None
    assert split_half([[_picked("abcd", "a", "d")]], seed=1) is None
    assert spearman_brown(-1) is None


def test_the_same_seed_splits_alike() -> None:
    tuples = [
        [_picked("".join(one), one[0], one[3]), _picked("".join(one), one[1], one[2])]
        for one in combinations("abcdef", 4)
    ]
    assert split_half(tuples, seed=4) == split_half(tuples, seed=4)
