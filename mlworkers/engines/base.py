"""What every engine offers: the interfaces, the link, the error."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from annotator.domain.labels.spans import OUTSIDE
from annotator.domain.messages import Message, UserError
from annotator.domain.text.parsed import Parse

# What is shipped.
DATA = Path(__file__).parent / "data"

# Seeds are below this: all generators take these.
SEEDS = 2**32

Tokens = Sequence[str]
Floats = npt.NDArray[np.float32]
SentencePair = tuple[Tokens, Tokens]


class EngineError(UserError):
    """An engine cannot do what was asked. The message says what is wrong and what to do next.

    It is in English as text, and a job shows it in the reader's language.
    """

    message: Message

    def __init__(self, text: str | Message, /, **gaps: object) -> None:
        super().__init__(text if isinstance(text, Message) else Message(text, gaps))


class EvaluationError(EngineError):
    """Nothing can be measured with what was given. Only commands measure, so that it is in English alone."""


@dataclass(frozen=True, slots=True)
class Link:
    """Source token `source` and target token `target` (indices from 0) correspond.

    `score` is a probability, 0 to 1.
    """

    source: int
    target: int
    score: float


class Detector(Protocol):
    """Says for every token how likely it is to be labelled."""

    @property
    def name(self) -> str:
        """Which kind of engine this is: `crf`, `transformers`."""

    @property
    def revision(self) -> str:
        """What identifies the model's exact state; stored with every prediction."""

    @property
    def language(self) -> str:
        """Language code of the sentences it is for, such as `es`."""

    @property
    def threshold(self) -> float:
        """Probability from which a token counts as labelled."""

    @property
    def label(self) -> str:
        """The label it predicts, such as `METAPHOR`."""

    def predict(self, sentences: Sequence[Tokens]) -> list[list[float]]:
        """Return per sentence, per token, the probability (0 to 1) of being labelled.

        The result has one list per sentence and one number per token; a sentence without tokens
        gives an empty list. The same input always gives the same output.
        """


@runtime_checkable
class Tagging(Protocol):
    """A detector whose model says by BIO where a label begins.

    One that is none says which tokens are labelled, and no more: neighbours are then one span.
    """

    def predict_tags(self, sentences: Sequence[Tokens]) -> tuple[list[list[float]], list[list[str]]]:
        """Return what `predict` returns, and per sentence, per token what it is if it is labelled: "B" or "I"."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a detector says of one sentence: per token the probability of being labelled, and a BIO tag ("B-LABEL",
    "I-LABEL", or "O" below the detector's threshold)."""

    probabilities: list[float]
    tags: list[str]


def predictions(detector: Detector, sentences: Sequence[Tokens]) -> list[Prediction]:
    """What the detector says, sentence by sentence."""
    if isinstance(detector, Tagging):
        rows, marks = detector.predict_tags(sentences)
    else:
        rows = detector.predict(sentences)
        marks = [["I"] * len(row) for row in rows]
    threshold, label = detector.threshold, detector.label
    return [
        Prediction(row, [f"{mark}-{label}" if p >= threshold else OUTSIDE for p, mark in zip(row, own, strict=True)])
        for row, own in zip(rows, marks, strict=True)
    ]


@runtime_checkable
class Noting(Protocol):
    """An engine that counts what people should know of."""

    def notes(self) -> dict[str, int]:
        """Return what the last call of `predict` or `align` met, in words, with how often; {} when nothing."""


class Embedder(Protocol):
    """Says where sentences stand to each other: those that mean the like are near each other."""

    @property
    def name(self) -> str:
        """Which engine this is: `encoder`, `transformers:` and a model."""

    @property
    def revision(self) -> str:
        """What identifies the model's exact state; stored with what was made with it."""

    def embed(self, sentences: Sequence[Tokens]) -> Floats:
        """Return sentences by numbers: a vector each. A sentence of which the model knows nothing has zeros."""


class Aligner(Protocol):
    """Links the tokens of sentence pairs."""

    @property
    def name(self) -> str:
        """Which kind of engine this is: `lexical`."""

    @property
    def revision(self) -> str:
        """What identifies the model's exact state; stored with every projection."""

    def align(self, pairs: Sequence[SentencePair]) -> list[list[Link]]:
        """Return per pair its links, sorted by source, then target index.

        Indices refer to the tokens as given. A pair with an empty side has no links.
        """


class TextParser(Protocol):
    """Says of every word of a text what part of speech it is, and on which other word it depends."""

    name: str

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        """Return the words of every text, each with its place in it."""
