"""Sets of words as they are easiest to read and to keep: in one text, with spaces between them."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text with spaces between them."""
    return frozenset(text.split())
