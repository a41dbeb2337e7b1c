"""Likeness in frequency: a rare word is seldom the translation of a common one."""

import numpy as np

from mlworkers.engines.aligners.lexical.candidate_links import Floats, Ints
from mlworkers.engines.words import Words

WIDTH = 1.0  # standard deviation on the Zipf scale: ten times as frequent


def likeness(words: tuple[Words, Words], vocabularies: tuple[list[str], list[str]], left: Ints, right: Ints) -> Floats:
    """How alike in frequency two words are, for pairs of indices into the two vocabularies: from 0 to 1.

    exp(-d²/2) of their distance d on the Zipf scale (`Words.zipf`). 0 throughout when there are no frequencies for
    one of the languages, or no lemmas: the first letters of a word are no word.
    """
    if not all(side.has_frequencies and side.has_lemmas for side in words):
        return np.zeros(left.size)
    zipf = []
    for side, vocabulary, indices in zip(words, vocabularies, (left, right), strict=True):
        used, places = np.unique(indices, return_inverse=True)
        zipf.append(np.array([side.zipf(vocabulary[index]) for index in used.tolist()])[places])
    distance = (zipf[0] - zipf[1]) / WIDTH
    found: Floats = np.exp(-(distance**2) / 2)
    return found
