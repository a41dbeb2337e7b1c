"""The embedded aligner: a statistical word alignment model in NumPy.

IBM model 2 (Brown et al., "The mathematics of statistical machine translation", 1993): every target
word comes from one source word or from none. Where it comes from follows a diagonal prior, as in
fast_align (Dyer, Chahuneau & Smith, "A simple, fast, and effective reparameterization of IBM model 2",
2013): P(i | j) is proportional to exp(-L |i/I - j/J|). Translation probabilities have a Dirichlet
prior and are estimated by variational Bayes, exp(digamma(count + a)) (Riley & Gildea, "Improving the
IBM alignment models using variational Bayes", 2012), which keeps rare words from collecting links.
The Dirichlet's parameters carry what is known before: a translation table, and likeness in spelling.
Both directions are trained, and the mean of their posteriors decides.

Words are compared by lemma in lower case, without punctuation at their edges. Tokens that are nothing
but punctuation get no links.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mlworkers.engines.base import EngineError, Link, SentencePair, Tokens
from mlworkers.engines.cells import Cells, Floats, Ints
from mlworkers.engines.cognates import likeness
from mlworkers.engines.prior import Prior, pack, unpack
from mlworkers.engines.special import digamma
from mlworkers.engines.words import Words

FORMAT = 1

# The constants below were set on the parallel splits of Meta4XNLI: one part of them with a table
# from the other part, and without any table; see docs/engines.md. None of them is sensitive.
ITERATIONS = 5
DIAGONAL = 5.0  # L: how strongly links keep to the diagonal
NULL = 0.1  # probability that a word comes from none
NULL_WORDS = 300  # in a few sentences each word would be a large part of all that come from none, and be taken for one
CONCENTRATION = 0.01  # Dirichlet parameter of a word pair about which nothing is known
UNSEEN = 200  # how many such pairs per source word the normalisation allows for
TABLE_WEIGHT = 2.0  # how many occurrences the translation table counts for
LIKENESS_WEIGHT = 2.0  # how many occurrences the same spelling counts for

# A link needs this mean posterior, or the lower one when it is the best for both of its words.
THRESHOLD = 0.6
MUTUAL_THRESHOLD = 0.25

# What a shipped or saved table keeps of the counts.
_MIN_COUNT = 0.5
_MIN_PROBABILITY = 0.005


@dataclass(frozen=True)
class _Direction:
    """P(generated word | given word) in one direction, as Dirichlet parameters.

    `pairs`: one per known word pair; `totals`: their sum per given word; `null`: one per generated
    word, for words that come from none.
    """

    pairs: Floats
    totals: Floats
    null: Floats


@dataclass(frozen=True)
class _Posterior:
    """Per cell, the probability that it is the link of its generated word; per such word, that it has none."""

    cells: Floats
    null: Floats


class LexicalAligner:
    """A trained model for one pair of languages; build it with `train` or `load`."""

    name = "lexical"

    def __init__(
        self,
        source: str,
        target: str,
        vocabularies: tuple[list[str], list[str]],
        pairs: tuple[Ints, Ints],
        directions: tuple[_Direction, _Direction],
    ) -> None:
        self.source, self.target = source, target
        self._vocabularies = vocabularies
        self._pairs = pairs
        self._directions = directions
        self._words = (Words(source), Words(target))
        self._ids = tuple({word: number for number, word in enumerate(words)} for words in vocabularies)
        self._keys = pairs[0] * len(vocabularies[1]) + pairs[1]
        self.revision = self._hash()

    @classmethod
    def train(
        cls, corpus: Sequence[SentencePair], *, source: str, target: str, prior: Prior | None = None
    ) -> "LexicalAligner":
        """Train on `corpus`, pairs of source and target tokens; `source` and `target` are language codes.

        `prior` is a translation table for the same direction to start from. With it, `corpus` may be
        empty. Languages without a lemma dictionary (`words.has_lemmas`) are compared by lower-cased
        word. The same input gives the same model.
        """
        return _Training(corpus, source, target, prior).run()

    def align(self, pairs: Sequence[SentencePair]) -> list[list[Link]]:
        """Link the words of sentence pairs; see `Aligner.align`.

        A link's score is the mean of its posterior probabilities in the two directions. Words that the
        model does not know are linked by spelling and position. In a pair of more than a million word
        pairs only words near the diagonal are considered.
        """
        if not pairs:
            return []
        kept = [(_kept(self._words[0], left), _kept(self._words[1], right)) for left, right in pairs]
        # Words the model does not know get ids after its own, for this call.
        ids = (dict(self._ids[0]), dict(self._ids[1]))
        numbered = [
            tuple([ids[side].setdefault(lemma, len(ids[side])) for _, lemma in pair[side]] for side in (0, 1))
            for pair in kept
        ]
        cells = Cells.of([(left, right) for left, right in numbered])
        probabilities = self._infer(cells, (list(ids[0]), list(ids[1])))
        chosen = np.flatnonzero(_choose(cells, probabilities))
        owner = np.searchsorted(cells.ends, chosen, side="right")
        rows = (cells.source[chosen] - cells.source_starts[owner]).tolist()
        columns = (cells.target[chosen] - cells.target_starts[owner]).tolist()
        links: list[list[Link]] = [[] for _ in pairs]
        for number, row, column, score in zip(
            owner.tolist(), rows, columns, probabilities[chosen].tolist(), strict=True
        ):
            left, right = kept[number]
            links[number].append(Link(left[row][0], right[column][0], min(1.0, score)))
        return links

    def prior(self) -> Prior:
        """The model's word pairs as a translation table: those seen often enough to be worth keeping."""
        forward, backward = self._directions
        given, generated = self._pairs
        counts = (forward.pairs + backward.pairs) / 2
        share = (forward.pairs / forward.totals[given], backward.pairs / backward.totals[generated])
        keep = (counts > _MIN_COUNT) & (np.maximum(*share) > _MIN_PROBABILITY)
        entries = tuple(
            (self._vocabularies[0][i], self._vocabularies[1][j], p, q)
            for i, j, p, q in zip(
                given[keep].tolist(),
                generated[keep].tolist(),
                share[0][keep].tolist(),
                share[1][keep].tolist(),
                strict=True,
            )
        )
        return Prior(self._words[0].language, self._words[1].language, entries)

    def save(self, path: Path | str) -> None:
        """Write the model as a compressed npz; word pairs about which nothing was learnt are left out."""
        np.savez_compressed(Path(path), allow_pickle=False, **self._arrays())

    @classmethod
    def load(cls, path: Path | str) -> "LexicalAligner":
        """Read a model that `save` wrote. Raises EngineError when there is none or it cannot be read."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if int(data["format"]) != FORMAT:
                    raise ValueError(f"format {data['format']}, not {FORMAT}")
                source, target = unpack(data["languages"])
                directions = tuple(
                    _Direction(*(data[f"{side}_{name}"] for name in ("pairs", "totals", "null")))
                    for side in ("forward", "backward")
                )
                return cls(
                    source,
                    target,
                    (unpack(data["source"]), unpack(data["target"])),
                    (data["pairs_source"], data["pairs_target"]),
                    (directions[0], directions[1]),
                )
        except Exception as error:
            # A damaged zip can raise nearly anything.
            raise EngineError(f"{path} holds no lexical aligner: {error}. Train it again.") from error

    def _arrays(self) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
        arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {
            "format": np.array(FORMAT),
            "languages": pack([self.source, self.target]),
            "source": pack(self._vocabularies[0]),
            "target": pack(self._vocabularies[1]),
            "pairs_source": self._pairs[0],
            "pairs_target": self._pairs[1],
        }
        for side, direction in zip(("forward", "backward"), self._directions, strict=True):
            for name in ("pairs", "totals", "null"):
                arrays[f"{side}_{name}"] = getattr(direction, name)
        return arrays

    def _hash(self) -> str:
        digest = hashlib.sha256(json.dumps([self.source, self.target, *_constants()]).encode())
        for name, array in self._arrays().items():
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:12]

    def _infer(self, cells: Cells, vocabularies: tuple[list[str], list[str]]) -> Floats:
        """Per cell the mean posterior of both directions; word ids beyond the model's own are unknown words."""
        width = len(vocabularies[1])
        types, kinds = np.unique(cells.sources[cells.source] * width + cells.targets[cells.target], return_inverse=True)
        given, generated = types // width, types % width
        places = np.searchsorted(self._keys, given * len(self._vocabularies[1]) + generated)
        # An unknown word's key may coincide with a known pair's, so known words are checked for first.
        known = (
            (given < len(self._vocabularies[0])) & (generated < len(self._vocabularies[1])) & (places < self._keys.size)
        )
        known[known] = self._keys[places[known]] == (given * len(self._vocabularies[1]) + generated)[known]
        blank = CONCENTRATION + LIKENESS_WEIGHT * likeness(vocabularies, given, generated) ** 2
        posteriors = []
        for side, direction in enumerate(self._directions):
            parameters = blank.copy()
            parameters[known] = direction.pairs[places[known]]
            on = (given, generated)[side]
            totals = _extended(direction.totals, len(vocabularies[side]), CONCENTRATION * UNSEEN)
            null = _extended(direction.null, len(vocabularies[1 - side]), CONCENTRATION)
            translation = np.exp(digamma(parameters) - digamma(totals)[on])
            posteriors.append(_posterior(cells, side, translation[kinds], _null(null)).cells)
        mean: Floats = (posteriors[0] + posteriors[1]) / 2
        return mean


