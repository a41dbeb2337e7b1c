"""Find where two files of parallel lines start to differ, only by the lengths of their lines.

It is quick enough for a request. `domain.parallel_check` finds missing and repeated lines in a job.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Maximum number of lines by which one file can be ahead of the other.
_REACH = 3
# Variance of the lengths of translations (Gale & Church 1993), the largest difference that counts, and the minimum
# improvement of a line that counts.
_VARIANCE = 6.8
_MOST = 6.0
_DRIFT = 0.5
# Minimum improvement of all lines together.
_ENOUGH = 24.0


@dataclass(frozen=True, slots=True)
class Shift:
    """From this line on (counted from 0), line n of the first fits line n + `by` of the second better."""

    line: int
    by: int


def first_shift(first: Sequence[int], second: Sequence[int]) -> Shift | None:
    """The place where a shift starts to fit better, or None."""
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
    """The misfit of two lengths. An empty line is deliberate, and counts as neutral."""
    if not first or not second:
        return _MOST / 2
    expected = first * ratio
    return min(_MOST, (second - expected) ** 2 / (_VARIANCE * (expected + second) / 2))
