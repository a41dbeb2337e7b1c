"""States and their tables: what may become what."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from itertools import product

import pytest

from annotator.domain.states import (
    ASSIGNMENT_STATES,
    ITEM_STATES,
    JOB_STATES,
    AssignmentState,
    ItemState,
    JobState,
    item_state,
    may_become,
)

# Every transition there is. What the code does beyond it is a fault in one of the two.
ITEM_WAYS = {
    # Claimed, answered at once, decided, replaced.
    *product(["free"], ["taken", "done", "decided", "void"]),
    # Given back, finished.
    *product(["taken"], ["free", "done", "decided", "void"]),
    # Undone, or undone and given back.
    *product(["done"], ["free", "taken", "decided", "void"]),
    # Reopened: as the answers are.
    *product(["decided"], ["free", "taken", "done", "void"]),
    # Answers differ again, or the unit came back: as its answers are.
    *product(["void"], ["free", "taken", "done", "decided"]),
}
ASSIGNMENT_WAYS = {("open", "done"), ("open", "returned"), ("done", "open"), ("returned", "open"), ("returned", "done")}

JOB_WAYS = {
    *product(["queued"], ["running", "cancelled"]),
    *product(["running"], ["done", "failed", "cancelled"]),
    # Tried again.
    *product(["failed", "cancelled"], ["queued"]),
}


@pytest.mark.parametrize(
    ("states", "table", "ways"),
    [
        (ItemState, ITEM_STATES, ITEM_WAYS),
        (AssignmentState, ASSIGNMENT_STATES, ASSIGNMENT_WAYS),
        (JobState, JOB_STATES, JOB_WAYS),
    ],
)
def test_the_tables_have_every_state_and_the_ways_that_are_meant(
    states: type[StrEnum], table: Mapping[StrEnum, frozenset[StrEnum]], ways: set[tuple[str, str]]
) -> None:
    assert set(table) == set(states)
    for before, after in product(states, states):
        assert may_become(table, before, after) == (before == after or (before.value, after.value) in ways)
    assert all(before not in after for before, after in table.items())


def test_what_is_done_is_not_returned() -> None:
    assert not may_become(ASSIGNMENT_STATES, AssignmentState.DONE, AssignmentState.RETURNED)


@pytest.mark.parametrize(
    ("wanted", "open_", "done", "expected"),
    [
        (1, 0, 0, "free"),
        (1, 1, 0, "taken"),
        (1, 0, 1, "done"),
        (3, 0, 0, "free"),
        (3, 2, 0, "free"),
        (3, 1, 1, "free"),
        (3, 2, 1, "taken"),
        (3, 3, 0, "taken"),
        (3, 0, 3, "done"),
        (2, 0, 3, "done"),
        # There for blind answers alone: nothing is left to claim.
        (0, 0, 0, "done"),
    ],
)
def test_the_state_of_an_item_follows_from_its_counts(wanted: int, open_: int, done: int, expected: str) -> None:
    assert item_state(wanted=wanted, open_=open_, done=done, decided=False) == expected
    assert item_state(wanted=wanted, open_=open_, done=done, decided=True) == "decided"


def test_whatever_the_counts_every_change_of_one_answer_is_a_way_in_the_table() -> None:
    for wanted, open_, done, decided in product(range(4), range(4), range(4), [False, True]):
        before = item_state(wanted=wanted, open_=open_, done=done, decided=decided)
        for more_open, more_done, now_decided in product((-1, 0, 1), (-1, 0, 1), [False, True]):
            after = item_state(wanted=wanted, open_=open_ + more_open, done=done + more_done, decided=now_decided)
            assert may_become(ITEM_STATES, before, after)
