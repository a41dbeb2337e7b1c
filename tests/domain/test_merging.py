"""Rules that make gold of answers: who wins, who waits, and what is estimated."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.merging.dawid_skene import SMOOTHING, DawidSkene, Pattern, fit
from annotator.domain.merging.rules import Given, Outcome, Rule, RuleName, Why, decide


def answers(*said: str, doubts: str = "") -> list[Given]:
    """By people 1, 2, …; those in `doubts` are in doubt."""
    return [Given(at, key, doubt=str(at) in doubts) for at, key in enumerate(said, start=1)]


AT_LEAST = Rule(RuleName.AT_LEAST, agreeing=2, answers=3)


@pytest.mark.parametrize(
    ("rule", "said", "outcome"),
    [
        (Rule(), answers("a", "a"), Outcome(Why.ACCEPTED, 0)),
        (Rule(), answers("a", "b"), Outcome(Why.DIFFERING)),
        (Rule(), answers("a", "a", doubts="1"), Outcome(Why.ACCEPTED, 0)),
        (Rule(), answers("a", "a", doubts="12"), Outcome(Why.DOUBTFUL)),
        (Rule(), [Given(1, "a", blind=True)], Outcome(Why.WAITING)),
        (AT_LEAST, answers("b", "a", "a"), Outcome(Why.ACCEPTED, 1)),
        (AT_LEAST, answers("a", "a"), Outcome(Why.WAITING)),
        (AT_LEAST, answers("a", "b", "c"), Outcome(Why.DIFFERING)),
        (AT_LEAST, answers("a", "a", "b", "b"), Outcome(Why.DIFFERING)),
        (AT_LEAST, answers("b", "a", "a", doubts="3"), Outcome(Why.DOUBTFUL)),
        (AT_LEAST, answers("b", "a", "a", doubts="1"), Outcome(Why.ACCEPTED, 1)),
        (Rule(RuleName.PERSON, person=2), answers("a", "b"), Outcome(Why.ACCEPTED, 1)),
        (Rule(RuleName.PERSON, person=2), answers("a", "b", doubts="2"), Outcome(Why.DOUBTFUL)),
        (Rule(RuleName.PERSON, person=3), answers("a", "b"), Outcome(Why.OTHER)),
        (Rule(RuleName.SINGLE), [Given(1, "a", blind=True)], Outcome(Why.ACCEPTED, 0)),
        (Rule(RuleName.SINGLE), answers("a", doubts="1"), Outcome(Why.DOUBTFUL)),
        (Rule(RuleName.SINGLE), answers("a", "a"), Outcome(Why.OTHER)),
    ],
)
def test_who_wins(rule: Rule, said: list[Given], outcome: Outcome) -> None:
    assert decide(rule, said) == outcome


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=6), st.integers(2, 4))
def test_at_least_so_many_without_doubt_say_what_wins(said: list[tuple[str, bool]], agreeing: int) -> None:
    given = [Given(at, key, doubt=doubt) for at, (key, doubt) in enumerate(said)]
    outcome = decide(Rule(RuleName.AT_LEAST, agreeing=agreeing, answers=2), given)
    if outcome.winner is None:
        assert outcome.why != Why.ACCEPTED
        return
    counts = Counter(key for key, doubt in said if not doubt)
    key = given[outcome.winner].key
    assert counts[str(key)] >= agreeing
    assert all(number < counts[str(key)] for other, number in counts.items() if other != key)


# --- Dawid and Skene --------------------------------------------------------------------------------------------------


def by_arrays(patterns: dict[Pattern, int], people: int, categories: list[str]) -> np.ndarray:
    """The same estimate, computed another way: EM over arrays, a row an item. What each pattern's posterior is."""
    rows = [pattern for pattern, number in patterns.items() for _time in range(number)]
    said = np.zeros((len(rows), people, len(categories)))
    for at, pattern in enumerate(rows):
        for person, category in pattern:
            said[at, person, categories.index(category)] = 1
    truth = said.sum(1) / said.sum((1, 2))[:, None]
    for _round in range(2000):
        tables = np.einsum("nt,npc->ptc", truth, said) + SMOOTHING
        tables /= tables.sum(2, keepdims=True)
        priors = truth.sum(0) + SMOOTHING
        likely = np.log(priors / priors.sum()) + np.einsum("npc,ptc->nt", said, np.log(tables))
        truth = np.exp(likely - likely.max(1, keepdims=True))
        truth /= truth.sum(1, keepdims=True)
    return truth


