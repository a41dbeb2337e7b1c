"""Evidence made into log odds: how much likelier a pair of lines is a translation than two lines nearby that are none.

The weights of the pieces of evidence are learned from the files themselves: pairs on the way found so far against
their neighbours. In a language without kin in spelling, spelling gets no weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotator.domain.parallel_check import evidence
from annotator.domain.parallel_check.arrays import Flags, Floats, Ints
from annotator.domain.parallel_check.evidence import Band
from annotator.domain.parallel_check.features import Side
from annotator.domain.parallel_check.lexicon import Lexicon

CAP = 8.0
BLOCK = 60  # lines that are left out of a table together
NEAR = 8
_ROUNDS = 15
# What is believed of the weights before any line is seen, and how many lines it takes to be convinced otherwise.
_START = np.array([-2.0, 0.7, 0.7, 0.8, 0.0, 0.0, 0.0])
_RIDGE = np.array([0.02, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
_TRUST = 20.0


@dataclass(frozen=True)
class Spelled:
    """What does not depend on which lines go together: marks, and likeness of spelling against what is usual."""

    marks: Floats
    apart: Floats


def spelled(a: Side, b: Side, band: Band) -> Spelled:
    """How lines of two files are spelled."""
    found = evidence.spelling(a, b, band)
    there = band.columns(len(a), len(b))[1]
    usual = found[there]
    apart = (found - usual.mean()) / max(float(usual.std()), 0.02)
    return Spelled(evidence.marks(a, b, band), np.where(there, apart.clip(-1, 6), 0.0))


def first(a: Side, b: Side, band: Band, looks: Spelled) -> Floats:
    """Log odds before any word is learned: from lengths, marks and spelling. Without what is believed of two lines
    before they are looked at, since no way would be found where that outweighs what little can be seen."""
    near = _nearest(len(a), len(b))
    pieces = _pieces(a, b, band, near, looks)
    odds: Floats = (pieces[..., 1:4] @ _START[1:4]).clip(-CAP, CAP)
    return odds


def learned(a: Side, b: Side, band: Band, looks: Spelled, pairs: tuple[Ints, Ints], sizes: tuple[int, int]) -> Floats:
    """Log odds with words and weights learned from pairs of lines; no line is judged by what it taught itself."""
    lexicon = Lexicon(a, b, *pairs, sizes)
    folds = 5 if len(a) < 3_000 else 3
    block = min(BLOCK, -(-len(a) // folds))
    fold = np.arange(len(a)) // block % folds
    fold_b = np.arange(len(b)) // block % folds
    forward = np.zeros((len(a), band.width))
    backward = np.zeros((len(b), band.width))
    partner = np.full(len(b), -1)
    partner[pairs[1]] = pairs[0]
    home = fold_b.copy()
    home[pairs[1]] = fold[pairs[0]]
    for number in range(folds):
        # With their neighbours, since lines are compared with those, too.
        tables = lexicon.tables(_widened(fold == number, min(NEAR, block)))
        forward += evidence.translation(a, b, band, tables[0], np.flatnonzero(fold == number))
        backward += evidence.translation(b, a, band.mirrored(), tables[1], np.flatnonzero(home == number))
    both = np.stack([forward, evidence.mirrored(backward, band, len(a))], axis=-1)
    words = np.diff(a.word_starts)[:, None] + 1.0
    per_word = both.sum(axis=-1) / np.sqrt(words)
    pieces = np.concatenate(
        [_pieces(a, b, band, pairs, looks), (both / 4).clip(-10, 10), per_word[..., None].clip(-10, 10)], axis=-1
    )
    weights = _weights(pieces, band, pairs, len(b))
    odds: Floats = (pieces @ weights).clip(-CAP, CAP)
    return odds


def _widened(chosen: Flags, by: int) -> Flags:
    """The mask with `by` more lines on both sides of each chosen one."""
    return np.convolve(chosen, np.ones(2 * by + 1), mode="same") > 0.5


def _nearest(a: int, b: int) -> tuple[Ints, Ints]:
    shorter = min(a, b)
    return np.arange(shorter), np.arange(shorter)


def _pieces(a: Side, b: Side, band: Band, pairs: tuple[Ints, Ints], looks: Spelled) -> Floats:
    lengths = evidence.length(a, b, band, (a.lengths[pairs[0]], b.lengths[pairs[1]]))
    return np.stack([np.ones(lengths.shape), lengths, looks.marks, looks.apart], axis=-1)


def _weights(pieces: Floats, band: Band, pairs: tuple[Ints, Ints], lines_b: int) -> Floats:
    """Logistic regression: pairs of lines against their neighbours, both sorts counting the same."""
    rows, partner = pairs
    column = partner - rows - band.low
    yes = pieces[rows, column]
    no = []
    for step in range(-NEAR, NEAR + 1):
        other = column + step
        fits = (
            (other >= 0) & (other < band.width) & (rows + band.low + other >= 0) & (rows + band.low + other < lines_b)
        )
        if step and fits.any():
            no.append(pieces[rows[fits], other[fits]])
    if not no:
        return _START
    negative = np.concatenate(no)
    data = np.concatenate([yes, negative])
    truth = np.concatenate([np.ones(len(yes)), np.zeros(len(negative))])
    count = np.concatenate([np.ones(len(yes)), np.full(len(negative), len(yes) / len(negative))])
    return _fitted(data, truth, count)


def _fitted(data: Floats, truth: Floats, count: Floats) -> Floats:
    """Weights by Newton's method, in steps halved until they help."""
    weights = _START.copy()
    sign = np.where(truth > 0, -1.0, 1.0)

    def loss(tried: Floats) -> float:
        apart = tried - _START
        return float(count @ np.logaddexp(0, sign * (data @ tried)) + _TRUST / 2 * (_RIDGE * apart) @ apart)

    lost = loss(weights)
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-(data @ weights).clip(-30, 30)))
        slope = (data * (count * (truth - chance))[:, None]).sum(axis=0) - _TRUST * _RIDGE * (weights - _START)
        bend = (data * (count * chance * (1 - chance))[:, None]).T @ data + np.diag(_TRUST * _RIDGE)
        move = np.linalg.solve(bend, slope)
        while (now := loss(weights + move)) > lost and np.abs(move).max() > 1e-4:
            move /= 2
        if now >= lost - 1e-4:
            break
        weights, lost = weights + move, now
    return weights
