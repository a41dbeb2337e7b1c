"""States, and what each may become: one table per noun. The codes are stored; their words are in the templates."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar


class Mode(StrEnum):
    """Whether suggestions and others' work are shown while one answers."""

    REVIEW = "review"
    BLIND = "blind"


class ItemState(StrEnum):
    """Of a unit in a stage."""

    FREE = "free"  # answers can still be claimed
    TAKEN = "taken"  # every wanted answer is claimed, and not all of them are done
    DONE = "done"  # every wanted answer is done
    DECIDED = "decided"  # gold is decided
    VOID = "void"  # the text was replaced, or the unit left the stage; it may come back


class AssignmentState(StrEnum):
    """Of one person's answer to an item."""

    OPEN = "open"
    DONE = "done"
    RETURNED = "returned"  # given back, taken away or expired; a late save may take it up again


class AnnotationState(StrEnum):
    """Of one person's content; *unseen* is the absence of a row. Done asserts every token."""

    OPEN = "open"
    DONE = "done"


class JobState(StrEnum):
    """Of long work in the background."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ITEM_STATES: Mapping[ItemState, frozenset[ItemState]] = {
    ItemState.FREE: frozenset({ItemState.TAKEN, ItemState.DONE, ItemState.DECIDED, ItemState.VOID}),
    ItemState.TAKEN: frozenset({ItemState.FREE, ItemState.DONE, ItemState.DECIDED, ItemState.VOID}),
    ItemState.DONE: frozenset({ItemState.FREE, ItemState.TAKEN, ItemState.DECIDED, ItemState.VOID}),
    ItemState.DECIDED: frozenset({ItemState.FREE, ItemState.TAKEN, ItemState.DONE, ItemState.VOID}),
    ItemState.VOID: frozenset({ItemState.FREE, ItemState.TAKEN, ItemState.DONE, ItemState.DECIDED}),
}

ASSIGNMENT_STATES: Mapping[AssignmentState, frozenset[AssignmentState]] = {
    AssignmentState.OPEN: frozenset({AssignmentState.DONE, AssignmentState.RETURNED}),
    AssignmentState.DONE: frozenset({AssignmentState.OPEN}),
    AssignmentState.RETURNED: frozenset({AssignmentState.OPEN, AssignmentState.DONE}),
}

JOB_STATES: Mapping[JobState, frozenset[JobState]] = {
    JobState.QUEUED: frozenset({JobState.RUNNING, JobState.CANCELLED}),
    JobState.RUNNING: frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED}),
    JobState.DONE: frozenset(),
    # Tried again: what was done stays done.
    JobState.FAILED: frozenset({JobState.QUEUED}),
    JobState.CANCELLED: frozenset({JobState.QUEUED}),
}


_S = TypeVar("_S", bound=StrEnum)


def may_become(table: Mapping[_S, frozenset[_S]], before: _S, after: _S) -> bool:
    """Whether the table has a way from `before` to `after`; staying what one is needs none."""
    return before == after or after in table[before]


def may_precede(table: Mapping[_S, frozenset[_S]], after: _S) -> frozenset[_S]:
    """The states that the table lets become `after`: what a conditional update looks for."""
    return frozenset(before for before, ways in table.items() if after in ways)


def item_state(*, wanted: int, open_: int, done: int, decided: bool) -> ItemState:
    """The state that follows from the counts of an item that is not void.

    >>> item_state(wanted=3, open_=1, done=1, decided=False).value
    'free'
    """
    if decided:
        return ItemState.DECIDED
    if done >= wanted:
        return ItemState.DONE
    return ItemState.TAKEN if open_ + done >= wanted else ItemState.FREE
