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
    """What a line without partner costs, for each line of a and of b, and what two swapped ones cost (in nats)."""

    only_a: Floats
    only_b: Floats
    swap: float


def best(
    scores: Floats, band: Band, costs: Costs, lines_b: int, *, open_end: bool = False
) -> list[tuple[Step, int, int]]:
    """The best way from the beginning of both files to their end, as (step, line of a, line of b).

    `scores` are log odds, one row per line of a as in `Band`; cells past the end of b do not count. With `open_end`
    it ends with the last line of a, wherever that is in b.
    """
    lines_a, width = scores.shape
    there = band.columns(lines_a, lines_b)[1]
    scores = np.where(there, scores, -np.inf)
    back = np.zeros((lines_a + 1, width), np.int8)
    # For each place of b, and as far before and behind as the band reaches: what its lines cost alone up to there, and
    # what makes a place that there is not impossible.
    summed_b = np.concatenate([np.zeros(1), np.cumsum(costs.only_b)])
    reach = np.arange(band.low, lines_a + band.low + width)
    paid_at = summed_b[np.clip(reach, 0, lines_b)]
    outside = np.where((reach >= 0) & (reach <= lines_b), 0.0, -np.inf)
    only_a = costs.only_a.tolist()
    before: Floats = np.full(width, -np.inf)
    current: Floats = np.full(width, -np.inf)
    arriving: Floats = np.full(width, -np.inf)
    arriving[-band.low] = 0.0
    for line in range(lines_a + 1):
        step = back[line]
        if line > 0:
            arriving = current + scores[line - 1]
            step[:] = Step.TOGETHER
            alone = current[1:] - only_a[line - 1]
            better = alone > arriving[:-1]
            np.copyto(arriving[:-1], alone, where=better)
            step[:-1][better] = Step.ONLY_A
        if line >= 2:
            crossed = before[1:-1] + scores[line - 2, 2:] + scores[line - 1, :-2] - costs.swap
            better = crossed > arriving[1:-1]
            np.copyto(arriving[1:-1], crossed, where=better)
            step[1:-1][better] = Step.SWAPPED
        impossible = outside[line : line + width]
        arriving += impossible
        paid = paid_at[line : line + width]
        with_b = np.maximum.accumulate(arriving + paid) - paid
        better = with_b > arriving + 1e-9
        step[better] = Step.ONLY_B
        before, current = current, np.where(better, with_b, arriving) + impossible
    column = int(np.argmax(current)) if open_end else lines_b - lines_a - band.low
    return _steps(back, band, lines_a, column)


def _steps(
    back: np.ndarray[tuple[int, int], np.dtype[np.int8]], band: Band, line: int, column: int
) -> list[tuple[Step, int, int]]:
    found = []
    while line > 0 or line + band.low + column > 0:
        step = Step(int(back[line, column]))
        if step is Step.ONLY_B or line == 0:
            column -= 1
            found.append((Step.ONLY_B, line, line + band.low + column))
            continue
        if step is Step.ONLY_A:
            line, column = line - 1, column + 1
        else:
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
