from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import Content
from annotator.domain.derivation import ByAnswer, DesiredUnit, SourceState
from annotator.domain.text.tokens import tokenise
from annotator.models import Layer


def is_text(layer: Layer) -> bool:
    """Whether people write texts in a layer."""
    return layer.content_type == "text"


def _text(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    return [DesiredUnit("", tuple(tokenise(content["text"])))]


# The text of each finished answer.
WRITTEN_TEXT = ByAnswer(_text)


def is_labels(layer: Layer) -> bool:
    """Whether people label words in a layer."""
    return layer.content_type == Layer.SPANS


def _labelled(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    labelled = [tuple(state.tokens[place] for place in span["tokens"]) for span in content["spans"]]
    return [DesiredUnit(str(number), words) for number, words in enumerate(labelled)]


# The words of each label of a finished answer.
LABELLED_TEXTS = ByAnswer(_labelled)
