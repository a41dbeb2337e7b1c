from __future__ import annotations

from collections.abc import Sequence

from annotator.core.intake import MadeUnit
from annotator.domain.text.tokens import tokenise
from annotator.models import Annotation, Layer, Stage


def is_text(layer: Layer) -> bool:
    """Whether people write texts in a layer."""
    return layer.content_type == "text"


def written_text(stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
    """The text of a finished answer."""
    return [MadeUnit("text", tokenise(annotation.content["text"]))]


def is_labels(layer: Layer) -> bool:
    """Whether people label words in a layer."""
    return layer.content_type == Layer.SPANS


def labelled_texts(stage: Stage, annotation: Annotation) -> Sequence[MadeUnit]:
    """The words of each label of a finished answer."""
    tokens = annotation.unit.tokens
    labelled = [tuple(tokens[place] for place in span["tokens"]) for span in annotation.content["spans"]]
    return [MadeUnit("text", words, key=str(number)) for number, words in enumerate(labelled)]
