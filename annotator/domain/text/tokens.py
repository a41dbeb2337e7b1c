"""Tokens: from text, back to text, and what is punctuation.

Only U+0020 separates tokens. A no-break space, U+2028 or U+0085 is a character like any other:
the published corpora keep them inside tokens, and splitting there would shift every later label.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.lookup import lookup_key

# Nobody labels a sentence of more tokens; a file without line ends has one.
MAX_TOKENS = 5000
# Its characters: what has no spaces has few tokens.
MAX_CHARACTERS = 100_000
# ASCII has punctuation that Unicode counts as symbols ($ + < = > ^ ` | ~); tools for labels treat them alike.
_ASCII = frozenset(string.punctuation)
# All punctuation; free-standing accents; spaces and invisible characters, which carry no meaning of their own.
_CATEGORIES = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sk", "Zs", "Zl", "Zp", "Cc", "Cf"})


def text_of(tokens: Iterable[str], spaces: Sequence[str] = ()) -> str:
    """The text of a sentence: its tokens joined by one space, or by `spaces`.

    `spaces` is what stands before each token and after the last one, as `white_space` gives it.
    """
    if not spaces:
        return " ".join(tokens)
    return "".join(f"{space}{token}" for space, token in zip_longest(spaces, tokens, fillvalue=""))


def tokenise(text: str) -> tuple[str, ...]:
    """The tokens of a text, split at U+0020 only; runs of spaces and spaces at the ends count once or not at all."""
    return tuple(token for token in text.split(" ") if token)


def white_space(text: str, tokens: Sequence[str]) -> list[str]:
    """What stands in `text` before each of its tokens and after the last one; empty where single spaces join them.

    Works for texts without spaces too (zh, ja, th). Raises InvalidError when `text` is not made of the tokens, in
    order, and white space between them.
    """
    if text == " ".join(tokens):
        return []
    spaces = []
    at = 0
    for token in tokens:
        begin = text.find(token, at)
        if begin < 0 or text[at:begin].strip():
            raise InvalidError(_("%(token)s is not the next part of the text"), token=repr(token))
        spaces.append(text[at:begin])
        at = begin + len(token)
    if text[at:].strip():
        raise InvalidError(_("%(rest)s is not in any of the tokens"), rest=repr(text[at:].strip()))
    return [*spaces, text[at:]]


def gaps(text: str, places: Sequence[tuple[int, int]]) -> list[str]:
    """As `white_space`, of tokens whose places in the text are known: where each begins and ends, in order. What is
    between them is white space."""
    ends = [0, *(end for _begin, end in places)]
    begins = [*(begin for begin, _end in places), len(text)]
    found = [text[end:begin] for end, begin in zip(ends, begins, strict=True)]
    single = [" "] * (len(found) - 2)
    return [] if found == ["", *single, ""] or not (places or text) else found


def offsets(tokens: Sequence[str], spaces: Sequence[str] = ()) -> list[tuple[int, int]]:
    """Where each token begins and ends in the text, in code points: for formats that count characters."""
    found = []
    at = 0
    for index, token in enumerate(tokens):
        at += len(spaces[index]) if spaces else int(index > 0)
        found.append((at, at + len(token)))
        at += len(token)
    return found


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
    """The token as lists and dictionaries have it: bare, in lower case, in one spelling (`looked_up`), with the
    typewriter's apostrophe."""
    return lookup_key(bare(token).replace("’", "'").lower())


def _is_mark(character: str) -> bool:
    return character in _ASCII or unicodedata.category(character) in _CATEGORIES
