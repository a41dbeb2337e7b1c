"""What is held out, and when a new detector is the better one."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.learning import LEAST_HELD_OUT, LEAST_LABELLED, Split, is_better, is_enough, split_of


def test_about_a_fifth_is_held_out_and_a_tenth_for_development() -> None:
    found = Counter(split_of(f"premise {number}") for number in range(10_000))
    assert 1_900 < found[Split.HELD_OUT] < 2_100
    assert 900 < found[Split.DEVELOPMENT] < 1_100


def test_parts_are_for_ever() -> None:
    """Detectors that are on record were measured on these."""
    held_out = [number for number in range(20) if split_of(f"set:prem:{number}") == Split.HELD_OUT]
    assert held_out == [8, 11]


@given(st.text())
def test_every_group_has_a_part(group: str) -> None:
    assert split_of(group) is split_of(group)


@pytest.mark.parametrize(
    ("f1", "baseline", "better"),
    [(50.0, None, True), (0.0, None, True), (50.1, 50.0, True), (50.0, 50.0, False), (49.9, 50.0, False)],
)
def test_equals_do_not_take_the_place(f1: float, baseline: float | None, better: bool) -> None:
    assert is_better(f1, baseline) is better


def test_both_sides_need_labels() -> None:
    assert is_enough(LEAST_LABELLED, LEAST_HELD_OUT)
    assert not is_enough(LEAST_LABELLED - 1, 1_000)
    assert not is_enough(1_000, LEAST_HELD_OUT - 1)
