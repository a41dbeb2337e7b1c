"""The way through two files: which line goes with which, by dynamic programming over a band of scores."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from annotator.domain.parallel_check.arrays import Floats, Ints
from annotator.domain.parallel_check.evidence import Band


class Step(IntEnum):
    """What happens at a place of both files."""

    NONE = 0
    TOGETHER = 1  # a line of a and a line of b
    ONLY_A = 2
    ONLY_B = 3
    SWAPPED = 4  # two lines of each, crosswise


@dataclass(frozen=True)
class Costs:
    """What lines without a partner cost, in nats: the first of a run, for each line of a and of b, and each one that
    follows it in the run. `swap`: what two swapped lines cost."""

    only_a: Floats
    only_b: Floats
    more: float
    swap: float


# What a cell of the way back says of each of the three ways of arriving there: with two lines together (how), with a
# line of a alone, with a line of b alone (whether the run was begun there or goes on).
_HOW, _SWAPPED, _A_GOES_ON, _B_GOES_ON = 3, 2, 4, 8
_BEST_A, _BEST_B = 16, 32


def best(
    scores: Floats, band: Band, costs: Costs, lines_b: int, *, open_end: bool = False
) -> list[tuple[Step, int, int]]:
    """The best way from the beginning of both files to their end, as (step, line of a, line of b).

    `scores` are log odds, one row per line of a as in `Band`; cells past the end of b do not count. With `open_end`
    it ends with the last line of a, wherever that is in b. Lines without a partner come in runs, so that the gaps are
    affine (Gotoh 1982): three tables instead of one.
    """
    lines_a, width = scores.shape
    there = band.columns(lines_a, lines_b)[1]
    scores = np.where(there, scores, -np.inf)
    back = np.zeros((lines_a + 1, width), np.int8)
    columns = np.arange(width)
    nowhere: Floats = np.full(width, -np.inf)
    before, current, only_a = nowhere, nowhere, nowhere
    first_b = np.append(costs.only_b, np.inf)
    for line in range(lines_a + 1):
        marks = back[line]
        if line == 0:
            arriving = nowhere.copy()
            arriving[-band.low] = 0.0
            alone = nowhere.copy()
        else:
            arriving = current + scores[line - 1]
            marks[:] = Step.TOGETHER
            alone = np.append(current[1:], -np.inf) - costs.only_a[line - 1]
            longer = np.append(only_a[1:], -np.inf) - costs.more
            goes_on = longer > alone
            np.copyto(alone, longer, where=goes_on)
            marks[goes_on] |= _A_GOES_ON
            if line >= 2:
                crossed = before[1:-1] + scores[line - 2, 2:] + scores[line - 1, :-2] - costs.swap
                better = crossed > arriving[1:-1]
                np.copyto(arriving[1:-1], crossed, where=better)
                marks[1:-1][better] += _SWAPPED - Step.TOGETHER
        places = line + band.low + columns
        outside = (places < 0) | (places > lines_b)
        arriving[outside] = alone[outside] = -np.inf
        better = alone > arriving
        marks[better] |= _BEST_A
        reached = np.where(better, alone, arriving)
        # A run of lines of b begins behind a place, with the line of b that stands there.
        begun = reached - first_b[np.clip(places, 0, lines_b)] + costs.more * columns
        furthest = np.maximum.accumulate(begun)
        with_b = np.append(-np.inf, furthest[:-1]) - costs.more * (columns - 1)
        with_b[outside] = -np.inf
        marks[1:][furthest[:-1] > begun[:-1]] |= _B_GOES_ON
        better = with_b > reached + 1e-9
        marks[better] |= _BEST_B
        before, current, only_a = current, np.where(better, with_b, reached), alone
    column = int(np.argmax(current)) if open_end else lines_b - lines_a - band.low
    return _steps(back, band, lines_a, column)


def _steps(
    back: np.ndarray[tuple[int, int], np.dtype[np.int8]], band: Band, line: int, column: int
) -> list[tuple[Step, int, int]]:
    found: list[tuple[Step, int, int]] = []
    run: Step | None = None  # a run of lines alone that goes on before this place
    while line > 0 or line + band.low + column > 0:
        mark = int(back[line, column])
        if run is Step.ONLY_B or (run is None and mark & _BEST_B):
            run = Step.ONLY_B if mark & _B_GOES_ON else None
            column -= 1
            found.append((Step.ONLY_B, line, line + band.low + column))
            continue
        if run is Step.ONLY_A or mark & _BEST_A:
            run = Step.ONLY_A if mark & _A_GOES_ON else None
            line, column = line - 1, column + 1
            found.append((Step.ONLY_A, line, line + band.low + column))
            continue
        step = Step.SWAPPED if mark & _HOW == _SWAPPED else Step.TOGETHER
        line -= 2 if step is Step.SWAPPED else 1
        found.append((step, line, line + band.low + column))
    return found[::-1]


def partners(steps: list[tuple[Step, int, int]], lines_a: int) -> Ints:
    """The line of b for each line of a; -1 for none."""
    found = np.full(lines_a, -1)
    for step, a, b in steps:
        if step is Step.TOGETHER:
            found[a] = b
        elif step is Step.SWAPPED:
            found[a], found[a + 1] = b + 1, b
    return found
