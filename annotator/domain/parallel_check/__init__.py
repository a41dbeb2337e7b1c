"""Are two files parallel, line by line? Which lines are left out, doubled, swapped, or no translations?

An import of parallel text by order loses everything after the first line that one file lacks. Here both files are
laid side by side by what their lines say: lengths (Gale & Church 1993), names, numbers and words of like spelling, and
words whose translations are learned from the files themselves (IBM model 1), with no knowledge of either language.
Nothing is learned from a line that is then judged by it, or a shift would look right once it was learned.

The files are gone through in parts, so that memory does not grow with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotator.domain.parallel_check import odds, path
from annotator.domain.parallel_check.arrays import Floats, Ints
from annotator.domain.parallel_check.evidence import Band
from annotator.domain.parallel_check.features import Side, Vocabulary
from annotator.domain.parallel_check.findings import EXPECTED, Finding, Window, findings, swap_cost
from annotator.domain.parallel_check.path import Costs, Step

__all__ = ["EXPECTED", "Finding", "ParallelReport", "check"]

Lines = Sequence[Sequence[str]]

_PART = 20_000  # lines gone through at a time
# Lines by which the files may drift apart in a part: more where fewer show no convincing way. The further they may, the
# smaller the part, so that what is compared fits into memory.
_REACHES = (24, 150, 600)
_CELLS = 1_500_000
_KEPT_BACK = 400  # lines at the end of a part that are looked at again with what follows
_ROUNDS = 3
_TEACHABLE = 8  # lines: fewer teach nothing
# In nats: about one line in 3,000 is left out. A line that repeats its neighbour is easier to believe in, and so are
# more lines after one that is left out.
_ALONE, _REPEATED, _MORE = 8.0, 5.0, 1.0
# Two lines that face each other and are not translations are not to look as if each were missing in the other file.
_LEAST = -2 * _MORE
_CLEARLY = 0.05  # in nats a line: by less, a way that goes further astray is not the better one
_EDGE = 4  # lines: a way this near to the edge of what was compared may want to go further


@dataclass(frozen=True)
class ParallelReport:
    """What `check` found.

    `findings` are in order of the lines of a. `partners`: for each line of a, the line of b that it goes with, -1 for
    none. `scores`: for each line of a, how sure it is that the two are translations, from 0 to 1; 0 without a partner.
    """

    findings: list[Finding]
    partners: Ints
    scores: np.ndarray[tuple[int], np.dtype[np.float32]]

    @property
    def in_step(self) -> bool:
        """True when no line is left out or doubled, and nowhere the files hardly go together."""
        return not any(finding.kind in {"left_out", "doubled", "apart"} for finding in self.findings)


def check(a: Lines, b: Lines, *, progress: Callable[[int, int], None] | None = None) -> ParallelReport:
    """Where two files of sentences (their tokens) that should be parallel are not.

    Reads both by slices, some 20,000 lines at a time, and calls `progress` with (lines done, all lines) after each
    part. Takes seconds for ten thousand lines: work for a job, not for a request.
    """
    partners = np.full(len(a), -1)
    scores = np.zeros(len(a), np.float32)
    found: list[Finding] = []
    start_a = start_b = 0
    reach = _REACHES[0]
    while start_a < len(a) and start_b < len(b):
        part, window, reach = _convincing(a, b, start_a, start_b, reach)
        if not part.last:
            window = _committed(window, len(part.a) - _KEPT_BACK)
        end_a, end_b = _end(window.steps)
        if end_a == 0 and end_b == 0:
            break
        for line, partner in enumerate(path.partners(window.steps, end_a).tolist()):
            if partner >= 0:
                partners[start_a + line] = start_b + partner
                scores[start_a + line] = 1 / (1 + np.exp(-window.at(line, partner)))
        found += [_moved(finding, start_a, start_b) for finding in findings(window)]
        start_a, start_b = start_a + end_a, start_b + end_b
        if progress:
            progress(start_a, len(a))
        if part.last:
            break
    found += _rest(start_a, len(a), start_b, len(b))
    return ParallelReport(found, partners, scores)


@dataclass(frozen=True)
class _Part:
    a: Lines
    b: Lines
    band: Band
    last: bool
    open_end: bool


def _convincing(a: Lines, b: Lines, start_a: int, start_b: int, reach: int) -> tuple[_Part, Window, int]:
    """The next part, and the way through it, with the files drifting apart as far as it takes to be convincing."""
    part = _part(a, b, start_a, start_b, reach)
    window = _looked_at(part)
    best = part, window, reach
    for wider in (wider for wider in _REACHES if wider > reach):
        if _is_convincing(window) or reach >= max(len(part.a), len(part.b)):
            break
        reach = wider
        part = _part(a, b, start_a, start_b, reach)
        window = _looked_at(part)
        if _mean(window) > _mean(best[1]) + _CLEARLY:
            best = part, window, reach
    return best


def _mean(window: Window) -> float:
    """The odds of a line, those without a partner counting as 0."""
    odds = window.together()
    return float(odds.sum()) / max(len(window.a), len(window.b), 1)


def _is_convincing(window: Window) -> bool:
    """Whether it goes through lines that go together, and nowhere along the edge of what was compared."""
    columns = [b - a - window.band.low for _step, a, b in window.steps]
    near_edge = min(columns) < _EDGE or max(columns) >= window.band.width - _EDGE
    return not near_edge and not any(finding.kind == "apart" for finding in findings(window))


def _part(a: Lines, b: Lines, start_a: int, start_b: int, reach: int) -> _Part:
    """The next lines of both files, which may be so far apart."""
    rest_a, rest_b = len(a) - start_a, len(b) - start_b
    apart = rest_b - rest_a
    width = abs(apart) + 2 * reach + 1
    if rest_a <= _PART + _PART // 4 and width * rest_a <= _CELLS:
        return _Part(a[start_a:], b[start_b:], Band(min(0, apart) - reach, width), True, False)
    size = min(_PART, _CELLS // (2 * reach + 1))
    last = rest_a <= size + size // 4
    lines_b = b[start_b : start_b + (rest_a if last else size) + reach]
    lines_a = a[start_a : start_a + min(rest_a if last else size, len(lines_b) + reach)]
    return _Part(lines_a, lines_b, Band(-reach, 2 * reach + 1), last or len(lines_a) < size, True)


def _looked_at(part: _Part) -> Window:
    """The way through a part: first by lengths and spelling, then also by the words that this way teaches."""
    vocabulary = Vocabulary()
    a, b = vocabulary.side(0, part.a), vocabulary.side(1, part.b)
    sizes = len(vocabulary.words[0]), len(vocabulary.words[1])
    costs = Costs(_alone(a), _alone(b), _MORE, swap_cost(max(len(a), len(b))))
    band = part.band
    looks = odds.spelled(a, b, band)
    scores = odds.first(a, b, band, looks)
    steps = path.best(np.maximum(scores, _LEAST), band, costs, len(b), open_end=part.open_end)
    for _ in range(_ROUNDS):
        partner = path.partners(steps, len(a))
        lines = np.flatnonzero(partner >= 0)
        if len(lines) < _TEACHABLE:
            break
        scores = odds.learned(a, b, band, looks, (lines, partner[lines]), sizes)
        before, steps = steps, path.best(np.maximum(scores, _LEAST), band, costs, len(b), open_end=part.open_end)
        if steps == before:
            break
    return Window(a, b, band, scores, steps)


def _alone(side: Side) -> Floats:
    """What it costs that a line has no partner."""
    costs = np.full(len(side), _ALONE)
    same = side.texts[1:] == side.texts[:-1]
    costs[1:][same] = costs[:-1][same] = _REPEATED
    return costs


def _committed(window: Window, lines: int) -> Window:
    """The window with the steps of its first lines only, up to two lines that go together."""
    steps = [step for step in window.steps if step[1] < lines]
    while steps and steps[-1][0] is not Step.TOGETHER:
        steps.pop()
    return replace(window, steps=steps)


def _end(steps: list[tuple[Step, int, int]]) -> tuple[int, int]:
    """How many lines of a and b some steps go through."""
    if not steps:
        return 0, 0
    step, a, b = steps[-1]
    both = 2 if step is Step.SWAPPED else 1
    return a + both * (step is not Step.ONLY_B), b + both * (step is not Step.ONLY_A)


def _moved(finding: Finding, a: int, b: int) -> Finding:
    return replace(finding, line_a=finding.line_a + a, line_b=finding.line_b + b, shift=finding.shift + b - a)


def _rest(start_a: int, end_a: int, start_b: int, end_b: int) -> list[Finding]:
    """Lines at the end that the other file has none for."""
    found = []
    if start_a < end_a:
        count = end_a - start_a
        found.append(Finding("left_out", "b", start_a, start_b, count, start_b - end_a, 1.0, "line_missing_in_b"))
    if start_b < end_b:
        count = end_b - start_b
        found.append(Finding("left_out", "a", end_a, start_b, count, end_b - end_a, 1.0, "line_missing_in_a"))
    return found
