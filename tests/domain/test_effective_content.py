"""Whose answer stands where no gold is decided."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.effective_content import Answer, effective_answer
from annotator.domain.states import Mode

REVIEW, OTHER = Answer(Mode.REVIEW, {"value": "a"}, 1), Answer(Mode.REVIEW, {"value": "b"}, 2)
BLIND, SECOND = Answer(Mode.BLIND, {"value": "c"}, 3), Answer(Mode.BLIND, {"value": "c"}, 4)


def test_nothing_stands_where_nobody_answered() -> None:
    assert effective_answer([]) is None


def test_the_reviewers_answer_stands_before_blind_ones_whenever_it_came() -> None:
    assert effective_answer([REVIEW]) == REVIEW
    assert effective_answer([BLIND, SECOND, REVIEW]) == REVIEW
    assert effective_answer([REVIEW, BLIND]) == REVIEW


def test_of_several_reviews_the_earliest_stands() -> None:
    assert effective_answer([BLIND, OTHER, REVIEW]) == OTHER


def test_a_blind_answer_stands_while_it_is_the_only_one() -> None:
    assert effective_answer([BLIND]) == BLIND
    # Even where they agree: they are there to be compared.
    assert effective_answer([BLIND, SECOND]) is None


@given(st.lists(st.sampled_from([REVIEW, OTHER, BLIND, SECOND])))
def test_an_answer_of_the_list_stands_or_none(answers: list[Answer]) -> None:
    found = effective_answer(iter(answers))
    assert found is None or found in answers
    if any(answer.mode == Mode.REVIEW for answer in answers):
        assert found is not None
        assert found.mode == Mode.REVIEW
