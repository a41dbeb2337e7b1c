"""Triples out of apt and inapt words, and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.pairs.triples import TripleType, count_types, given_as_both, pairs_of, words_of


def spelt(apt: list[str], inapt: list[str]) -> list[str]:
    return [
        f"{pair.first.word}/{pair.first.label} {pair.second.word}/{pair.second.label}" for pair in pairs_of(apt, inapt)
    ]


def test_all_pairs_of_a_sentence_in_the_published_order() -> None:
    assert spelt(["fix", "solution"], ["cure", "therapy"]) == [
        "fix/apt cure/inapt",
        "fix/apt therapy/inapt",
        "solution/apt cure/inapt",
        "solution/apt therapy/inapt",
        "fix/apt solution/apt",
        "cure/inapt therapy/inapt",
    ]


def test_types_are_counted() -> None:
    pairs = [*pairs_of(["a"], ["b", "c"]), *pairs_of(["d", "e"], [])]
    assert count_types(pairs) == {TripleType.APT_INAPT: 2, TripleType.TWO_INAPT: 1, TripleType.TWO_APT: 1}


def test_a_word_counts_once_and_an_apt_one_is_no_control() -> None:
    assert spelt(["Plan", "plan"], ["PLAN", "map", "Map"]) == ["Plan/apt map/inapt"]
    assert pairs_of(["plan"], []) == []
    assert pairs_of([], ["plan"]) == []


def test_a_word_that_is_given_as_both_is_told_once_whatever_its_case() -> None:
    assert given_as_both(["Plan", "fix"], ["map", "PLAN", "plan"]) == ["PLAN"]
    assert given_as_both(["plan"], ["map"]) == given_as_both([], ["map"]) == []


words = st.lists(st.sampled_from("abcdefgh"), max_size=4, unique=True)


@given(words, words)
def test_words_come_back_out_of_their_pairs(apt: list[str], inapt: list[str]) -> None:
    inapt = [word for word in inapt if word not in apt]
    if len(apt) + len(inapt) < 2:
        return
    assert words_of(pairs_of(apt, inapt)) == (apt, inapt)
