"""Which concepts languages share."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.agreement.concept_overlap import most_similar, overlap, overlaps, own_concepts, shared_by_all

CONCEPTS = {
    "hi": {"tree", "lion", "snow"},
    "sw": {"lion", "hyena"},
    "id": {"lion", "snow", "banana"},
    "kn": set[str](),
}

several = st.dictionaries(
    st.sampled_from(["hi", "id", "jv", "kn", "su", "sw"]), st.frozensets(st.sampled_from("abcdefgh")), max_size=5
)


def test_shared_own_and_most_similar() -> None:
    found = {(one.one, one.other): (one.shared, one.union) for one in overlaps(CONCEPTS)}
    assert found["hi", "sw"] == (1, 4)
    assert found["hi", "id"] == (2, 4)
    assert overlap(CONCEPTS, "hi", "id").jaccard == 0.5
    assert own_concepts(CONCEPTS, "hi") == {"tree"}
    assert own_concepts(CONCEPTS, "kn") == set()
    assert shared_by_all({language: CONCEPTS[language] for language in ("hi", "sw", "id")}) == {"lion"}
    assert most_similar(CONCEPTS, "hi") == ("id",)
    # As much with the one as with the other: 1 of 4 each.
    assert most_similar(CONCEPTS, "sw") == ("hi", "id")
    assert most_similar(CONCEPTS, "kn") == ()


def test_nothing_in_common_with_nothing_is_undefined() -> None:
    assert overlap({"hi": set(), "sw": set()}, "hi", "sw").jaccard is None
    assert overlaps({}) == []
    assert shared_by_all({}) == set()


@given(several)
def test_overlap_is_symmetric_and_between_none_and_all(concepts: dict[str, frozenset[str]]) -> None:
    for (one, a), (other, b) in product(concepts.items(), repeat=2):
        found = overlap(concepts, one, other)
        assert found.jaccard == overlap(concepts, other, one).jaccard
        # |A| + |B| = |A ∩ B| + |A ∪ B|
        assert found.shared + found.union == len(a) + len(b)
        assert found.jaccard is None or 0 <= found.jaccard <= 1
        assert (found.jaccard == 1) == (a == b != frozenset())


@given(several)
def test_every_concept_is_one_language_s_own_or_shared(concepts: dict[str, frozenset[str]]) -> None:
    own = {language: own_concepts(concepts, language) for language in concepts}
    shared = {
        one
        for language, found in concepts.items()
        for one in found
        if any(one in others for other, others in concepts.items() if other != language)
    }
    assert not set().union(*own.values()) & shared
    assert set().union(*own.values()) | shared == set().union(*concepts.values())
    assert sum(map(len, own.values())) == len(set().union(*own.values()))
    for language in concepts:
        if len(concepts) > 1:
            assert not own[language] & shared_by_all(concepts)


@given(several)
def test_the_most_similar_language_shares_something_and_none_shares_more(concepts: dict[str, frozenset[str]]) -> None:
    for language, own in concepts.items():
        best = most_similar(concepts, language)
        others = [overlap(concepts, language, other) for other in concepts if other != language]
        if not best:
            assert not any(one.shared for one in others)
            continue
        largest = max(one.jaccard or 0 for one in others)
        for other in best:
            assert overlap(concepts, language, other).jaccard == pytest.approx(largest)
            assert own & concepts[other]
