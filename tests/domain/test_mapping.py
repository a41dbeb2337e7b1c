"""MIPVU and conceptual domains as schemes, and how their labels are METAPHOR where only that is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.labels.bio import write_bio
from annotator.domain.labels.schemes import Scheme
from annotator.domain.labels.shipped_schemes import (
    BINARY,
    METAPHOR,
    MIPVU,
    conceptual_domains,
    mipvu,
)
from annotator.domain.labels.spans import Span, check_spans, token_labels
from annotator.domain.mapping import as_machine, label_of_machine, labels_of_machine, mapped, mapped_scheme
from tests.domain.strategies import spans

MAPPING = MIPVU.mappings[BINARY]


@pytest.mark.parametrize("scheme", [mipvu("en"), mipvu("es"), conceptual_domains("en"), conceptual_domains("es-MX")])
def test_shipped_schemes_are_stored_and_read(scheme: Scheme) -> None:
    assert Scheme.from_json(scheme.to_json()) == scheme
    assert all(scheme.detail(label).name for label in scheme.labels)


def test_languages_differ_in_words_only() -> None:
    assert mipvu("es").labels == MIPVU.labels
    assert mipvu("es").detail("DIRECT").name == "Directa"
    assert conceptual_domains("es").attributes.keys() == conceptual_domains().attributes.keys()


def test_mipvu_says_what_its_method_says() -> None:
    widlii = {"borderline": "WIDLII", "personification": "PP"}
    sentence = [Span((), "IMPLICIT"), Span((0,), "INDIRECT", widlii), Span((1,), "MFLAG"), Span((2, 3), "DIRECT")]
    assert check_spans(sentence, length=5, scheme=MIPVU) == tuple(sentence)
    assert MIPVU.tokenless == ("IMPLICIT",)
    assert list(MIPVU.attributes_of("MFLAG")) == []


def test_related_words_are_metaphor_signals_and_discarded_words_are_nothing() -> None:
    sentence = [Span((0,), "INDIRECT"), Span((1,), "MFLAG"), Span((2,), "DIRECT"), Span((3,), "DFMA")]
    assert mapped([*sentence, Span((), "IMPLICIT")], MAPPING) == (
        Span((), METAPHOR),
        Span((0,), METAPHOR),
        Span((2,), METAPHOR),
    )
    assert mapped_scheme(MIPVU, BINARY).labels == (METAPHOR,)
    with pytest.raises(LookupError, match=r"Unknown mapping “other”. Available: metaphor"):
        mapped_scheme(MIPVU, "other")


@given(st.lists(spans(8, ("INDIRECT", "DIRECT", "MFLAG", "IMPLICIT")), max_size=6))
def test_what_is_mapped_covers_the_same_tokens_and_tags_can_spell_it(given_: list[Span]) -> None:
    found = mapped(given_, MAPPING)
    assert mapped(reversed(given_), MAPPING) == found
    related = [span for span in given_ if span.label != "MFLAG"]
    covered = {token for span in related for token in span.tokens}
    assert {at for at, label in enumerate(token_labels(found, 8)) if label == METAPHOR} == covered
    write_bio(found, 8)


def test_a_machine_that_knows_metaphor_suggests_the_first_related_label_and_learns_from_all() -> None:
    assert label_of_machine(MIPVU, METAPHOR) == ("INDIRECT", BINARY)
    assert label_of_machine(MIPVU, "DIRECT") == ("DIRECT", "")
    assert label_of_machine(MIPVU, "SIMILE") is None
    assert labels_of_machine(MIPVU) == (*MIPVU.labels, METAPHOR)
    sentence = [Span((0,), "INDIRECT"), Span((1,), "MFLAG"), Span((2,), "DIRECT")]
    assert as_machine(sentence, MIPVU, METAPHOR) == (Span((0,), METAPHOR), Span((2,), METAPHOR))
    assert as_machine(sentence, MIPVU, "DIRECT") == (sentence[2],)
    assert as_machine(sentence, MIPVU, "SIMILE") == ()


def test_a_label_that_a_mapping_does_not_name_is_nothing_there() -> None:
    assert mapped([Span((0,), "A"), Span((1,), "OTHER")], {"A": "METAPHOR"}) == (Span((0,), "METAPHOR"),)
