"""How well a detector labels tokens and an aligner carries labels over, and how fast."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

import numpy as np

from annotator.domain.projection import ProjectionRules, project
from annotator.domain.spans import Span
from mlworkers.engines.base import Detector, EngineError, Link, Tokens


@dataclass(frozen=True)
class Scores:
    """Precision, recall and F1 of the labelled class over tokens, from 0 to 100.

    A value is 0 when it is undefined (nothing predicted, nothing labelled). Multi-token labels count
    by token, and labels are not told apart.
    """

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, both: int, predicted: int, gold: int) -> "Scores":
        """The scores from counts of tokens: labelled in both, in the prediction, in gold."""
        return cls(
            round(100 * both / predicted, 2) if predicted else 0.0,
            round(100 * both / gold, 2) if gold else 0.0,
            round(200 * both / (predicted + gold), 2) if predicted + gold else 0.0,
        )


@dataclass(frozen=True)
class Evaluation(Scores):
    """The scores of a detector, on how many sentences and tokens, and its measured speed."""

    sentences: int
    tokens: int
    tokens_per_second: float

    def to_json(self) -> dict[str, float]:
        """Plain values by name."""
        return asdict(self)


def evaluate(detector: Detector, sentences: Sequence[Tokens], gold: Sequence[Sequence[bool]]) -> Evaluation:
    """Label `sentences` with `detector` at its threshold and compare with `gold`, one bool per token.

    The speed is of prediction alone, with the model loaded. Raises EngineError when sentences and
    gold differ in length.
    """
    _check_lengths([len(tokens) for tokens in sentences], gold, "tokens")
    start = time.perf_counter()
    probabilities = detector.predict(sentences)
    seconds = time.perf_counter() - start
    predicted = np.fromiter(chain.from_iterable(probabilities), float) >= detector.threshold
    truth = np.fromiter(chain.from_iterable(gold), bool)
    scores = Scores.of(int((predicted & truth).sum()), int(predicted.sum()), int(truth.sum()))
    return Evaluation(
        scores.precision,
        scores.recall,
        scores.f1,
        len(sentences),
        truth.size,
        round(truth.size / seconds, 1) if seconds > 0 else 0.0,
    )


def best_threshold(probabilities: Sequence[Sequence[float]], gold: Sequence[Sequence[bool]]) -> tuple[float, Scores]:
    """The threshold at which F1 is highest, and the scores there.

    It lies in the middle between the lowest probability that is taken and the highest that is not, so
    that rounding does not move tokens across it. Of equally good ones the highest is taken; 0.5 when
    nothing in `gold` is labelled. Raises EngineError when the two differ in length.
    """
    _check_lengths([len(row) for row in probabilities], gold, "probabilities")
    values = np.fromiter(chain.from_iterable(probabilities), float)
    truth = np.fromiter(chain.from_iterable(gold), bool)
    labelled = int(truth.sum())
    if not labelled:
        return 0.5, Scores.of(0, int((values >= 0.5).sum()), 0)
    order = np.argsort(-values, kind="stable")
    values = values[order]
    both = np.cumsum(truth[order])
    taken = np.arange(1, values.size + 1)
    f1 = 2 * both / (taken + labelled)
    # Equal probabilities stand or fall together, so a cut is only possible where the value changes.
    f1[:-1][values[:-1] == values[1:]] = -1.0
    best = int(f1.argmax())
    below = values[best + 1] if best + 1 < values.size else 0.0
    return float((values[best] + below) / 2), Scores.of(int(both[best]), best + 1, labelled)


def score_projection(
    sources: Sequence[Sequence[Span]],
    links: Sequence[Sequence[Link]],
    targets: Sequence[Tokens],
    gold: Sequence[Iterable[Span]],
    *,
    rules: ProjectionRules,
    is_function_word: Callable[[str], bool] | None = None,
) -> Scores:
    """Project the source spans of every sentence over its links and compare with the target's gold.

    All four sequences have one entry per sentence pair. Only pairs whose source has a span count, over
    all tokens of their target sentence.
    """
    both = predicted = labelled = 0
    for spans, sentence_links, tokens, truth in zip(sources, links, targets, gold, strict=True):
        if not spans:
            continue
        result = project(
            spans,
            ((link.source, link.target) for link in sentence_links),
            tokens,
            rules=rules,
            is_function_word=is_function_word,
        )
        found = {token for span in result.spans for token in span.tokens}
        expected = {token for span in truth for token in span.tokens}
        both += len(found & expected)
        predicted += len(found)
        labelled += len(expected)
    return Scores.of(both, predicted, labelled)


def _check_lengths(lengths: Sequence[int], gold: Sequence[Sequence[bool]], what: str) -> None:
    if len(lengths) != len(gold):
        raise EngineError(
            f"There are {len(lengths)} sentences but {len(gold)} rows of gold labels. Give one row per sentence."
        )
    for number, (length, row) in enumerate(zip(lengths, gold, strict=True), start=1):
        if length != len(row):
            raise EngineError(
                f"Sentence {number} has {length} {what} but {len(row)} gold labels. Give one label per token."
            )