class _Training:
    """Variational Bayes for both directions of one corpus."""

    def __init__(self, corpus: Sequence[SentencePair], source: str, target: str, prior: Prior | None) -> None:
        if prior is not None and (prior.source, prior.target) != (Words(source).language, Words(target).language):
            raise EngineError(
                f'The translation table is for "{prior.source}" to "{prior.target}", but the aligner for "{source}" '
                f'to "{target}". Give the mirrored table, or none.'
            )
        self.source, self.target = source, target
        words = (Words(source), Words(target))
        ids: tuple[dict[str, int], dict[str, int]] = ({}, {})
        numbered = [
            tuple(
                [ids[side].setdefault(lemma, len(ids[side])) for _, lemma in _kept(words[side], pair[side])]
                for side in (0, 1)
            )
            for pair in corpus
        ]
        self.cells = Cells.of([(left, right) for left, right in numbered])
        entries = list(prior or ())
        table = (
            np.array([ids[0].setdefault(entry[0], len(ids[0])) for entry in entries], np.int64),
            np.array([ids[1].setdefault(entry[1], len(ids[1])) for entry in entries], np.int64),
        )
        self.vocabularies = (list(ids[0]), list(ids[1]))
        width = len(self.vocabularies[1])
        seen = self.cells.sources[self.cells.source] * width + self.cells.targets[self.cells.target]
        listed = table[0] * width + table[1]
        types, kinds = np.unique(np.concatenate([seen, listed]), return_inverse=True)
        self.kinds, entry_kinds = kinds[: seen.size], kinds[seen.size :]
        self.pairs = (types // max(width, 1), types % max(width, 1))
        alike = CONCENTRATION + LIKENESS_WEIGHT * likeness(self.vocabularies, *self.pairs) ** 2
        self.listed = np.zeros(types.size, bool)
        self.listed[entry_kinds] = True
        self.prior: list[Floats] = []
        for column in (2, 3):
            parameters = alike.copy()
            parameters[entry_kinds] += TABLE_WEIGHT * np.array([float(entry[column]) for entry in entries])
            self.prior.append(parameters)

    def run(self) -> LexicalAligner:
        sizes = [len(words) for words in self.vocabularies]
        directions = []
        for side in (0, 1):
            parameters = self.prior[side]
            # At first nothing is known of how often each word occurs: the mean of the prior.
            translation = parameters / self._totals(side, parameters)[self.pairs[side]]
            null = np.full(sizes[1 - side], 1.0 / max(sizes[1 - side], NULL_WORDS))
            generated = (self.cells.targets, self.cells.sources)[side]
            null_parameters = np.full(sizes[1 - side], CONCENTRATION)
            for _ in range(ITERATIONS if self.kinds.size else 0):
                posterior = _posterior(self.cells, side, translation[self.kinds], null)
                counts = _sums(self.kinds, posterior.cells, parameters.size)
                parameters = self.prior[side] + counts
                translation = np.exp(digamma(parameters) - digamma(self._totals(side, parameters))[self.pairs[side]])
                null_parameters = CONCENTRATION + _sums(generated, posterior.null, sizes[1 - side])
                null = _null(null_parameters)
            directions.append(_Direction(parameters, self._totals(side, parameters), null_parameters))
        # What a pair would get for its spelling alone need not be kept.
        learnt = self.listed.copy()
        for side, direction in enumerate(directions):
            learnt |= direction.pairs > self.prior[side] + CONCENTRATION
        pairs = (self.pairs[0][learnt], self.pairs[1][learnt])
        kept = [_Direction(direction.pairs[learnt], direction.totals, direction.null) for direction in directions]
        return LexicalAligner(self.source, self.target, self.vocabularies, pairs, (kept[0], kept[1]))

    def _totals(self, side: int, parameters: Floats) -> Floats:
        size = len(self.vocabularies[side])
        return _sums(self.pairs[side], parameters, size) + CONCENTRATION * UNSEEN


def _kept(words: Words, tokens: Tokens) -> list[tuple[int, str]]:
    """The tokens that are more than punctuation, as (index, lemma)."""
    found = ((index, words.lemma(token).replace("\n", " ")) for index, token in enumerate(tokens))
    return [(index, lemma) for index, lemma in found if lemma]


def _posterior(cells: Cells, side: int, translation: Floats, null: Floats) -> _Posterior:
    """The E step of one direction: side 0 generates target words from source words, side 1 the reverse.

    `translation` is per cell, `null` per word id of the generated side.
    """
    generated = (cells.targets, cells.sources)[side]
    place = (cells.target, cells.source)[side]
    diagonal = np.exp(-DIAGONAL * cells.distance)
    norm = _sums(place, diagonal, generated.size)
    weight = translation * diagonal / norm[place] * (1.0 - NULL)
    none = null[generated] * NULL
    total = _sums(place, weight, generated.size) + none
    return _Posterior(weight / total[place], none / total)


def _choose(cells: Cells, probabilities: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells become links: the likely ones, and those that are the best for both of their words."""
    best_source = np.zeros(cells.sources.size)
    np.maximum.at(best_source, cells.source, probabilities)
    best_target = np.zeros(cells.targets.size)
    np.maximum.at(best_target, cells.target, probabilities)
    mutual = (probabilities >= best_source[cells.source]) & (probabilities >= best_target[cells.target])
    chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (probabilities > THRESHOLD) | (
        mutual & (probabilities > MUTUAL_THRESHOLD)
    )
    return chosen


def _null(parameters: Floats) -> Floats:
    total = np.maximum(parameters.sum(keepdims=True), NULL_WORDS)
    null: Floats = np.exp(digamma(parameters) - digamma(total))
    return null


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    """The sum of `values` per place, for `size` places."""
    return np.bincount(places, values, minlength=size).astype(np.float64)


def _extended(values: Floats, size: int, fill: float) -> Floats:
    return np.concatenate([values, np.full(size - values.size, fill)])


def _constants() -> list[float]:
    return [FORMAT, DIAGONAL, NULL, NULL_WORDS, CONCENTRATION, UNSEEN, LIKENESS_WEIGHT, THRESHOLD, MUTUAL_THRESHOLD]
