"""What is wrong with two files that should be parallel, told from the way through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import exp

import numpy as np

from annotator.domain.parallel_check.arrays import Floats
from annotator.domain.parallel_check.evidence import Band
from annotator.domain.parallel_check.features import EMPTY, Side
from annotator.domain.parallel_check.path import Step

EXPECTED = (
    "line_missing_in_a",
    "line_missing_in_b",
    "line_twice_in_a",
    "line_twice_in_b",
    "lines_change_places",
    "translation_expected",
    "parallel_expected",
    "text_expected",
)
SWAP = 2.5
# Lines from which little is learned of what is usual: two that look swapped there must look so more clearly.
_FEW = 10
# Of the places at which lines may be missing, those are named that are likely to be right together.
_LIKELY = 0.95
# One line must look very unlike its partner, since free translations do, too; several in a row need less.
_UNLIKE = 4.5
_PER_LINE = 1.5
_AROUND = 10
# So many lines in a row that are not translations of what they face are a fault of the files, not free translations.
APART = 10
# Of lines that go together, the share of the neighbours that suit them less than their partner is above this, and about
# a half by chance. Fewer lines in a row than this prove nothing: neighbours may be like each other.
_NEIGHBOURS, _SHARE, _CHANGE, _BY_CHANCE = 8, 0.62, 4.0, 50


@dataclass(frozen=True)
class Finding:
    """One place where two files are not parallel. Lines count from 0.

    `kind`: "left_out", "doubled", "swapped", "not_parallel" or, of so many lines that the files hardly go together
    there, "apart". `side`: the file with the fault, "a" or "b"; "" where
    either may have it. `line_a`, `line_b`: where to look; for a line that one file lacks, the line there before which
    it is missing (the number of lines, when at the end). `count`: how many lines in a row. `shift`: line of b minus
    line of a from here on. `confidence`: from 0 to 1. `expected`: one of EXPECTED, for the text to show.
    """

    kind: str
    side: str
    line_a: int
    line_b: int
    count: int
    shift: int
    confidence: float
    expected: str
    earlier: int = 0
    later: int = 0


@dataclass(frozen=True)
class Window:
    """A part of both files, and what was found out about it. Steps and bands count from the part's beginning."""

    a: Side
    b: Side
    band: Band
    odds: Floats
    steps: list[tuple[Step, int, int]]

    def at(self, a: int, b: int) -> float:
        """Log odds that line a and line b go together; 0 when nobody asked."""
        column = b - a - self.band.low
        if 0 <= a < len(self.odds) and 0 <= column < self.band.width and 0 <= b < len(self.b):
            return float(self.odds[a, column])
        return 0.0

    def together(self) -> Floats:
        """The odds of the lines that go together, in order of the lines of a."""
        return np.array([self.at(a, b) for step, a, b in self.steps if step is Step.TOGETHER])


def swap_cost(lines: int) -> float:
    """The cost of two swapped lines, in nats, in files of so many lines."""
    return SWAP * (1 + (_FEW / max(lines, 1)) ** 2)


def findings(window: Window) -> Iterator[Finding]:
    """The findings in a part of the files, in order of the lines of a."""
    found = [*_gaps(window), *_swaps(window), *_strangers(window)]
    yield from sorted(found, key=lambda finding: (finding.line_a, finding.line_b))


def _gaps(window: Window) -> Iterator[Finding]:
    at = 0
    for step, run in groupby(window.steps, key=lambda step: step[0]):
        steps = list(run)
        at += len(steps)
        if step is Step.ONLY_A or step is Step.ONLY_B:
            yield _gap(window, steps, at)


def _gap(window: Window, steps: list[tuple[Step, int, int]], end: int) -> Finding:
    step, line_a, line_b = steps[0]
    count = len(steps)
    in_a = step is Step.ONLY_A
    move = -count if in_a else count
    evidence = 0.0
    for shift, others in (
        (move, window.steps[max(0, end - count - _AROUND) : end - count]),
        (-move, window.steps[end : end + _AROUND]),
    ):
        for other, a, b in others:
            if other is Step.TOGETHER and 0 <= b + shift < len(window.b):
                evidence += window.at(a, b) - window.at(a, b + shift)
    twice = _repeated(window.a if in_a else window.b, line_a if in_a else line_b, count)
    owner, other_side = ("a", "b") if in_a else ("b", "a")
    earlier, later = _slack(window, end - count, count)
    return Finding(
        kind="doubled" if twice else "left_out",
        side=owner if twice else other_side,
        line_a=line_a,
        line_b=line_b,
        count=count,
        shift=line_b - line_a + move,
        confidence=_chance(evidence / 2),
        expected=f"line_twice_in_{owner}" if twice else f"line_missing_in_{other_side}",
        earlier=earlier,
        later=later,
    )


