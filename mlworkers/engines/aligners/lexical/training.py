"""Training of the lexical aligner: variational Bayes for both directions of one corpus, in agreement.

Letting each direction learn from what both find likely, the geometric mean of their posteriors, is in
the spirit of Liang, Taskar & Klein ("Alignment by agreement", 2006): a link that only one direction
believes in is halfway to none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.aligners.lexical import fertility, frequencies, posteriors, symmetry
from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats, Ints, sums
from mlworkers.engines.aligners.lexical.cognates import likeness
from mlworkers.engines.aligners.lexical.posteriors import Posterior
from mlworkers.engines.aligners.lexical.prior import Prior
from mlworkers.engines.aligners.lexical.special import digamma
from mlworkers.engines.base import EngineError, SentencePair, Tokens
from mlworkers.engines.words import Words

# The constants here, in `posteriors`, `fertility` and `symmetry` were set on Meta4XNLI's train and dev
# splits and on own sentences; see docs/engines.md.
DIAGONAL_ROUNDS = 3
CHAINED_ROUNDS = 4
AGREEMENT = 0.5  # how much of what a direction learns from is what both directions find
NULL_WORDS = 300  # in a few sentences each word would be a large part of all that come from none, and be taken for one
CONCENTRATION = 0.01  # Dirichlet parameter of a word pair about which nothing is known
UNSEEN = 200  # how many such pairs per source word the normalisation allows for
TABLE_WEIGHT = 2.0  # how many occurrences the translation table counts for
LIKENESS_WEIGHT = 2.0  # how many occurrences the same spelling counts for
SPREAD = 1.0  # how many occurrences all words that a word occurs with share, those of like frequency more


@dataclass(frozen=True)
class Direction:
    """P(generated word | given word) in one direction, as Dirichlet parameters, and where and how often words link.

    `pairs`: one per known word pair; `totals`: their sum per given word; `null`: one per generated
    word, for words that come from none; `jumps`: see `posteriors.chained`; `ratios`: see `fertility.ratios`.
    """

    pairs: Floats
    totals: Floats
    null: Floats
    jumps: Floats
    ratios: Floats


@dataclass(frozen=True)
class Trained:
    """A trained model: the words of both sides, the word pairs it knows (word ids), and its two directions."""

    vocabularies: tuple[list[str], list[str]]
    pairs: tuple[Ints, Ints]
    directions: tuple[Direction, Direction]


def train(corpus: Sequence[SentencePair], source: str, target: str, prior: Prior | None) -> Trained:
    """Train on pairs of source and target tokens; see `LexicalAligner.train`."""
    return _Training(corpus, source, target, prior).run()


def kept_words(words: Words, tokens: Tokens) -> list[tuple[int, str]]:
    """The tokens that are more than punctuation, as (index, stem)."""
    return [(index, stem.replace("\n", " ")) for index, stem in enumerate(map(words.stem, tokens)) if stem]


def probabilities(parameters: Floats, totals: Floats) -> Floats:
    """What variational Bayes makes of Dirichlet parameters and the sums of the distributions they belong to."""
    found: Floats = np.exp(digamma(parameters) - digamma(totals))
    return found


def expected(parameters: Floats, totals: Floats) -> Floats:
    """The mean of the distributions, which links are made with.

    For a parameter of 0.01 variational Bayes says exp(-100): good for training, where words must decide, but it rules
    out what could still be right of rare words.
    """
    return parameters / totals


def null_total(parameters: Floats) -> Floats:
    """What the parameters of words that come from none are taken to add up to."""
    total: Floats = np.maximum(parameters.sum(keepdims=True), NULL_WORDS)
    return total


def constants() -> list[float]:
    """All that alignments depend on besides a model's own numbers."""
    return [
        NULL_WORDS,
        CONCENTRATION,
        UNSEEN,
        LIKENESS_WEIGHT,
        posteriors.DIAGONAL,
        posteriors.NULL_DIAGONAL,
        posteriors.NULL_CHAINED,
        posteriors.CHAINED_GRID,
        posteriors.CHAINED_SIDE,
        symmetry.THRESHOLD,
        symmetry.MUTUAL_THRESHOLD,
        symmetry.GROWN_THRESHOLD,
        symmetry.NEAR,
        symmetry.INSIDE,
    ]


class _Side:
    """One direction while it is trained.

    `prior` and `alike`, likeness in frequency, are per word pair, `on` is its given word; `given` and `generated` are
    the sizes of the vocabularies.
    """

    def __init__(self, prior: Floats, alike: Floats, on: Ints, given: int, generated: int) -> None:
        self._on, self._given = on, given
        self.prior = prior + SPREAD * alike / np.maximum(sums(on, alike, given), 1.0)[on]
        self.parameters, self.totals = self.prior, self._sum(self.prior)
        # At first nothing is known of how often each word occurs: the mean of the prior.
        self.translation = self.prior / self.totals[on]
        self.null_parameters: Floats = np.full(generated, CONCENTRATION)
        self.null: Floats = np.full(generated, 1.0 / max(generated, NULL_WORDS))
        self.jumps = posteriors.first_jumps()
        self.ratios = fertility.first_ratios(given)

    def learn(self, kinds: Ints, links: Floats, generated: Ints, none: Floats) -> None:
        """The M step: from links per candidate (`kinds`: each one's word pair) and, per generated word, of none."""
        self.parameters = self.prior + sums(kinds, links, self.prior.size)
        self.totals = self._sum(self.parameters)
        self.translation = probabilities(self.parameters, self.totals[self._on])
        self.null_parameters = CONCENTRATION + sums(generated, none, self.null.size)
        self.null = probabilities(self.null_parameters, null_total(self.null_parameters))

    def _sum(self, parameters: Floats) -> Floats:
        return sums(self._on, parameters, self._given) + CONCENTRATION * UNSEEN


