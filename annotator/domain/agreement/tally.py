"""Answers of people on many units, kept as how often each different unit occurred.

A unit comes down to its *patterns*: what each person gave at one place, and how many places had just that. Units with
the same patterns count as one with a number, so that what is kept grows with how different units are, not with how many
there are. Sums of every coefficient are made from patterns afterwards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, zip_longest

import numpy as np

from annotator.domain.agreement.coefficients import GAP, Codes, Floats
from annotator.domain.agreement.spans import span_agreement
from annotator.domain.labels.spans import Span

# By person, in the order of the tally: one category for each place of the unit; None for somebody without an answer.
Given = Sequence[Sequence[str] | None]
# Numbers of patterns with how many places have them, then four numbers of spans for every two people.
Signature = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers of people on one unit.

    `content`: by place, whether it is a content word; empty where places are no words. `spans`: by person, those that
    are compared as wholes, None for somebody without an answer; empty where there are none to compare. `strata`: the
    group of the unit in each dimension. `cluster`: what is drawn as a whole; None for the unit by itself.
    """

    given: Given
    content: Sequence[bool] = ()
    spans: Sequence[Sequence[Span] | None] = ()
    strata: Iterable[tuple[str, str]] = ()
    cluster: Hashable | None = None


@dataclass
class Tally:
    """Units of `people` by stratum. Strata beyond `most` of a dimension are left out and counted."""

    people: int
    most: int = 1000
    patterns: dict[tuple[tuple[str | None, ...], bool], int] = field(default_factory=dict)
    units: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    _single: dict[tuple[str, str], Counter[Signature]] = field(default_factory=lambda: defaultdict(Counter))
    _grouped: dict[tuple[str, str], dict[Hashable, Counter[int]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    _known: Counter[str] = field(default_factory=Counter)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Every two people."""
        return list(combinations(range(self.people), 2))

    def add(self, unit: Answers) -> None:
        """Count a unit in each of its strata."""
        places = Counter(zip_longest(zip_longest(*(given or () for given in unit.given)), unit.content))
        found: Counter[int] = Counter()
        for (pattern, content), times in places.items():
            if pattern is not None:
                found[self.patterns.setdefault((pattern, bool(content)), len(self.patterns))] += times
        spans = self._spans(unit.spans)
        signature = (tuple(sorted(found.items())), spans)
        for stratum in unit.strata:
            if not self._follows(stratum):
                continue
            self.units[stratum] += 1
            if unit.cluster is None:
                self._single[stratum][signature] += 1
            else:
                together = self._grouped[stratum][unit.cluster]
                together.update(found)
                # Beside the patterns, which are counted from 0: spans as numbers below it.
                together.update({-1 - at: number for at, number in enumerate(spans) if number})

    def _follows(self, stratum: tuple[str, str]) -> bool:
        if stratum in self.units:
            return True
        if self._known[stratum[0]] >= self.most:
            self.left_out[stratum[0]] += 1
            return False
        self._known[stratum[0]] += 1
        return True

    def _spans(self, spans: Sequence[Sequence[Span] | None]) -> tuple[int, ...]:
        if not spans:
            return ()
        found: list[int] = []
        for one, other in self.pairs:
            first, second = spans[one], spans[other]
            if first is None or second is None or not (first or second):
                found += (0, 0, 0, 0)
                continue
            agreement = span_agreement([(first, second)])
            found += (agreement.first, agreement.second, agreement.exact, agreement.overlapping)
        return tuple(found)

    def values(self) -> set[str]:
        """The categories that anybody gave."""
        return {value for pattern, _content in self.patterns for value in pattern if value is not None}

    def codes(self, values: Sequence[str]) -> Codes:
        """The patterns as numbers of these values, a row for each pattern in its order and a column for each person."""
        number = {value: at for at, value in enumerate(values)}
        rows = [[GAP if value is None else number[value] for value in pattern] for pattern, _content in self.patterns]
        return np.array(rows, dtype=np.int64).reshape(len(rows), self.people)

    def content(self) -> Floats:
        """For each pattern, 1 if it is of content words, else 0."""
        return np.array([content for _pattern, content in self.patterns], dtype=float)

    def clusters(self, stratum: tuple[str, str], of_patterns: Floats) -> tuple[Floats, Codes]:
        """Sums of each different cluster of a stratum, and how many there are of it.

        `of_patterns`: the sums of one place of each pattern. The columns of spans follow, four for every two people.
        """
        rows = list(self._rows(stratum))
        width = of_patterns.shape[1]
        sums = np.zeros((len(rows), width + 4 * len(self.pairs)))
        places = [(at, *pair) for at, (patterns, _spans, _times) in enumerate(rows) for pair in patterns]
        if places:
            at, pattern, times = np.array(places, dtype=np.int64).T
            np.add.at(sums[:, :width], at, of_patterns[pattern] * times[:, None])
        for number, (_patterns, spans, _times) in enumerate(rows):
            sums[number, width : width + len(spans)] = spans
        return sums, np.array([times for _patterns, _spans, times in rows], dtype=np.int64)

    def _rows(self, stratum: tuple[str, str]) -> Iterator[tuple[Iterable[tuple[int, int]], Sequence[int], int]]:
        for (patterns, spans), times in self._single.get(stratum, {}).items():
            yield patterns, spans, times
        for together in self._grouped.get(stratum, {}).values():
            patterns = tuple((pattern, times) for pattern, times in together.items() if pattern >= 0)
            numbers = [together[-1 - at] for at in range(4 * len(self.pairs))]
            yield patterns, numbers, 1
