"""Whether answers decide by themselves: not where doubtful ones would be what decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content.best import BEST
from annotator.domain.deciding import decided, without_doubt
from annotator.domain.shares import majority

SURE, DOUBT = False, True


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        ([(True, SURE)], True),
        ([(True, DOUBT)], None),
        ([(False, DOUBT)], None),
        ([(True, DOUBT), (True, DOUBT)], None),
        ([(True, SURE), (True, DOUBT)], True),
        ([(True, SURE), (True, DOUBT), (False, SURE)], None),
        ([(True, SURE), (True, SURE), (False, DOUBT)], True),
        ([(True, SURE), (False, DOUBT)], None),
        ([], None),
    ],
)
def test_a_majority_that_rests_on_doubt_decides_nothing(answers: list[tuple[bool, bool]], outcome: bool | None) -> None:
    assert decided(answers, majority) is outcome


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=7))
def test_what_decides_is_what_all_say_and_what_the_sure_ones_say(answers: list[tuple[bool, bool]]) -> None:
    outcome = decided(answers, majority)
    if outcome is not None:
        assert outcome == majority([said for said, _doubt in answers]) == majority(without_doubt(answers))
    if not any(doubt for _said, doubt in answers):
        assert outcome == majority([said for said, _doubt in answers])


def test_votes_for_words_are_read_the_same_way() -> None:
    beat, push = ({"words": [word], "none": False} for word in ("beat", "push"))
    assert decided([(beat, SURE), (beat, SURE), (push, DOUBT)], BEST.winner) == beat
    assert decided([(beat, SURE), (beat, DOUBT), (push, SURE)], BEST.winner) is None