def simulated(seed: int, *, items: int, reliable: list[float]) -> tuple[dict[Pattern, int], list[tuple[Pattern, str]]]:
    rng = random.Random(seed)
    rows = []
    for _item in range(items):
        true = rng.choices("OM", [4, 1])[0]
        said = tuple(
            (person, true if rng.random() < share else "OM".replace(true, "")) for person, share in enumerate(reliable)
        )
        rows.append((said, true))
    return dict(Counter(pattern for pattern, _true in rows)), rows


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_what_arrays_say(seed: int) -> None:
    patterns, _rows = simulated(seed, items=300, reliable=[0.95, 0.8, 0.7])
    model = fit(patterns)
    wanted = by_arrays(patterns, 3, ["M", "O"])
    expanded = [pattern for pattern, number in patterns.items() for _time in range(number)]
    for pattern, row in zip(expanded, wanted, strict=True):
        posterior = model.posterior(pattern)
        assert [posterior["M"], posterior["O"]] == pytest.approx(list(row), abs=1e-4)


def test_it_beats_the_majority_where_one_is_better_than_two() -> None:
    patterns, rows = simulated(7, items=2000, reliable=[0.97, 0.65, 0.65])
    model = fit(patterns)
    right = majority = 0
    for pattern, true in rows:
        posterior = model.posterior(pattern)
        right += max(posterior, key=posterior.__getitem__) == true
        majority += Counter(said for _person, said in pattern).most_common(1)[0][0] == true
    assert right > majority + 100
    assert model.errors[0]["O"]["O"] > 0.9 > model.errors[1]["O"]["O"]


def test_it_refuses_to_estimate_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing to estimate"):
        fit({})


def sure(right: float) -> DawidSkene:
    table = {"a": {"a": right, "b": 1 - right}, "b": {"a": 1 - right, "b": right}}
    return DawidSkene({"a": 0.5, "b": 0.5}, {1: table, 2: table, 3: table})


def observed(*said: str) -> list[Given]:
    return [Given(at, one, observations={"": list(one)}) for at, one in enumerate(said, start=1)]


class TestEstimated:
    RULE = Rule(RuleName.DAWID_SKENE, limit=0.05)

    def test_the_likely_answer_wins_with_its_uncertainty(self) -> None:
        outcome = decide(self.RULE, observed("aa", "aa", "aa"), models={"": sure(0.9)})
        # Each token: 0.9³ / (0.9³ + 0.1³); both have to be right.
        assert (outcome.why, outcome.winner) == (Why.ACCEPTED, 0)
        assert outcome.uncertainty == pytest.approx(1 - (0.729 / 0.73) ** 2)

    def test_what_is_too_likely_wrong_is_left(self) -> None:
        outcome = decide(self.RULE, observed("ab", "aa", "ab"), models={"": sure(0.9)})
        assert outcome.why == Why.UNCERTAIN
        assert (
            decide(Rule(RuleName.DAWID_SKENE, limit=0.2), observed("ab", "aa", "ab"), models={"": sure(0.9)}).winner
            == 0
        )

    def test_what_nobody_said_as_a_whole_is_left(self) -> None:
        said = observed("aab", "aba", "baa")
        assert decide(Rule(RuleName.DAWID_SKENE, limit=1), said, models={"": sure(0.9)}).why == Why.DIFFERING

    def test_ties_are_left(self) -> None:
        assert decide(self.RULE, observed("a", "b"), models={"": sure(0.9)}).why == Why.DIFFERING

    def test_one_answer_waits(self) -> None:
        assert decide(self.RULE, observed("a"), models={"": sure(0.9)}).why == Why.WAITING
