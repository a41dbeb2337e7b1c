"""How like each other two sentences are."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.sampling.likeness import MAX_LEMMAS, MAX_SENTENCES, likeness, telling, weight_of

LEMMAS = st.sets(st.sampled_from("abcdefgh"))


def test_a_rare_lemma_counts_more_than_a_frequent_one() -> None:
    weights = {"peaje": weight_of(2), "decir": weight_of(200)}
    assert likeness(weights, {"peaje", "correr"}) > likeness(weights, {"decir", "correr"}) > 0


def test_all_that_are_frequent_count_alike() -> None:
    assert weight_of(MAX_SENTENCES) == weight_of(10 * MAX_SENTENCES) == math.log(2)
    assert weight_of(0) == weight_of(1) > weight_of(2)


def test_what_the_other_has_besides_makes_it_less_alike() -> None:
    weights = {"peaje": weight_of(2)}
    assert likeness(weights, {"peaje"}) > likeness(weights, {"peaje", "correr"}) > likeness(weights, {"correr"})


def test_the_longest_lemmas_are_looked_up() -> None:
    lemmas = ["a" * length for length in range(1, MAX_LEMMAS + 5)]
    assert telling([*lemmas, *lemmas]) == lemmas[: -MAX_LEMMAS - 1 : -1]


@given(LEMMAS, LEMMAS)
def test_from_none_to_all(own: set[str], other: set[str]) -> None:
    weights = {lemma: weight_of(ord(lemma) - 96) for lemma in own}
    found = likeness(weights, other)
    assert 0 <= found <= 1
    assert (found == 0) == (not own & other)
    assert (found == 1) == (bool(own) and own == other)
