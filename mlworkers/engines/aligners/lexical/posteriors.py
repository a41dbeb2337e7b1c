"""The E step: how likely each candidate link is, given how likely the words are each other's translation.

Side 0 generates the target words of a pair from its source words, side 1 the reverse. Two models of
where a word comes from: near the diagonal (`diagonal`), or near where the word before it came from
(`chained`, a hidden Markov model: Vogel, Ney & Tillmann, "HMM-based word alignment in statistical
translation", 1996, with Och & Ney's words from nowhere, "A systematic comparison of various
statistical alignment models", 2003).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats, Ints, sums

DIAGONAL = 5.0  # how strongly `diagonal` keeps to the diagonal
NULL_DIAGONAL = 0.1  # probability that a word comes from none, in `diagonal`
NULL_CHAINED = 0.5  # the same, in `chained`

REACH = 100  # longer jumps than this are alike
JUMP_COUNT = 20.0  # how many occurrences the first guess about jumps counts for, at its peak

# Pairs of more word pairs than this (500 by 500 words), or with a longer side than this, whose jumps are a table of the
# side by itself, would take `chained` seconds and a gigabyte; they go by the diagonal.
CHAINED_GRID = 250_000
CHAINED_SIDE = 1_000
# Pairs are worked on together, in blocks of up to this many word pairs, padded to a multiple of this many words.
_BLOCK = 500_000
_STEP = 4

_OFFSETS = np.arange(-REACH, REACH + 1)


@dataclass(frozen=True)
class Posterior:
    """Per candidate, the probability that it is the link of its generated word; per such word, that it has none."""

    links: Floats
    null: Floats


@dataclass(frozen=True)
class Block:
    """Sentence pairs of similar lengths, padded: `candidates` and `real` are pairs by source words by target words.

    `candidates` are indices of candidate links, where `real`. `lengths` are the numbers of words per pair, `words` the
    positions of the words (in `CandidateLinks.sources` and `CandidateLinks.targets`), of both sides, padded with 0.
    """

    candidates: Ints
    real: npt.NDArray[np.bool_]
    lengths: tuple[Ints, Ints]
    words: tuple[Ints, Ints]


def blocks(candidates: CandidateLinks) -> list[Block]:
    """All pairs in blocks, without those that are empty on a side or too large for `chained`."""
    lengths = [
        np.diff(starts, append=words.size)
        for starts, words in (
            (candidates.source_starts, candidates.sources),
            (candidates.target_starts, candidates.targets),
        )
    ]
    first_candidates = np.concatenate([[0], candidates.ends[:-1]]).astype(np.int64)
    size = lengths[0] * lengths[1]
    short = np.maximum(lengths[0], lengths[1]) <= CHAINED_SIDE
    usable = np.flatnonzero((size > 0) & (size <= CHAINED_GRID) & short)
    rounded = [-(-length[usable] // _STEP) for length in lengths]
    order = np.lexsort((rounded[1], rounded[0]))
    cuts = np.flatnonzero(np.diff(rounded[0][order]) | np.diff(rounded[1][order])) + 1
    found = []
    for group in np.split(usable[order], cuts):
        if not group.size:
            continue
        height, width = (int(length[group].max()) for length in lengths)
        count = max(1, _BLOCK // (height * width))
        for start in range(0, group.size, count):
            pairs = group[start : start + count]
            rows, columns = lengths[0][pairs], lengths[1][pairs]
            i, j = np.arange(height), np.arange(width)
            in_rows, in_columns = i < rows[:, None], j < columns[:, None]
            real = in_rows[:, :, None] & in_columns[:, None, :]
            numbers = first_candidates[pairs][:, None, None] + i[:, None] * columns[:, None, None] + j
            words = (
                np.where(in_rows, candidates.source_starts[pairs][:, None] + i, 0),
                np.where(in_columns, candidates.target_starts[pairs][:, None] + j, 0),
            )
            found.append(Block(np.where(real, numbers, 0), real, (rows, columns), words))
    return found


def first_jumps() -> Floats:
    """What is expected of jumps before any text is seen, as counts: to the next word, or not far from it."""
    counts: Floats = JUMP_COUNT * np.exp(-np.abs(_OFFSETS - 1) / 2.0) + 0.001
    return counts


def diagonal(candidates: CandidateLinks, side: int, translation: Floats, null: Floats) -> Posterior:
    """Posteriors when links keep near the diagonal: P(i | j) is proportional to exp(-L |i/I - j/J|).

    `translation` is per candidate, `null` per word id of the generated side.
    """
    generated = (candidates.targets, candidates.sources)[side]
    place = (candidates.target, candidates.source)[side]
    near = np.exp(-DIAGONAL * candidates.distance)
    norm = sums(place, near, generated.size)
    weight = translation * near / norm[place] * (1.0 - NULL_DIAGONAL)
    none = null[generated] * NULL_DIAGONAL
    total = sums(place, weight, generated.size) + none
    return Posterior(weight / total[place], none / total)


def chained(
    candidates: CandidateLinks, parts: list[Block], side: int, translation: Floats, null: Floats, jumps: Floats
) -> tuple[Posterior, Floats]:
    """Posteriors when a word comes from near where the word before it came from, and counts of the jumps.

    `jumps` are counts or probabilities per jump from -REACH to REACH. Pairs outside `parts` go by the
    diagonal.
    """
    generated = (candidates.targets, candidates.sources)[side]
    if sum(int(block.real.sum()) for block in parts) < candidates.source.size:
        start = diagonal(candidates, side, translation, null)
    else:
        start = Posterior(np.zeros(candidates.source.size), np.zeros(generated.size))
    counts = np.zeros(jumps.size)
    for block in parts:
        emission = np.where(block.real, translation[block.candidates], 0.0)
        if side == 0:
            emission = emission.transpose(0, 2, 1)
        words = block.words[1 - side]
        given, length = block.lengths[side], block.lengths[1 - side]
        found, none, seen = _forward_backward(emission, null[generated[words]], given, length, jumps / jumps.sum())
        if side == 0:
            found = found.transpose(0, 2, 1)
        start.links[block.candidates[block.real]] = found[block.real]
        here = np.arange(words.shape[1]) < length[:, None]
        start.null[words[here]] = none[here]
        counts += seen
    return start, counts


def _forward_backward(
    emission: Floats, none: Floats, given: Ints, length: Ints, jumps: Floats
) -> tuple[Floats, Floats, Floats]:
    """Posteriors of a block: pairs by generated words by given words; of coming from none; counts of jumps.

    A word from none keeps the place of the word before it. Beyond a pair's `length` nothing is emitted
    and nothing moves; beyond its `given` words emission is 0.
    """
    pairs, steps, width = emission.shape
    valid = (np.arange(width) < given[:, None]).astype(np.float64)
    offsets = np.clip(np.arange(width) - np.arange(width)[:, None], -REACH, REACH) + REACH
    move = jumps[offsets]
    # Jumps out of the sentence are impossible, which makes the others likelier.
    scale = valid / np.maximum(valid @ move.T, 1e-300)
    over = np.arange(steps) >= length[:, None]
    linked = np.where(over[:, :, None], valid[:, None, :], emission) * (1.0 - NULL_CHAINED)
    unlinked = np.where(over, 0.0, none) * NULL_CHAINED

    forward: Floats = np.empty(emission.shape)
    idle: Floats = np.empty(emission.shape)
    norm = np.empty((pairs, steps))
    arrive = valid * jumps[np.minimum(np.arange(width) + 1, REACH) + REACH]
    arrive /= arrive.sum(axis=1, keepdims=True)
    stay = valid / given[:, None]
    for step in range(steps):
        if step:
            stay = forward[:, step - 1] + idle[:, step - 1]
            arrive = (stay * scale) @ move
        forward[:, step] = arrive * linked[:, step]
        idle[:, step] = stay * unlinked[:, step, None]
        norm[:, step] = np.maximum((forward[:, step] + idle[:, step]).sum(axis=1), 1e-300)
        forward[:, step] /= norm[:, step, None]
        idle[:, step] /= norm[:, step, None]

    moves = np.zeros((width, width))
    backward = np.ones((pairs, width))
    for step in range(steps - 1, -1, -1):
        forward[:, step] *= backward
        idle[:, step] *= backward
        if step:
            onward = linked[:, step] * backward / norm[:, step, None]
            # The place before this step; its own factor of `backward` is not yet in.
            before = (forward[:, step - 1] + idle[:, step - 1]) * scale
            moves += (before * ~over[:, step, None]).T @ onward
            backward = (onward @ move.T) * scale + backward * (unlinked[:, step] / norm[:, step])[:, None]
    counts = sums(offsets.ravel(), (moves * move).ravel(), jumps.size)
    nowhere: Floats = idle.sum(axis=2)
    return forward, nowhere, counts