class _Training:
    def __init__(self, corpus: Sequence[SentencePair], source: str, target: str, prior: Prior | None) -> None:
        words = (Words(source), Words(target))
        if prior is not None and (prior.source, prior.target) != (words[0].language, words[1].language):
            raise EngineError(
                _(
                    "The translation table is for “%(table_source)s” to “%(table_target)s”, but the aligner "
                    "for “%(source)s” to “%(target)s”. Give the mirrored table, or none."
                ),
                table_source=prior.source,
                table_target=prior.target,
                source=source,
                target=target,
            )
        ids: tuple[dict[str, int], dict[str, int]] = ({}, {})
        numbered = [
            tuple(
                [ids[side].setdefault(stem, len(ids[side])) for _, stem in kept_words(words[side], pair[side])]
                for side in (0, 1)
            )
            for pair in corpus
        ]
        self.candidates = CandidateLinks.of([(left, right) for left, right in numbered])
        entries = list(prior or ())
        table = (
            np.array([ids[0].setdefault(entry[0], len(ids[0])) for entry in entries], np.int64),
            np.array([ids[1].setdefault(entry[1], len(ids[1])) for entry in entries], np.int64),
        )
        self.vocabularies = (list(ids[0]), list(ids[1]))
        width = len(self.vocabularies[1])
        seen = self.candidates.sources[self.candidates.source] * width + self.candidates.targets[self.candidates.target]
        listed = table[0] * width + table[1]
        types, kinds = np.unique(np.concatenate([seen, listed]), return_inverse=True)
        self.kinds, entry_kinds = kinds[: seen.size], kinds[seen.size :]
        self.pairs = (types // max(width, 1), types % max(width, 1))
        alike = frequencies.likeness(words, self.vocabularies, *self.pairs)
        spelt = CONCENTRATION + LIKENESS_WEIGHT * likeness(self.vocabularies, *self.pairs) ** 2
        self.listed = np.zeros(types.size, bool)
        self.listed[entry_kinds] = True
        self.sides = []
        for side, column in ((0, 2), (1, 3)):
            parameters = spelt.copy()
            parameters[entry_kinds] += TABLE_WEIGHT * np.array([float(entry[column]) for entry in entries])
            sizes = (len(self.vocabularies[side]), len(self.vocabularies[1 - side]))
            self.sides.append(_Side(parameters, alike, self.pairs[side], *sizes))

    def run(self) -> Trained:
        if self.kinds.size:
            for _round in range(DIAGONAL_ROUNDS):
                self._learn([self._diagonal(number) for number in (0, 1)])
            parts = posteriors.blocks(self.candidates)
            before: list[Floats] = []
            for _round in range(CHAINED_ROUNDS):
                found = [self._chained(number, parts, before[number] if before else None) for number in (0, 1)]
                before = [posterior.links for posterior in found]
                self._learn(found)
        # What a pair would get for its spelling and frequency alone need not be kept.
        learnt = self.listed.copy()
        for side in self.sides:
            learnt |= side.parameters > side.prior + CONCENTRATION
        forward, backward = (
            Direction(side.parameters[learnt], side.totals, side.null_parameters, side.jumps, side.ratios)
            for side in self.sides
        )
        return Trained(self.vocabularies, (self.pairs[0][learnt], self.pairs[1][learnt]), (forward, backward))

    def _diagonal(self, number: int) -> Posterior:
        side = self.sides[number]
        return posteriors.diagonal(self.candidates, number, side.translation[self.kinds], side.null)

    def _chained(self, number: int, parts: list[posteriors.Block], before: Floats | None) -> Posterior:
        """The posterior of a direction; what it says of jumps and numbers of links is kept for the next round."""
        side = self.sides[number]
        translation = side.translation[self.kinds]
        if before is not None:
            translation = translation * fertility.factors(self.candidates, number, before, side.ratios)
        found, jumps = posteriors.chained(self.candidates, parts, number, translation, side.null, side.jumps)
        side.jumps = posteriors.first_jumps() + jumps
        side.ratios = fertility.ratios(self.candidates, number, found.links, len(self.vocabularies[number]))
        return found

    def _learn(self, found: list[Posterior]) -> None:
        both = np.sqrt(found[0].links * found[1].links)
        for number, side in enumerate(self.sides):
            links = (1.0 - AGREEMENT) * found[number].links + AGREEMENT * both
            generated = (self.candidates.targets, self.candidates.sources)[number]
            place = (self.candidates.target, self.candidates.source)[number]
            none = np.maximum(0.0, 1.0 - sums(place, links, generated.size))
            side.learn(self.kinds, links, generated, none)
