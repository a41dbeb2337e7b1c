"""Where two files begin to differ, by the lengths of their lines."""

from __future__ import annotations

import random

import pytest

from annotator.domain.text.line_lengths import first_shift


def lengths(number: int, seed: int = 1) -> tuple[list[int], list[int]]:
    """Lines of many lengths and their translations, a little longer or shorter."""
    chance = random.Random(seed)
    first = [chance.randint(15, 180) for _ in range(number)]
    return first, [max(1, round(one * chance.uniform(0.95, 1.25))) for one in first]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("at", [0, 57, 900])
def test_a_missing_line_is_found_near_its_place(seed: int, at: int) -> None:
    first, second = lengths(1000, seed)
    del second[at]
    found = first_shift(first, second)
    assert found is not None
    assert found.by == -1
    assert abs(found.line - at) <= 4


@pytest.mark.parametrize("seed", range(4))
def test_a_doubled_line_shifts_the_other_way(seed: int) -> None:
    first, second = lengths(500, seed)
    second.insert(200, second[200])
    found = first_shift(first, second)
    assert found is not None
    assert found.by == 1
    assert abs(found.line - 200) <= 4


@pytest.mark.parametrize("seed", range(12))
def test_files_that_fit_are_left_alone(seed: int) -> None:
    assert first_shift(*lengths(3000, seed)) is None


def test_lines_that_are_all_alike_say_nothing() -> None:
    assert first_shift([40] * 300, [42] * 299) is None


@pytest.mark.parametrize(("first", "second"), [([], []), ([5], []), ([], [5]), ([0, 0], [0, 0])])
def test_nothing_is_no_place(first: list[int], second: list[int]) -> None:
    assert first_shift(first, second) is None
