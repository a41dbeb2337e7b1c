"""How many words a word is linked to: most to one, some to none or two, hardly any to five.

Without this a rare word collects links from whatever has no better partner. Every given word's
distribution over 0 to MAX_FERTILITY links is estimated from expected links (as in the IBM models 3 to 5, Brown
et al. 1993, but in mean field instead of by search), smoothed by that of all words.
"""

import numpy as np

from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats, Ints, sums

MAX_FERTILITY = 5
SMOOTHING = 8.0  # how many occurrences the distribution of all words counts for
_FLOOR = 0.001

# What is expected before any text is seen, and for how many words that counts.
_FIRST = np.array([0.25, 0.65, 0.08, 0.015, 0.004, 0.001])
_FIRST_COUNT = 100.0


def first_ratios(words: int) -> Floats:
    """The table of `ratios` for `words` words of which nothing has been seen, and a row for unknown ones."""
    return np.tile(_ratios(_FIRST[None]), (words + 1, 1))


def ratios(candidates: CandidateLinks, side: int, links: Floats, words: int) -> Floats:
    """Per word id of the given side (0: source), log P(k + 1 links) - log P(k links) for k from 0 to MAX_FERTILITY.

    `links` are probabilities per candidate. The last row is for unknown words.
    """
    given, expected = _expected(candidates, side, links)
    low, part = _split(expected)
    counts = np.zeros((words, MAX_FERTILITY + 1))
    np.add.at(counts, (given, low), 1.0 - part)
    np.add.at(counts, (given, np.minimum(low + 1, MAX_FERTILITY)), part)
    everywhere = counts.sum(axis=0) + _FIRST_COUNT * _FIRST
    everywhere /= everywhere.sum()
    table = np.concatenate([counts, np.zeros((1, MAX_FERTILITY + 1))]) + SMOOTHING * everywhere
    return _ratios(table)


def factors(candidates: CandidateLinks, side: int, links: Floats, table: Floats) -> Floats:
    """Per candidate, what one more link of its given word does to the probability, given its other `links`."""
    given, expected = _expected(candidates, side, links)
    place = (candidates.source, candidates.target)[side]
    low, part = _split(np.maximum(expected[place] - links, 0.0))
    word = np.minimum(given[place], len(table) - 1)
    found: Floats = np.exp((1.0 - part) * table[word, low] + part * table[word, np.minimum(low + 1, MAX_FERTILITY)])
    return found


def _expected(candidates: CandidateLinks, side: int, links: Floats) -> tuple[Ints, Floats]:
    given = (candidates.sources, candidates.targets)[side]
    return given, sums((candidates.source, candidates.target)[side], links, given.size)


def _split(expected: Floats) -> tuple[Ints, Floats]:
    """A number of links as a whole number and the share of the next one."""
    low = np.minimum(expected.astype(np.int64), MAX_FERTILITY - 1)
    return low, np.minimum(expected - low, 1.0)


def _ratios(table: Floats) -> Floats:
    more = np.concatenate([table[:, 1:], np.zeros((len(table), 1))], axis=1)
    found: Floats = np.log(np.maximum(more / table, _FLOOR))
    return found
