"""Agreement of any set of people: every coefficient in every stratum, with its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np

from annotator.domain.agreement import coefficients as by_sums
from annotator.domain.agreement.bootstrap import Estimate, Resampled, difference, resample
from annotator.domain.agreement.coefficients import Codes, Floats, Layout, PairLayout
from annotator.domain.agreement.distances import NOMINAL, ORDINAL, in_order
from annotator.domain.agreement.plan import CONTENT, EVERYTHING, WHOLE, Plan
from annotator.domain.agreement.tally import Tally

# Up to this many people, each stratum has every pair of them; with more, only the whole has.
MAX_PAIRED = 5
# Clusters below which an interval is told to be rough.
FEW_CLUSTERS = 20
# From this share of one category on, a low coefficient beside a high share of agreement is told to be a paradox.
PREVALENT = 0.9
_LOW, _HIGH = 0.6, 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """A coefficient of a stratum. `pair`: numbers of two people; empty of all together. `label`: of one category."""

    dimension: str
    stratum: str
    population: str
    coefficient: str
    estimate: Estimate
    label: str = ""
    pair: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        estimate = self.estimate
        return {
            "dimension": self.dimension,
            "stratum": self.stratum,
            "population": self.population,
            "coefficient": self.coefficient,
            "label": self.label,
            "pair": list(self.pair),
            **estimate.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Stratum:
    """How much a stratum has. `places`, `content`: compared places, and those of content words; `given`: by category,
    how often it was given at them. `remarks`: codes of what to mind."""

    dimension: str
    name: str
    units: int
    clusters: int
    places: int
    content: int
    given: Mapping[str, int]
    remarks: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "dimension": self.dimension,
            "stratum": self.name,
            "units": self.units,
            "clusters": self.clusters,
            "places": self.places,
            "content": self.content,
            "given": dict(self.given),
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True)
class Columns:
    """Which columns of a cluster's sums are what."""

    k: int
    items: Mapping[str, slice]
    apart: Mapping[tuple[str, str], slice]
    pairs: Mapping[tuple[str, tuple[int, int]], slice]
    spans: Mapping[tuple[int, int], slice]


