"""What labels of files become under a project's scheme."""

from __future__ import annotations

from collections import Counter

import pytest

from annotator.domain.labels.incoming_labels import LabelMapping, becomes, guessed, taken_over
from annotator.domain.labels.schemes import Label
from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.domain.labels.spans import Scheme, Span

SCHEME = Scheme(
    labels=("METAPHOR", "Simile"),
    overlaps=True,
    attributes={"force": ("weak", "strong")},
    details={"Simile": Label(name="A comparison")},
)


@pytest.mark.parametrize(
    ("label", "expected"),
    [("METAPHOR", "METAPHOR"), ("metaphor", "METAPHOR"), ("a comparison", "Simile"), ("IRONY", None), ("", None)],
)
def test_labels_are_guessed_by_name(label: str, expected: str | None) -> None:
    assert guessed(label, SCHEME) == expected


def test_of_two_that_differ_in_capitals_only_the_exact_one_is_guessed() -> None:
    scheme = Scheme(labels=("Met", "MET"))
    assert (guessed("MET", scheme), guessed("met", scheme)) == ("MET", None)


def test_what_a_person_chose_counts_before_the_name() -> None:
    assert becomes("METAPHOR", SCHEME, {"METAPHOR": LabelMapping("Simile")}) == LabelMapping("Simile")


def test_a_binary_label_becomes_one_of_mipvu_with_an_attribute() -> None:
    chosen = {"METAPHOR": LabelMapping("INDIRECT", {"borderline": "WIDLII"})}
    found = taken_over([Span((1, 3), "METAPHOR", {"note": "x"}, 0.5)], MIPVU, chosen)
    assert found == (Span((1, 3), "INDIRECT", {"borderline": "WIDLII"}, 0.5),)


def test_what_is_left_out_is_left_out_and_what_nobody_knows_is_named() -> None:
    spans = [Span((0,), "IRONY"), Span((1,), "metaphor")]
    assert taken_over(spans, SCHEME, {"IRONY": LabelMapping("")}) == (Span((1,), "METAPHOR"),)
    with pytest.raises(LookupError, match="IRONY"):
        taken_over(spans, SCHEME, {})


def test_two_labels_that_become_one_on_the_same_tokens_are_one_span() -> None:
    spans = [Span((0,), "IRONY"), Span((0,), "METAPHOR"), Span((1,), "METAPHOR"), Span((1,), "METAPHOR")]
    found = taken_over(spans, SCHEME, {"IRONY": LabelMapping("METAPHOR")})
    # What the file itself has twice is refused later, as any such content is.
    assert [span.tokens for span in found] == [(0,), (1,), (1,)]


def test_attributes_that_the_scheme_does_not_know_are_left_out_and_counted() -> None:
    span = Span((0,), "METAPHOR", {"unknown": "x", "force": "strong"})
    lost: Counter[str] = Counter()
    assert taken_over([span], SCHEME, {}, lost) == (Span((0,), "METAPHOR", {"force": "strong"}),)
    assert lost == {"unknown": 1}
    assert taken_over([span], SCHEME, {"METAPHOR": LabelMapping("METAPHOR", {"force": "weak"})}) == (
        Span((0,), "METAPHOR", {"force": "weak"}),
    )


def test_labels_that_differ_in_what_is_left_out_are_one() -> None:
    spans = [Span((0,), "METAPHOR", {"unknown": "x"}), Span((0,), "METAPHOR", {"unknown": "y"})]
    assert taken_over(spans, SCHEME, {}) == (Span((0,), "METAPHOR"),)
