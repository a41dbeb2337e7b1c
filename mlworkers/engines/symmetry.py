"""Which candidates become links, when both directions have had their say."""

import numpy as np
import numpy.typing as npt

from mlworkers.engines.cells import Cells, Floats

Chosen = npt.NDArray[np.bool_]

# A link needs this mean posterior, or the lower one when it is the best for both of its words.
THRESHOLD = 0.6
MUTUAL_THRESHOLD = 0.25
# A word left without a link takes its best from this mean posterior on, if that is free or near.
GROWN_THRESHOLD = 0.2
NEAR = 3


def choose(cells: Cells, probabilities: Floats) -> Chosen:
    """Which cells become links; `probabilities` are the means of both directions.

    First the likely ones, and those that are the best for both of their words. Then every word without
    a link takes its best one when the word at the other end has no link either, or has one at most
    NEAR words away: the parts of "wine list" and "carta de vinos" stay together. The
    condition keeps freely translated words from being linked to anything.
    """
    for_source, for_target = _best(cells, probabilities)
    links = (probabilities > THRESHOLD) | (for_source & for_target & (probabilities > MUTUAL_THRESHOLD))
    likely = probabilities > GROWN_THRESHOLD
    near_source, near_target = _near(cells, links)
    grown = (for_source & ~_linked(cells.source, cells.sources.size, links) & near_target) | (
        for_target & ~_linked(cells.target, cells.targets.size, links) & near_source
    )
    return links | (likely & grown)


def _best(cells: Cells, values: Floats) -> tuple[Chosen, Chosen]:
    """Whether each cell has the highest value of its source word; the same for its target word."""
    found = []
    for words, places in ((cells.sources, cells.source), (cells.targets, cells.target)):
        highest = np.zeros(words.size)
        np.maximum.at(highest, places, values)
        found.append(values >= highest[places])
    return found[0], found[1]


def _linked(places: npt.NDArray[np.int64], size: int, links: Chosen) -> Chosen:
    """Per cell, whether its word at `places` has a link."""
    found: Chosen = (np.bincount(places[links], minlength=size) > 0)[places]
    return found


def _near(cells: Cells, links: Chosen) -> tuple[Chosen, Chosen]:
    """Per cell, whether its source word has no link or one near the cell; the same for its target word."""
    found = []
    for own, other, size in (
        (cells.source, cells.target, cells.sources.size),
        (cells.target, cells.source, cells.targets.size),
    ):
        first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, -1)
        np.minimum.at(first, own[links], other[links])
        np.maximum.at(last, own[links], other[links])
        free = last < 0
        found.append(free[own] | ((other >= first[own] - NEAR) & (other <= last[own] + NEAR)))
    return found[0], found[1]