class Study:
    """A tally under a plan. Each stratum is resampled once; all its coefficients come from the same draws."""

    def __init__(self, tally: Tally, plan: Plan) -> None:
        self.tally, self.plan = tally, plan
        found = tally.values()
        values = [*plan.values, *sorted(found.difference(plan.values))]
        for distance in plan.distances:
            values = in_order(distance, values)
        self.values = tuple(values)
        self.codes: Codes = tally.codes(self.values)
        self.distances = {
            name: by_sums.distance_matrix(name, self.values, unmarked=plan.unmarked)
            for name in plan.distances
            if name != NOMINAL
        }
        self.columns, self._of_patterns = self._layout()
        self._samples: dict[tuple[str, str], Resampled] = {}

    # --- sums ---------------------------------------------------------------------------------------------------------

    def _layout(self) -> tuple[Columns, Floats]:
        """The columns, and the sums of one place of each pattern."""
        k, blocks, width = len(self.values), [], 0
        items: dict[str, slice] = {}
        apart: dict[tuple[str, str], slice] = {}
        pairs: dict[tuple[str, tuple[int, int]], slice] = {}

        def put(block: Floats) -> slice:
            nonlocal width
            blocks.append(block)
            width += block.shape[1]
            return slice(width - block.shape[1], width)

        for population, weight in self._populations():
            items[population] = put(by_sums.item_sums(self.codes, k) * weight)
            for name, matrix in self.distances.items():
                if name == ORDINAL:
                    block = by_sums.coincidence_sums(self.codes, k)
                else:
                    block = by_sums.item_sums(self.codes, k, matrix)[:, [Layout.apart]]
                apart[population, name] = put(block * weight)
            for pair in self.tally.pairs:
                one, other = pair
                block = by_sums.pair_sums(self.codes[:, one], self.codes[:, other], k)
                pairs[population, pair] = put(block * weight)
        spans = {pair: slice(width + 4 * at, width + 4 * at + 4) for at, pair in enumerate(self.tally.pairs)}
        return Columns(k, items, apart, pairs, spans), np.concatenate(blocks, axis=1)

    def _populations(self) -> list[tuple[str, Floats]]:
        """All places; beside them content words, where the units have any."""
        content = self.tally.content()[:, None]
        populations = [(EVERYTHING, np.ones_like(content))]
        return [*populations, (CONTENT, content)] if content.any() else populations

    def sample(self, stratum: tuple[str, str]) -> Resampled:
        """The resampled sums of a stratum. Its draws hang on the seed and its name alone."""
        if stratum not in self._samples:
            sums, times = self.tally.clusters(stratum, self._of_patterns)
            seed = (self.plan.seed, crc32("/".join(stratum).encode()))
            self._samples[stratum] = resample(sums, seed=seed, resamples=self.plan.resamples, times=times)
        return self._samples[stratum]

    # --- results ------------------------------------------------------------------------------------------------------

    def strata(self) -> list[tuple[str, str]]:
        """The whole, then of each dimension the largest strata."""
        by_dimension: dict[str, list[tuple[str, str]]] = {}
        for stratum, _units in sorted(self.tally.units.items(), key=lambda one: (-one[1], one[0])):
            by_dimension.setdefault(stratum[0], []).append(stratum)
        return [
            stratum
            for dimension in sorted(by_dimension, key=lambda name: (name != WHOLE[0], name))
            for stratum in by_dimension[dimension][: self.plan.shown]
        ]

    def left_out(self) -> dict[str, int]:
        """By dimension, how many units are in strata that are not shown."""
        shown = set(self.strata())
        found = dict(self.tally.left_out)
        for stratum, units in self.tally.units.items():
            if stratum not in shown:
                found[stratum[0]] = found.get(stratum[0], 0) + units
        return found

    def rows(self, stratum: tuple[str, str]) -> list[Row]:
        """Every coefficient of a stratum."""
        sample = self.sample(stratum)
        with_pairs = stratum == WHOLE or self.tally.people <= MAX_PAIRED
        return [
            Row(*stratum, population, name, sample.estimate(statistic), label, pair)
            for population in self.columns.items
            for name, label, pair, statistic in chain(
                self._of_all(population), self._of_pairs(population) if with_pairs else ()
            )
        ]

    def statistic(self, name: str, population: str = EVERYTHING) -> Callable[[Floats], Floats]:
        """A coefficient of all people as a function of sums. Raises StopIteration for one that there is not."""
        return next(
            statistic for one, label, _pair, statistic in self._of_all(population) if (one, label) == (name, "")
        )

    def _of_all(self, population: str) -> list[tuple[str, str, tuple[int, ...], Callable[[Floats], Floats]]]:
        k, columns = self.columns.k, self.columns.items[population]

        def of(function: Callable[[Floats, int], Floats]) -> Callable[[Floats], Floats]:
            return lambda sums: function(sums[..., columns], k)

        found = [
            ("observed", of(by_sums.observed)),
            ("alpha", of(by_sums.krippendorff_alpha)),
            ("fleiss", of(by_sums.fleiss_kappa)),
            ("ac1", of(by_sums.gwet_ac1)),
        ]
        for name, matrix in self.distances.items():
            found.append((f"alpha_{name}", partial(self._alpha, population, name, matrix)))
        if self.plan.unmarked in self.values:
            found.append(("positive", of(self._positive)))
            found.append(("negative", of(partial(self._specific, self.values.index(self.plan.unmarked)))))
        whole: list[tuple[str, str, tuple[int, ...], Callable[[Floats], Floats]]] = [
            (name, "", (), statistic) for name, statistic in found
        ]
        for at, value in enumerate(self.values):
            if value != self.plan.unmarked:
                whole.append(("specific", value, (), of(partial(self._specific, at))))
        return whole

    def _of_pairs(self, population: str) -> list[tuple[str, str, tuple[int, ...], Callable[[Floats], Floats]]]:
        found: list[tuple[str, str, tuple[int, ...], Callable[[Floats], Floats]]] = []
        for pair in self.tally.pairs:
            columns = self.columns.pairs[population, pair]
            found.append(("cohen", "", pair, partial(self._cohen, columns)))
            if self.plan.unmarked in self.values:
                found.append(("f1_tokens", "", pair, partial(self._f1, columns)))
            if population == EVERYTHING and self.plan.unmarked in self.values:
                spans = self.columns.spans[pair]
                found.append(("f1_exact", "", pair, partial(_span_f1, spans, 2)))
                found.append(("f1_overlapping", "", pair, partial(_span_f1, spans, 3)))
            if len(self.values) > 2:
                for at, value in enumerate(self.values):
                    if value != self.plan.unmarked:
                        found.append(("cohen", value, pair, partial(self._label_kappa, columns, at)))
        return found

    def _alpha(self, population: str, name: str, matrix: Floats | None, sums: Floats) -> Floats:
        k, columns = self.columns.k, self.columns.apart[population, name]
        if matrix is None:
            return by_sums.ordinal_alpha(sums[..., columns], k)
        with_distance = sums[..., self.columns.items[population]].copy()
        with_distance[..., Layout.apart] = sums[..., columns.start]
        return by_sums.krippendorff_alpha(with_distance, k, matrix)

    def _marked(self) -> list[int]:
        return [at for at, value in enumerate(self.values) if value != self.plan.unmarked]

    def _positive(self, sums: Floats, k: int) -> Floats:
        layout, marked = Layout(k), self._marked()
        return by_sums.ratio(
            sums[..., layout.same][..., marked].sum(axis=-1), sums[..., layout.possible][..., marked].sum(axis=-1)
        )

    @staticmethod
    def _specific(at: int, sums: Floats, k: int) -> Floats:
        return by_sums.specific_agreement(sums, k)[..., at]

    def _cohen(self, columns: slice, sums: Floats) -> Floats:
        return by_sums.cohen_kappa(sums[..., columns], self.columns.k)

    def _label_kappa(self, columns: slice, at: int, sums: Floats) -> Floats:
        return by_sums.label_kappa(sums[..., columns], self.columns.k)[..., at]

    def _f1(self, columns: slice, sums: Floats) -> Floats:
        layout, marked, found = PairLayout(self.columns.k), self._marked(), sums[..., columns]
        first, second, same = (
            found[..., block][..., marked].sum(axis=-1) for block in (layout.first, layout.second, layout.same)
        )
        return by_sums.ratio(2 * same, first + second)

    def differences(self, pairs: Sequence[tuple[tuple[str, str], tuple[str, str]]]) -> list[dict[str, Any]]:
        """The coefficients of one stratum less those of another, each with its interval, where both have units."""
        found = []
        names = ("observed", "alpha", "ac1", *(["positive"] if self.plan.unmarked in self.values else []))
        for one, other in pairs:
            if not (self.tally.units[one] and self.tally.units[other]):
                continue
            for population in self.columns.items:
                for name in names:
                    statistic = self.statistic(name, population)
                    estimate = difference(self.sample(one), self.sample(other), statistic)
                    found.append(
                        {
                            "dimension": one[0],
                            "stratum": one[1],
                            "less": other[1],
                            "population": population,
                            "coefficient": name,
                            **estimate.to_json(),
                        }
                    )
        return found

    def shared(self) -> list[tuple[int, int, int]]:
        """Every two people with places that both answered, and how many these are."""
        sums = self.sample(WHOLE).whole
        found = [
            (one, other, int(sums[self.columns.pairs[EVERYTHING, (one, other)]][PairLayout.items]))
            for one, other in self.tally.pairs
        ]
        return [pair for pair in found if pair[2]]

    def stratum(self, stratum: tuple[str, str]) -> Stratum:
        """How much there is in a stratum, and what to mind of its coefficients."""
        sample, k = self.sample(stratum), self.columns.k
        sums = sample.whole[self.columns.items[EVERYTHING]]
        words = sample.whole[self.columns.items[CONTENT]] if CONTENT in self.columns.items else None
        given = sums[Layout(k).given]
        clusters = int(sample.times.sum())
        return Stratum(
            *stratum,
            units=self.tally.units[stratum],
            clusters=clusters,
            places=int(sums[Layout.items]),
            content=int(words[Layout.items]) if words is not None else 0,
            given={value: int(number) for value, number in zip(self.values, given, strict=True) if number},
            remarks=_remarks(sums, k, clusters),
        )


def _remarks(sums: Floats, k: int, clusters: int) -> tuple[str, ...]:
    """Codes of what makes coefficients undefined, paradoxical or rough."""
    given = sums[Layout(k).given]
    if not sums[Layout.items]:
        return ("nothing",)
    found = []
    if np.count_nonzero(given) < 2:
        found.append("one_value")
    elif (
        given.max() / given.sum() >= PREVALENT
        and float(by_sums.observed(sums, k)) >= _HIGH
        and float(by_sums.krippendorff_alpha(sums, k)) < _LOW
    ):
        found.append("prevalence")
    if clusters < FEW_CLUSTERS:
        found.append("few")
    return tuple(found)


def _span_f1(columns: slice, same: int, sums: Floats) -> Floats:
    spans = sums[..., columns]
    return by_sums.ratio(2 * spans[..., same], spans[..., 0] + spans[..., 1])
