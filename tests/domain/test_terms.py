"""A vocabulary: terms of contents, and which of them look alike."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.shipped_schemes import MIPVU, conceptual_domains
from annotator.domain.terms import folded, near_duplicates, replaced, terms_of, vocabularies


def content(*said: dict[str, str]) -> dict[str, object]:
    return {
        "spans": [
            {"tokens": [at], "label": "CONCEPTUAL", "attributes": one, "score": None} for at, one in enumerate(said)
        ]
    }


def test_vocabularies_are_the_attributes_that_say_so() -> None:
    assert vocabularies(conceptual_domains().to_json()) == ("source", "target")
    assert vocabularies(MIPVU.to_json()) == ()
    assert vocabularies({"values": ["relevant"]}) == ()


def test_terms_are_counted_and_replaced_in_their_attribute_only() -> None:
    before = content({"source": "WAR", "target": "WAR"}, {"source": "WAR"}, {})
    assert terms_of(before, ["source", "target"]) == Counter({("source", "WAR"): 2, ("target", "WAR"): 1})
    after = replaced(before, "source", "WAR", "CONFLICT")
    assert terms_of(after, ["source", "target"]) == Counter({("source", "CONFLICT"): 2, ("target", "WAR"): 1})
    assert terms_of(before, ["source"])["source", "WAR"] == 2, "what was given is as it was"
    assert terms_of(None, ["source"]) == Counter()


def test_terms_that_look_alike_are_found_and_short_ones_left_alone() -> None:
    terms = ["Journey", "WAR", "journeys", "JOURNEY", "CAR", "salud", "Salúd", "buidling", "building", "health care"]
    assert near_duplicates(terms) == [
        ("Journey", "journeys", "JOURNEY"),
        ("salud", "Salúd"),
        ("buidling", "building"),
    ]
    assert near_duplicates(["health-care", "Health care"]) == [("health-care", "Health care")]
    assert near_duplicates([]) == []


@given(st.lists(st.text(min_size=1, max_size=12), max_size=12))
def test_what_is_alike_when_folded_is_always_in_one_group(terms: list[str]) -> None:
    groups = near_duplicates(terms)
    of = {term: number for number, group in enumerate(groups) for term in group}
    known = list(dict.fromkeys(terms))
    for one in known:
        for other in known:
            if one != other and folded(one) == folded(other):
                assert of[one] == of[other]
    assert len({term for group in groups for term in group}) == sum(map(len, groups))
