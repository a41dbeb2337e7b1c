"""Distances of sets and Krippendorff's alpha, against published figures and by properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement.kappa import cohen_kappa
from annotator.domain.agreement.sets import alpha, jaccard, masi, nominal

SETS = st.frozensets(st.sampled_from("abcd"))


@given(SETS, SETS)
def test_distances_are_symmetric_and_0_for_equal_sets_alone(a: frozenset[str], b: frozenset[str]) -> None:
    for distance in (jaccard, masi):
        assert distance(a, b) == distance(b, a)
        assert (distance(a, b) == 0) == (a == b)
        assert 0 <= distance(a, b) <= 1


def test_masi_weighs_how_sets_lie_to_each_other() -> None:
    # Passonneau (2006): Jaccard 1/2 with one inside the other, 1/3 where they overlap.
    assert masi(frozenset("ab"), frozenset("a")) == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert masi(frozenset("ab"), frozenset("bc")) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi(frozenset("a"), frozenset("b")) == 1


def test_alpha_is_that_of_krippendorffs_example() -> None:
    # Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, missing data.
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[value for value in column if value is not None] for column in zip(*rows, strict=True)]
    assert alpha(units, nominal) == pytest.approx(0.743, abs=0.0005)


def test_nothing_to_compare_and_one_answer_alone_have_no_alpha() -> None:
    assert alpha([], nominal) is None
    assert alpha([["a"]], nominal) is None
    assert alpha([["a", "a"], ["a", "a"]], nominal) is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=30, max_size=60))
def test_of_two_people_it_is_near_kappa(pairs: list[tuple[bool, bool]]) -> None:
    kappa = cohen_kappa([str(a) for a, _b in pairs], [str(b) for _a, b in pairs]).value
    found = alpha(pairs, nominal)
    if kappa == 1:
        assert found == 1
    if found is not None and kappa is not None and found < 0:
        assert kappa < 0.2
