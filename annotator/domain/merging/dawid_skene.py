"""Estimate categories from several people's answers and their reliability (Dawid and Skene 1979).

Each person has a table of errors: how often they say one category where another is true. Tables and truth are estimated
in turn (EM), beginning with the majority. What is compared is given as patterns with their counts: of a few people and
categories there are few different ones, however many items there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, fsum, log

Pattern = tuple[tuple[int, str], ...]
"""Who said what of one thing, in the order of people."""

MAX_ROUNDS = 1000
CLOSE = 1e-8
# So much of an answer is added to each cell of a table: what nobody was seen to do is not impossible.
SMOOTHING = 0.01


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """`priors`: how common each category is. `errors`: by person and true category, how often they say which."""

    priors: Mapping[str, float]
    errors: Mapping[int, Mapping[str, Mapping[str, float]]]

    def posterior(self, pattern: Pattern) -> dict[str, float]:
        """How likely each category is where people said so; a person whom the model does not know tells nothing."""
        known = [(self.errors[person], said) for person, said in pattern if person in self.errors]
        logs = {
            true: log(prior) + fsum(log(errors[true][said]) for errors, said in known if said in errors[true])
            for true, prior in self.priors.items()
        }
        most = max(logs.values())
        shares = {true: exp(value - most) for true, value in logs.items()}
        total = fsum(shares.values())
        return {true: share / total for true, share in shares.items()}


def fit(patterns: Mapping[Pattern, int]) -> DawidSkene:
    """The model of what people said. Raises ValueError where nobody said anything."""
    found = {pattern: number for pattern, number in sorted(patterns.items()) if pattern and number}
    if not found:
        raise ValueError("There is nothing to estimate from.")
    categories = sorted({said for pattern in found for _person, said in pattern})
    truth = {pattern: _majority(pattern, categories) for pattern in found}
    model = _estimate(found, truth, categories)
    for _round in range(MAX_ROUNDS):
        newer = {pattern: model.posterior(pattern) for pattern in found}
        moved = max(abs(newer[pattern][one] - truth[pattern][one]) for pattern in found for one in categories)
        truth = newer
        model = _estimate(found, truth, categories)
        if moved < CLOSE:
            break
    return model


def _majority(pattern: Pattern, categories: list[str]) -> dict[str, float]:
    said = [one for _person, one in pattern]
    return {one: said.count(one) / len(said) for one in categories}


def _estimate(
    patterns: Mapping[Pattern, int], truth: Mapping[Pattern, Mapping[str, float]], categories: list[str]
) -> DawidSkene:
    """The tables that follow from how likely each category is for each pattern."""
    people = sorted({person for pattern in patterns for person, _said in pattern})
    counts = {person: {true: dict.fromkeys(categories, SMOOTHING) for true in categories} for person in people}
    sums = dict.fromkeys(categories, SMOOTHING)
    for pattern, number in patterns.items():
        for true, share in truth[pattern].items():
            sums[true] += number * share
            for person, said in pattern:
                counts[person][true][said] += number * share
    total = fsum(sums.values())
    return DawidSkene(
        {true: value / total for true, value in sums.items()},
        {
            person: {
                true: {said: value / fsum(row.values()) for said, value in row.items()} for true, row in table.items()
            }
            for person, table in counts.items()
        },
    )
