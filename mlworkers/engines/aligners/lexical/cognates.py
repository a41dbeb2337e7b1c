"""Likeness in spelling: names, numbers and words of common origin."""

import unicodedata
from difflib import SequenceMatcher

import numpy as np

from mlworkers.engines.aligners.lexical.candidate_links import Floats, Ints

# Fewer letters, fewer of them the same at the beginning, or a lower ratio is chance more often than kinship.
PREFIX = 2
LONG = 3
RATIO = 0.6


def likeness(vocabularies: tuple[list[str], list[str]], left: Ints, right: Ints) -> Floats:
    """How alike two words are, for pairs of indices into the two vocabularies: 0, or from 0.6 to 1.

    1 for the same spelling (accents aside), unless it is a single letter. Otherwise
    the share of characters in common (Ratcliff & Obershelp 1988, as in difflib) of words that begin
    with the same two letters and have at least three; 0 below 0.6.
    """
    found = np.zeros(left.size)
    whole: dict[str, int] = {}
    begin: dict[str, int] = {}
    plain, same, start = [], [], []
    for words, indices in zip(vocabularies, (left, right), strict=True):
        used, places = np.unique(indices, return_inverse=True)
        forms = [_plain(words[index]) for index in used.tolist()]
        plain.append((forms, places))
        same.append(np.array([whole.setdefault(form, len(whole)) for form in forms], np.int64)[places])
        start.append(np.array([begin.setdefault(form[:PREFIX], len(begin)) for form in forms], np.int64)[places])
    (lefts, left_places), (rights, right_places) = plain
    for index in np.flatnonzero(start[0] == start[1]).tolist():
        first, second = lefts[left_places[index]], rights[right_places[index]]
        if same[0][index] == same[1][index]:
            found[index] = 1.0 if len(first) > 1 or not first.isalpha() else 0.0
        elif min(len(first), len(second)) >= LONG:
            ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
            found[index] = ratio if ratio >= RATIO else 0.0
    return found


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(character for character in decomposed if not unicodedata.combining(character)) or word
