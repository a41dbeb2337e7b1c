"""Add a label to words of a sentence, or remove it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotator.domain.labels.spans import Span


def with_label(spans: Sequence[Span], words: Collection[int], label: str) -> list[Span]:
    """The spans and one more for each of the words that the label does not cover yet.

    >>> [span.tokens for span in with_label([Span((0, 1), "A")], [1, 3], "A")]
    [(0, 1), (3,)]
    """
    covered = {token for span in spans if span.label == label for token in span.tokens}
    return [*spans, *(Span((word,), label) for word in sorted(set(words) - covered))]


def without_label(spans: Sequence[Span], words: Collection[int], label: str) -> list[Span]:
    """The spans without those of the label that cover one of the words, as a whole.

    >>> without_label([Span((0, 1), "A"), Span((1,), "B")], [1], "A")
    [Span(tokens=(1,), label='B', attributes={}, score=None)]
    """
    taken = set(words)
    return [span for span in spans if span.label != label or taken.isdisjoint(span.tokens)]
