"""Which text labels stand on, told without its words: by its SHA-256 and by where its tokens are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from annotator.domain.text.tokens import offsets, text_of


def standoff_text(tokens: Sequence[str], spaces: Sequence[str] = ()) -> dict[str, Any]:
    """What a stand-off release has in place of a text: SHA-256 of the text and of its characters without white space,
    and where each token begins and ends in the text, in code points."""
    text = text_of(tokens, spaces)
    places = [list(place) for place in offsets(tokens, spaces)]
    return {"sha256": _sha256(text), "characters_sha256": _sha256("".join(text.split())), "positions": places}


def text_key(characters_sha256: str, lengths: Sequence[int]) -> str:
    """The identity of a text with its tokens: its characters, and the length of each token."""
    return f"{characters_sha256} {' '.join(map(str, lengths))}"


def key_of_tokens(tokens: Sequence[str]) -> str:
    """`text_key` of a text that is at hand."""
    return text_key(_sha256("".join("".join(tokens).split())), [len(token) for token in tokens])


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
