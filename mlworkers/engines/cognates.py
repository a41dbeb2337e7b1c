"""Likeness in spelling: names, numbers and words of common origin."""

import unicodedata
from difflib import SequenceMatcher

import numpy as np

from mlworkers.engines.cells import Floats, Ints

# Fewer letters in common at the beginning, or a lower ratio, is chance more often than kinship.
PREFIX = 3
RATIO = 0.6


def likeness(vocabularies: tuple[list[str], list[str]], left: Ints, right: Ints) -> Floats:
    """How alike two words are, for pairs of indices into the two vocabularies: 0, or from 0.6 to 1.

    1 for the same spelling (accents aside) of a word with a digit or at least two letters. Otherwise
    the share of characters in common (Ratcliff & Obershelp 1988, as in difflib) of words that begin
    with the same three letters; 0 below 0.6.
    """
    plain = [[_plain(word) for word in words] for words in vocabularies]
    whole: dict[str, int] = {}
    begin: dict[str, int] = {}
    same = [np.array([whole.setdefault(word, len(whole)) for word in words], np.int64) for words in plain]
    start = [np.array([begin.setdefault(word[:PREFIX], len(begin)) for word in words], np.int64) for words in plain]
    found = np.zeros(left.size)
    if not left.size:
        return found
    for index in np.flatnonzero(start[0][left] == start[1][right]).tolist():
        first, second = plain[0][left[index]], plain[1][right[index]]
        if same[0][left[index]] == same[1][right[index]]:
            found[index] = 1.0 if len(first) > 1 or first.isdigit() else 0.0
        elif min(len(first), len(second)) > PREFIX:
            ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
            found[index] = ratio if ratio >= RATIO else 0.0
    return found


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(character for character in decomposed if not unicodedata.combining(character)) or word
