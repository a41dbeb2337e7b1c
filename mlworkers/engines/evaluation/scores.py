"""How well a detector labels tokens, and how fast."""

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from annotator.domain.labels.bio import chunks
from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.text.tokens import word_of
from annotator.formats.text.tagged import TaggedSentence
from mlworkers.engines.base import Detector, predictions

Floats = npt.NDArray[np.float64]


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


@dataclass(frozen=True)
class Vocabulary(Scores):
    """Scores over the tokens of one kind of word, and how many of those tokens are labelled in gold."""

    labelled: int


# Kinds of words that are scored apart when the training sentences are known. In and out of vocabulary is what papers
# say of words that occur there and words that do not; the others tell words that are labelled there from all others.
IN_VOCABULARY, OUT_OF_VOCABULARY = "in_vocabulary", "out_of_vocabulary"
LABELLED, NOT_LABELLED = "labelled_in_training", "not_labelled_in_training"


@dataclass(frozen=True)
class Report:
    """A detector against tagged sentences: over tokens, over spans, and by what the training sentences have of a word.

    Spans count when they begin and end where gold has them and have its label, as seqeval counts. `words` has the
    scores over the tokens of each kind of word, by its name; nothing where the training sentences are not known.
    """

    tokens: Evaluation
    spans: Scores
    words: Mapping[str, Vocabulary] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The scores over tokens by name, the others one level below; what is not known is left out."""
        words = {kind: asdict(scores) for kind, scores in self.words.items()}
        return {**self.tokens.to_json(), "spans": asdict(self.spans), **words}


def evaluate_tagged(
    detector: Detector, sentences: Sequence[TaggedSentence], *, train: Sequence[TaggedSentence] | None = None
) -> Report:
    """Label `sentences` with `detector` at its threshold and compare with their tags.

    Labelled tokens become spans by the detector's own tags (`base.predictions`), as in suggestions. `train` is what it
    learnt from.
    """
    gold = [[tag != OUTSIDE for tag in sentence.tags] for sentence in sentences]
    guess = _Guess.of(detector, [sentence.tokens for sentence in sentences])
    over_spans = _over_spans(guess, [sentence.tags for sentence in sentences])
    words: dict[str, Vocabulary] = {}
    for kind, other, known in (
        ()
        if train is None
        else (
            (IN_VOCABULARY, OUT_OF_VOCABULARY, seen_words(train)),
            (LABELLED, NOT_LABELLED, labelled_words(train)),
        )
    ):
        inside = [[_word(token) in known for token in sentence.tokens] for sentence in sentences]
        words[kind] = _among(guess, gold, inside)
        words[other] = _among(guess, gold, [[not there for there in row] for row in inside])
    return Report(_over_tokens(guess, gold), over_spans, words)


def spread(reports: Sequence[Report]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Mean and standard deviation (of a sample) over two or more reports on the same sentences.

    Both have every measure where `Report.to_json` has it.
    """
    rows = [report.to_json() for report in reports]
    return _over(rows, statistics.fmean), _over(rows, statistics.stdev)


def _over(rows: Sequence[Mapping[str, Any]], what: Callable[[list[float]], float]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in rows[0].items():
        if isinstance(value, Mapping):
            found[name] = _over([row[name] for row in rows], what)
        elif name not in _COUNTS:
            found[name] = round(what([row[name] for row in rows]), 2)
    return found


# What reports on the same sentences have in common.
_COUNTS = {"sentences", "tokens", "labelled"}


def seen_words(sentences: Iterable[TaggedSentence]) -> set[str]:
    """The words, in lower case and without punctuation at their edges, that occur; punctuation alone as it is."""
    return {_word(token) for sentence in sentences for token in sentence.tokens}


def _word(token: str) -> str:
    return word_of(token) or token


def labelled_words(sentences: Iterable[TaggedSentence]) -> set[str]:
    """The words, in lower case and without punctuation at their edges, that are labelled somewhere."""
    words = {
        word_of(token)
        for sentence in sentences
        for token, tag in zip(sentence.tokens, sentence.tags, strict=True)
        if tag != OUTSIDE
    }
    # Punctuation alone is no word.
    return words - {""}


@dataclass(frozen=True)
class _Guess:
    """The tags that a detector gives, which tokens it labels, and how long it took."""

    tags: list[list[str]]
    rows: list[list[bool]]
    seconds: float

    @classmethod
    def of(cls, detector: Detector, sentences: Sequence[Sequence[str]]) -> "_Guess":
        start = time.perf_counter()
        found = predictions(detector, sentences)
        seconds = time.perf_counter() - start
        return cls([one.tags for one in found], [[tag != OUTSIDE for tag in one.tags] for one in found], seconds)


def _flat(rows: Sequence[Sequence[bool]]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.fromiter(chain.from_iterable(rows), bool)


def _over_tokens(guess: _Guess, gold: Sequence[Sequence[bool]]) -> Evaluation:
    predicted, truth = _flat(guess.rows), _flat(gold)
    scores = Scores.of(int((predicted & truth).sum()), int(predicted.sum()), int(truth.sum()))
    return Evaluation(
        scores.precision,
        scores.recall,
        scores.f1,
        len(gold),
        truth.size,
        round(truth.size / guess.seconds, 1) if guess.seconds > 0 else 0.0,
    )


def _over_spans(guess: _Guess, tags: Sequence[Sequence[str]]) -> Scores:
    both = predicted = labelled = 0
    for row, truth in zip(guess.tags, tags, strict=True):
        found, expected = chunks(row), chunks(truth)
        both += len(found & expected)
        predicted += len(found)
        labelled += len(expected)
    return Scores.of(both, predicted, labelled)


def _among(guess: _Guess, gold: Sequence[Sequence[bool]], inside: Sequence[Sequence[bool]]) -> Vocabulary:
    kind = _flat(inside)
    predicted, truth = _flat(guess.rows) & kind, _flat(gold) & kind
    labelled = int(truth.sum())
    return Vocabulary(
        **asdict(Scores.of(int((predicted & truth).sum()), int(predicted.sum()), labelled)), labelled=labelled
    )


def best_threshold(probabilities: Floats, labelled: Sequence[bool]) -> tuple[float, Scores]:
    """The threshold at which F1 over tokens is highest, and the scores there.

    It lies in the middle between the lowest probability that is taken and the highest that is not, so
    that rounding does not move tokens across it. Of equally good ones the highest is taken; 0.5 when
    nothing is labelled.
    """
    truth = np.asarray(labelled, bool)
    count = int(truth.sum())
    if not count:
        return 0.5, Scores.of(0, int((probabilities >= 0.5).sum()), 0)
    order = np.argsort(-probabilities, kind="stable")
    values = probabilities[order]
    both = np.cumsum(truth[order])
    taken = np.arange(1, values.size + 1)
    f1 = 2 * both / (taken + count)
    # Equal probabilities stand or fall together, so a cut is only possible where the value changes.
    f1[:-1][values[:-1] == values[1:]] = -1.0
    best = int(f1.argmax())
    below = values[best + 1] if best + 1 < values.size else 0.0
    return float((values[best] + below) / 2), Scores.of(int(both[best]), best + 1, count)
