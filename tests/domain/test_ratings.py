"""Ratings and best–worst answers: contents, distances, alpha."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement.ratings import interval, interval_alpha, mean_and_spread, ordinal, ordinal_alpha
from annotator.domain.content import BEST_WORST, RATING, ContentError

SCALE = {"points": 5}
# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, missing data.
ROWS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[value for value in column if value is not None] for column in zip(*ROWS, strict=True)]
VALUES = st.integers(min_value=1, max_value=5)


def test_alpha_is_that_of_krippendorffs_example() -> None:
    assert ordinal_alpha(UNITS) == pytest.approx(0.815, abs=0.0005)
    assert interval_alpha(UNITS) == pytest.approx(0.849, abs=0.0005)


def test_nothing_to_compare_has_no_alpha() -> None:
    assert interval_alpha([[3], [4]]) is None
    assert ordinal_alpha([[3, 3], [3, 3]]) is None


@given(st.lists(VALUES, min_size=1), VALUES, VALUES)
def test_distances_are_symmetric_and_0_for_the_same(given_: list[int], one: int, other: int) -> None:
    for distance in (interval, ordinal(Counter([*given_, one, other]))):
        assert distance(one, other) == distance(other, one) >= 0
        assert (distance(one, other) == 0) == (one == other)


@given(
    st.lists(st.lists(VALUES, min_size=2, max_size=4), min_size=2, max_size=20), st.integers(-9, 9), st.integers(1, 4)
)
def test_interval_alpha_does_not_hang_on_where_the_scale_begins(units: list[list[int]], by: int, times: int) -> None:
    moved = [[times * value + by for value in values] for values in units]
    assert interval_alpha(moved) == pytest.approx(interval_alpha(units))


def test_mean_and_spread() -> None:
    assert mean_and_spread([2, 4]) == (3, pytest.approx(2**0.5))
    assert mean_and_spread([4]) == (4, None)


@pytest.mark.parametrize("value", [0, 6, "3", True, 2.0, None])
def test_a_rating_is_a_whole_number_of_the_scale(value: Any) -> None:
    with pytest.raises(ContentError):
        RATING.check({"value": value}, scheme=SCALE, tokens=(), done=True)
    assert RATING.check({"value": None}, scheme=SCALE, tokens=(), done=False) == {"value": None}
    assert RATING.check({"value": 5}, scheme=SCALE, tokens=(), done=True) == {"value": 5}


@given(VALUES, VALUES, VALUES)
def test_ratings_that_are_nearer_agree_more(a: int, b: int, c: int) -> None:
    def agree(one: int, other: int) -> float:
        return RATING.agreement({"value": one}, {"value": other}, tokens=())

    assert agree(a, b) == agree(b, a)
    assert (agree(a, b) == 1) == (a == b)
    if abs(a - b) < abs(a - c):
        assert agree(a, b) > agree(a, c)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"best": 1, "worst": 1}, "cannot be both"),
        ({"best": 4, "worst": 1}, "is not the number of a text"),
        ({"best": True, "worst": 0}, "is not the number of a text"),
        ({"best": 1, "worst": None}, "two of the texts"),
        ({"best": 1}, "must be an object"),
    ],
)
def test_best_and_worst_are_two_different_parts(content: Any, why: str) -> None:
    with pytest.raises(ContentError, match=why):
        BEST_WORST.check(content, scheme={}, tokens=(), done=True)
    half = {"best": 1, "worst": None}
    assert BEST_WORST.check(half, scheme={}, tokens=(), done=False) == half


def test_what_is_best_for_one_and_worst_for_another_is_no_agreement() -> None:
    def agree(one: tuple[int, int], other: tuple[int, int]) -> float:
        a, b = (dict(zip(("best", "worst"), two, strict=True)) for two in (one, other))
        return BEST_WORST.agreement(a, b, tokens=())

    assert (agree((0, 3), (0, 3)), agree((0, 3), (0, 2)), agree((0, 3), (1, 2)), agree((0, 3), (3, 0))) == (
        1,
        0.5,
        0,
        0,
    )
    assert BEST_WORST.merge([{"best": 0, "worst": 3}, {"best": 0, "worst": 2}]) == {"best": 0, "worst": None}
