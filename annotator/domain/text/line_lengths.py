"""Where two files of lines that should be parallel begin to differ, by the lengths of their lines alone.

Quick enough for a request: what is missing or doubled is found by `domain.parallel_check` in a job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Lines by which one file may be ahead of the other.
_REACH = 3
# How much the lengths of translations vary (Gale & Church 1993), the largest difference that counts, and what a line is
# to fit better by before it says anything.
_VARIANCE = 6.8
_MOST = 6.0
_DRIFT = 0.5
# How much better lines must fit, taken together.
_ENOUGH = 24.0


@dataclass(frozen=True, slots=True)
class Shift:
    """From this line on (counted from 0), line n of the first fits line n + `by` of the second better."""

    line: int
    by: int


def first_shift(first: Sequence[int], second: Sequence[int]) -> Shift | None:
    """Where the lengths begin to fit better otherwise; None where they fit as they are, or nothing fits."""
    ratio = sum(second) / max(sum(first), 1)
    if not ratio:
        return None
    shifts = [by for by in range(-_REACH, _REACH + 1) if by]
    better, begins = dict.fromkeys(shifts, 0.0), dict.fromkeys(shifts, 0)
    for line, length in enumerate(first):
        here = _apart(length, second[line], ratio) if line < len(second) else _MOST
        for by in shifts:
            if not 0 <= line + by < len(second):
                continue
            if not better[by]:
                begins[by] = line
            better[by] = max(0.0, better[by] + here - _apart(length, second[line + by], ratio) - _DRIFT)
            if better[by] > _ENOUGH:
                return Shift(begins[by], by)
    return None


def _apart(first: int, second: int, ratio: float) -> float:
    """How badly two lengths fit. An empty line is somebody's decision, and speaks neither for nor against."""
    if not first or not second:
        return _MOST / 2
    expected = first * ratio
    return min(_MOST, (second - expected) ** 2 / (_VARIANCE * (expected + second) / 2))
