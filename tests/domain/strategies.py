"""Random tags, spans and links for property-based tests."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from annotator.domain.labels.spans import Span


def examples(most: int, **more: Any) -> settings:
    """Settings for examples that are large: `most` of them, or as many as the profile has where these are fewer."""
    return settings(max_examples=min(most, settings.default.max_examples), deadline=None, **more)


LABELS = ("METAPHOR", "SIMILE", "B-side")


def tag_sequences(labels: tuple[str, ...] = LABELS, max_size: int = 14) -> st.SearchStrategy[list[str]]:
    """Any sequence of valid tags, orphans and interleaved spans included."""
    tags = ["O", *(f"{prefix}-{label}" for label in labels for prefix in "BI")]
    return st.lists(st.sampled_from(tags), max_size=max_size)


@st.composite
def spans(draw: st.DrawFn, length: int, labels: tuple[str, ...] = LABELS) -> Span:
    """Any span within a sentence of `length` tokens."""
    tokens = draw(st.sets(st.integers(0, length - 1), min_size=1, max_size=5))
    return Span(tuple(sorted(tokens)), draw(st.sampled_from(labels)))


@st.composite
def sentences_with_spans(draw: st.DrawFn, max_length: int = 12) -> tuple[int, list[Span]]:
    """A length, and spans within it that may overlap."""
    length = draw(st.integers(1, max_length))
    return length, draw(st.lists(spans(length), max_size=6))