def _slack(window: Window, start: int, count: int) -> tuple[int, int]:
    """How many lines earlier and later a run of lines without a partner may begin as well: the likeliest places, up to
    the next place that is not in doubt. The run is `count` steps from step `start` on."""
    in_a = window.steps[start][0] is Step.ONLY_A
    more_a, more_b = (count, 0) if in_a else (0, count)
    back, forth = [], []
    for step, a, b in reversed(window.steps[max(0, start - _AROUND) : start]):
        if step is not Step.TOGETHER:
            break
        back.append(window.at(a + more_a, b + more_b) - window.at(a, b))
    for step, a, b in window.steps[start + count : start + count + _AROUND]:
        if step is not Step.TOGETHER:
            break
        forth.append(window.at(a - more_a, b - more_b) - window.at(a, b))
    odds = np.array([*np.cumsum(back)[::-1], 0.0, *np.cumsum(forth)])
    chances = np.exp((odds - odds.max()).clip(-30))
    chances /= chances.sum()
    first = last = len(back)
    while chances[first : last + 1].sum() < _LIKELY:
        before = chances[:first].sum()
        after = chances[last + 1 :].sum()
        first, last = (first - 1, last) if before >= after else (first, last + 1)
    return len(back) - first, last - len(back)


def _repeated(side: Side, line: int, count: int) -> bool:
    """True when lines are the same as those just before or after them."""
    own = side.texts[line : line + count]
    before, after = side.texts[max(0, line - count) : line], side.texts[line + count : line + 2 * count]
    return np.array_equal(own, before) or np.array_equal(own, after)


def _swaps(window: Window) -> Iterator[Finding]:
    for step, a, b in window.steps:
        if step is Step.SWAPPED:
            gain = window.at(a, b + 1) + window.at(a + 1, b) - window.at(a, b) - window.at(a + 1, b + 1)
            yield Finding("swapped", "", a, b, 2, b - a, _chance(gain / 2), "lines_change_places")


def _strangers(window: Window) -> Iterator[Finding]:
    """Runs of lines that look like no translations of each other (Viterbi, two states), and texts facing nothing."""
    together = [(a, b) for step, a, b in window.steps if step is Step.TOGETHER]
    if not together:
        return
    odds = np.array([window.at(a, b) for a, b in together])
    strange = _runs(-odds - _PER_LINE, _UNLIKE)
    by_chance = _runs(_SHARE - _suited(window, together), _CHANGE, least=_BY_CHANCE)
    lacking = [(window.a.texts[a] == EMPTY) != (window.b.texts[b] == EMPTY) for a, b in together]
    start = 0
    for (missing, state), run in groupby(
        (missing, unlike or chance) for missing, unlike, chance in zip(lacking, strange, by_chance, strict=True)
    ):
        count = len(list(run))
        a, b = together[start]
        if missing:
            yield Finding("not_parallel", "", a, b, count, b - a, 1.0, "text_expected")
        elif state:
            sure = _chance(-float(odds[start : start + count].mean()))
            if count < APART:
                yield Finding("not_parallel", "", a, b, count, b - a, sure, "translation_expected")
            else:
                yield Finding("apart", "", a, b, count, b - a, sure, "parallel_expected")
        start += count


def _suited(window: Window, together: list[tuple[int, int]]) -> Floats:
    """For each pair of lines, the share of neighbours of b's line that suit a's line less; 1 where there is none."""
    rows, places = np.array(together).T
    columns = places - rows - window.band.low
    own = window.odds[rows, columns][:, None]
    near = columns[:, None] + np.array([step for step in range(-_NEIGHBOURS, _NEIGHBOURS + 1) if step])
    others = rows[:, None] + window.band.low + near
    there = (near >= 0) & (near < window.band.width) & (others >= 0) & (others < len(window.b))
    found = window.odds[rows[:, None], near.clip(0, window.band.width - 1)]
    less = (there & (found < own)).sum(axis=1) + (there & (found == own)).sum(axis=1) / 2
    number = there.sum(axis=1)
    return np.where(number > 0, less / np.maximum(number, 1), 1.0)


def _runs(gains: Floats, change: float, *, least: int = 1) -> list[bool]:
    """For each line, whether it is in a run of at least so many lines whose gains outweigh what two changes cost."""
    out, inside = 0.0, -change
    back = []
    for gain in gains.tolist():
        entered, stayed = out - change, inside
        back.append((inside > out, stayed >= entered))
        out = max(out, inside)
        inside = max(entered, stayed) + gain
    found = []
    state = inside > out
    for left, stayed in reversed(back):
        found.append(state)
        state = stayed if state else left
    runs = [(state, len(list(run))) for state, run in groupby(reversed(found))]
    return [state and size >= least for state, size in runs for _ in range(size)]


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-min(max(odds, -30.0), 30.0)))
