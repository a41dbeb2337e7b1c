"""From predictions to suggestions."""

from annotator.domain.labels.bio import chunks
from annotator.domain.labels.spans import Span
from mlworkers.engines.base import Prediction


def spans_of(prediction: Prediction, label: str) -> list[Span]:
    """The spans that a prediction's tags spell, called `label`; the score of each is its tokens' mean probability."""
    found = sorted((first, last) for _label, first, last in chunks(prediction.tags))
    return [
        Span(tuple(range(first, last + 1)), label, score=_mean(prediction.probabilities[first : last + 1]))
        for first, last in found
    ]


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 6)
