"""From probabilities to suggestions."""

from collections.abc import Sequence

from annotator.domain.spans import Span


def spans_from_probabilities(probabilities: Sequence[float], threshold: float, label: str) -> list[Span]:
    """One span per token whose probability is at least `threshold`, with the probability as its score.

    Neighbouring tokens stay apart: a detector says which words are labelled, not which belong together.
    """
    return [
        Span((index,), label, score=round(probability, 6))
        for index, probability in enumerate(probabilities)
        if probability >= threshold
    ]
