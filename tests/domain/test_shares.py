"""Shares with their intervals."""

from __future__ import annotations

import pytest

from annotator.domain.shares import in_percent, wilson


def test_an_interval_has_the_share_in_it_and_is_never_less_than_nothing() -> None:
    for part, whole in ((part, total) for total in range(1, 60) for part in range(total + 1)):
        low, high = wilson(part, whole)
        assert 0 <= low <= part / whole <= high <= 1, (part, whole)
        assert "-" not in in_percent(part, whole)[1], (part, whole)


def test_it_is_that_of_wilson() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 857-872, Table I: 81 of 263 is 0.2553 to 0.3662.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
