"""Windows over long texts: nothing is missing, nothing twice, and every word has context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlworkers.engines.windows import Window, windows

ROOM = st.integers(min_value=1, max_value=40)


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[int], int]:
    room = draw(ROOM)
    return draw(st.lists(st.integers(min_value=1, max_value=room), max_size=120)), room


@given(texts())
def test_every_word_is_kept_once_in_a_window_that_fits(text: tuple[list[int], int]) -> None:
    sizes, room = text
    found = windows(sizes, room)
    assert sorted(word for window in found for word in window.keep) == list(range(len(sizes)))
    for window in found:
        assert sum(sizes[window.first : window.last]) <= room
        assert all(window.first <= word < window.last for word in window.keep)


@given(texts())
def test_a_word_is_kept_where_its_poorer_side_is_richest(text: tuple[list[int], int]) -> None:
    sizes, room = text
    found = windows(sizes, room)

    def poorer_side(window: Window, word: int) -> float:
        left = float("inf") if window.first == 0 else sum(sizes[window.first : word])
        right = float("inf") if window.last == len(sizes) else sum(sizes[word + 1 : window.last])
        return min(left, right)

    for window in found:
        for word in window.keep:
            others = [poorer_side(other, word) for other in found if other.first <= word < other.last]
            assert poorer_side(window, word) == max(others)


def test_what_fits_is_one_window() -> None:
    assert windows([2, 3, 5], 10) == [Window(0, 3, (0, 1, 2))]
    assert windows([2, 3, 5], 9) != [Window(0, 3, (0, 1, 2))]


@pytest.mark.parametrize("room", [20, 21, 64, 510])
def test_words_of_one_subword_keep_almost_a_quarter_of_a_window_on_both_sides(room: int) -> None:
    count = 5_000
    for window in windows([1] * count, room):
        for word in window.keep:
            left = room if window.first == 0 else word - window.first
            right = room if window.last == count else window.last - word - 1
            assert min(left, right) >= room // 4 - 1


def test_a_text_costs_about_twice_its_length() -> None:
    assert sum(window.last - window.first for window in windows([1] * 5_000, 510)) <= 2 * 5_000


def test_nothing_has_no_words() -> None:
    assert windows([], 10) == [Window(0, 0, ())]


def test_a_word_larger_than_a_window_is_refused() -> None:
    with pytest.raises(ValueError, match="larger"):
        windows([1, 11], 10)
