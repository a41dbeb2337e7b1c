"""The words of the values that agreement counts: kinds say them by content type, pages show them."""

from __future__ import annotations

from collections.abc import Callable

# The words of a value in a dimension; the value itself where it has none, as a project's own have.
ValueWords = Callable[[str, str], str]

_words: dict[str, ValueWords] = {}


def register_value_words(content_type: str, words: ValueWords) -> None:
    """Say what values of a content type are called: `words(dimension, value)`, in the reader's language."""
    _words[content_type] = words


def value_title(content_type: str, dimension: str, value: str) -> str:
    """What a value is called in the reader's language; the value itself where nobody said it."""
    words = _words.get(content_type)
    return words(dimension, value) if words is not None else value
