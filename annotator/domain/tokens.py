"""Tokens: from text, back to text, and what is punctuation.

Only U+0020 separates tokens. A no-break space, U+2028 or U+0085 is a character like any other:
the published corpora keep them inside tokens, and splitting there would shift every later label.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable

# ASCII has punctuation that Unicode counts as symbols ($ + < = > ^ ` | ~); tools for labels treat them alike.
_ASCII = frozenset(string.punctuation)
# All punctuation; free-standing accents; spaces and invisible characters, which carry no meaning of their own.
_CATEGORIES = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sk", "Zs", "Zl", "Zp", "Cc", "Cf"})


def text_of(tokens: Iterable[str]) -> str:
    """The text of a sentence: its tokens joined by one space."""
    return " ".join(tokens)


def tokenise(text: str) -> tuple[str, ...]:
    """The tokens of a text, split at U+0020 only; runs of spaces and spaces at the ends count once or not at all."""
    return tuple(token for token in text.split(" ") if token)


def is_punctuation(token: str) -> bool:
    """True when nothing in the token is a letter, a digit or a symbol with a meaning of its own."""
    return all(map(_is_mark, token))


def bare(token: str) -> str:
    """The token without punctuation at its edges, for looking it up in a list; "" for punctuation only.

    >>> bare("“home,”"), bare("don't")
    ('home', "don't")
    """
    start, end = 0, len(token)
    while start < end and _is_mark(token[start]):
        start += 1
    while end > start and _is_mark(token[end - 1]):
        end -= 1
    return token[start:end]


def word_of(token: str) -> str:
    """The token as lists and dictionaries have it: bare, in lower case, with the typewriter's apostrophe."""
    return bare(token).replace("’", "'").lower()


def _is_mark(character: str) -> bool:
    return character in _ASCII or unicodedata.category(character) in _CATEGORIES
