"""Which candidates become links, when both directions have had their say."""

import numpy as np
import numpy.typing as npt

from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats

Chosen = npt.NDArray[np.bool_]

# A link needs this mean posterior, or the lower one when it is the best for both of its words.
THRESHOLD = 0.6
MUTUAL_THRESHOLD = 0.25
# A word left without a link takes its best from this mean posterior on, if that is free or near.
GROWN_THRESHOLD = 0.2
NEAR = 3
INSIDE = 3  # up to so many words without a link may stand inside a unit


def choose(candidates: CandidateLinks, probabilities: Floats) -> Floats:
    """The scores of the candidates that become links, 0 for the others.

    `probabilities` are the means of both directions.

    First the likely ones, and those that are the best for both of their words; then those inside a unit (`_inside`).
    Then every word without a link takes its best one when the word at the other end has no link either, or has one
    at most NEAR words away: the parts of "wine list" and "carta de vinos" stay together. The condition keeps freely
    translated words from being linked to anything.
    """
    for_source, for_target = _best(candidates, probabilities)
    links = (probabilities > THRESHOLD) | (for_source & for_target & (probabilities > MUTUAL_THRESHOLD))
    inside = _inside(candidates, np.where(links, probabilities, 0.0))
    links |= inside > 0
    likely = probabilities > GROWN_THRESHOLD
    near_source, near_target = _near(candidates, links)
    grown = (for_source & ~_linked(candidates.source, candidates.sources.size, links) & near_target) | (
        for_target & ~_linked(candidates.target, candidates.targets.size, links) & near_source
    )
    links |= likely & grown
    return np.where(links, np.maximum(probabilities, inside), 0.0)


def _inside(candidates: CandidateLinks, scores: Floats) -> Floats:
    """Scores of links for words without one that stand inside a unit, such as "de la" in "terraza de la azotea".

    When neighbours ("rooftop terrace") change places, they belong together, and so does what stands between their
    partners. Of two or three words there, all but the first go with the word that follows ("la azotea"), with its
    link's score; the first, often a preposition, belongs to neither by itself, and is a gap of one word that projection
    fills. `scores` are those of the links so far.
    """
    found = np.zeros(scores.size)
    linked = np.flatnonzero(scores)
    for own, other, size in (
        (candidates.source, candidates.target, candidates.sources.size),
        (candidates.target, candidates.source, candidates.targets.size),
    ):
        first, last, score = np.full(size, np.iinfo(np.int64).max), np.full(size, -1), np.zeros(size)
        np.minimum.at(first, own[linked], other[linked])
        np.maximum.at(last, own[linked], other[linked])
        np.maximum.at(score, own[linked], scores[linked])
        ends = np.flatnonzero(last >= 0)
        left, right = ends[:-1], ends[1:]
        gap = right - left - 1
        together = (last[right] + 1 == first[left]) & (gap > 1) & (gap <= INSIDE)
        # Per word, the word at the other end that it goes with.
        partner, strength = np.full(size, -1), np.zeros(size)
        for before in range(1, INSIDE):
            taken = together & (gap > before)
            partner[right[taken] - before] = last[right[taken]]
            strength[right[taken] - before] = score[right[taken]]
        found = np.maximum(found, np.where(partner[own] == other, strength[own], 0.0))
    return found


def _best(candidates: CandidateLinks, values: Floats) -> tuple[Chosen, Chosen]:
    """Whether each candidate has the highest value of its source word; the same for its target word."""
    found = []
    for words, places in ((candidates.sources, candidates.source), (candidates.targets, candidates.target)):
        highest = np.zeros(words.size)
        np.maximum.at(highest, places, values)
        found.append(values >= highest[places])
    return found[0], found[1]


def _linked(places: npt.NDArray[np.int64], size: int, links: Chosen) -> Chosen:
    """Per candidate, whether its word at `places` has a link."""
    found: Chosen = (np.bincount(places[links], minlength=size) > 0)[places]
    return found


def _near(candidates: CandidateLinks, links: Chosen) -> tuple[Chosen, Chosen]:
    """Per candidate, whether its source word has no link or one near the candidate; the same for its target word."""
    found = []
    for own, other, size in (
        (candidates.source, candidates.target, candidates.sources.size),
        (candidates.target, candidates.source, candidates.targets.size),
    ):
        first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
        np.minimum.at(first, own[links], other[links])
        np.maximum.at(last, own[links], other[links])
        free = last < 0
        found.append(free[own] | ((other >= first[own] - NEAR) & (other <= last[own] + NEAR)))
    return found[0], found[1]
