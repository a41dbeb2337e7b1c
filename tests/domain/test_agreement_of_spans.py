"""Agreement over spans: what goes together one to one."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.agreement.spans import SpanAgreement, span_agreement
from annotator.domain.labels.spans import Span


def spans(*given: Any) -> list[Span]:
    """Token lists under one label, or (tokens, label)."""
    return [Span(tuple(one[0]), one[1]) if isinstance(one, tuple) else Span(tuple(one), "M") for one in given]


@pytest.mark.parametrize(
    ("first", "second", "exact", "overlapping"),
    [
        (spans([1, 2]), spans([1], [2]), 0, 1),  # agreement over tokens is full
        (spans([1, 2]), spans([1, 2]), 1, 1),
        (spans([0, 2]), spans([0, 1, 2]), 0, 1),  # in two pieces
        (spans([1]), spans([2]), 0, 0),
        (spans(([1], "M")), spans(([1], "N")), 0, 0),
        (spans(([1], "M"), ([1], "N")), spans(([1], "N")), 1, 1),
        # One to one, as many as there can be: the first of the two could take either.
        (spans([1, 2], [0, 1]), spans([1], [2, 3]), 0, 2),
        (spans([1, 2], [3]), spans([1], [2], [3]), 1, 2),
        (spans(), spans([1]), 0, 0),
        (spans([]), spans([]), 0, 0),  # on the sentence
    ],
)
def test_what_goes_together(first: list[Span], second: list[Span], exact: int, overlapping: int) -> None:
    for one, other in ((first, second), (second, first)):
        found = span_agreement([(one, other)])
        assert (found.exact, found.overlapping) == (exact, overlapping)


def test_f1_is_over_all_sentences_pooled_and_none_without_spans() -> None:
    found = span_agreement([(spans([1, 2]), spans([1], [2])), (spans([0]), spans([0])), (spans(), spans())])
    assert found == SpanAgreement(first=2, second=3, exact=1, overlapping=2)
    assert (found.exact_f1, found.overlapping_f1) == (0.4, 0.8)
    assert span_agreement([(spans(), spans())]).exact_f1 is None
