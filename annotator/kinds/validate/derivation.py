"""What people wrote, text by text: each is judged by itself."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import Content, Written, content_type
from annotator.domain.derivation import ByAnswer, DesiredUnit, SourceState
from annotator.domain.pairs.figurative_pairs import as_tokens
from annotator.domain.stable_shuffle import stable_shuffle
from annotator.domain.text.tokens import text_of


def _texts(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    written = content_type(state.content_type)
    if not isinstance(written, Written):
        return ()
    texts = written.texts(content, text_of(state.tokens, state.spaces))
    # Those who judge them are shown numbers that count on: they must not tell which of the texts one is.
    return [
        DesiredUnit(text.key, *as_tokens(text.lines), rule=text.rule, indexed=True)
        for text in sorted(texts, key=lambda text: stable_shuffle(f"{state.unit}:{text.key}"))
    ]


WRITTEN_TEXTS = ByAnswer(_texts)
