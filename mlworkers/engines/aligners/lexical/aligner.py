"""The embedded aligner: a statistical word alignment model in NumPy.

Every target word comes from one source word or from none (Brown et al., "The mathematics of statistical
machine translation", 1993), and where it comes from depends on where the word before it came from
(`posteriors.chained`) and on how many words that source word has already (`fertility`). Translation
probabilities have a Dirichlet prior and are estimated by variational Bayes, exp(digamma(count + a))
(Riley & Gildea, "Improving the IBM alignment models using variational Bayes", 2012), which keeps rare
words from collecting links. The Dirichlet's parameters carry what is known before: a translation table,
likeness in spelling and in frequency. Links are then made with the mean of the distributions that were learnt.
Both directions are trained together (`training`), and the mean of their posteriors decides (`symmetry`).

Words are compared by lemma in lower case, without punctuation at their edges; in languages without a
lemma dictionary by their first letters (`Words.stem`). Tokens that are nothing
but punctuation get no links.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import numpy as np

from annotator.domain.messages import gettext_noop as _
from mlworkers.engines.aligners.lexical import fertility, posteriors, symmetry, training
from mlworkers.engines.aligners.lexical.candidate_links import CandidateLinks, Floats, Ints
from mlworkers.engines.aligners.lexical.cognates import likeness
from mlworkers.engines.aligners.lexical.prior import Prior, pack, unpack
from mlworkers.engines.aligners.lexical.training import (
    CONCENTRATION,
    LIKENESS_WEIGHT,
    UNSEEN,
    Direction,
    expected,
    kept_words,
)
from mlworkers.engines.base import EngineError, Link, SentencePair
from mlworkers.engines.words import Words

FORMAT = 2

# What a shipped or saved table keeps of the counts.
_MIN_COUNT = 0.5
_MIN_PROBABILITY = 0.005

_FIELDS = ("pairs", "totals", "null", "jumps", "ratios")


class LexicalAligner:
    """A trained model for one pair of languages; build it with `train` or `load`."""

    name = "lexical"

    def __init__(
        self,
        source: str,
        target: str,
        vocabularies: tuple[list[str], list[str]],
        pairs: tuple[Ints, Ints],
        directions: tuple[Direction, Direction],
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
        empty. Languages without a lemma dictionary (`words.has_lemmas`) are compared by the
        first letters of words. The same input gives the same model.
        """
        trained = training.train(corpus, source, target, prior)
        return cls(source, target, trained.vocabularies, trained.pairs, trained.directions)

    def align(self, pairs: Sequence[SentencePair]) -> list[list[Link]]:
        """Link the words of sentence pairs; see `Aligner.align`.

        A link's score is the mean of its posterior probabilities in the two directions; that of a function word inside
        a unit is the score of the word it goes with. Words that the
        model does not know are linked by spelling and position. In a pair of more than a million word
        pairs only words near the diagonal are considered.
        """
        if not pairs:
            return []
        kept = [(kept_words(self._words[0], left), kept_words(self._words[1], right)) for left, right in pairs]
        # Words the model does not know get ids after its own, for this call.
        ids = (dict(self._ids[0]), dict(self._ids[1]))
        numbered = [
            tuple([ids[side].setdefault(stem, len(ids[side])) for _, stem in pair[side]] for side in (0, 1))
            for pair in kept
        ]
        candidates = CandidateLinks.of([(left, right) for left, right in numbered])
        probabilities = self._infer(candidates, (list(ids[0]), list(ids[1])))
        scores = symmetry.choose(candidates, probabilities)
        chosen = np.flatnonzero(scores)
        owner = np.searchsorted(candidates.ends, chosen, side="right")
        rows = (candidates.source[chosen] - candidates.source_starts[owner]).tolist()
        columns = (candidates.target[chosen] - candidates.target_starts[owner]).tolist()
        links: list[list[Link]] = [[] for _ in pairs]
        for number, row, column, score in zip(owner.tolist(), rows, columns, scores[chosen].tolist(), strict=True):
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

    def save(self, file: Path | str | IO[bytes]) -> None:
        """Write the model as a compressed npz, to a path or into an open file.

        Word pairs about which nothing was learnt are left out.
        """
        np.savez_compressed(file, allow_pickle=False, **self._arrays())

    @classmethod
    def load(cls, path: Path | str) -> "LexicalAligner":
        """Read a model that `save` wrote. Raises EngineError when there is none or it cannot be read."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if int(data["format"]) != FORMAT:
                    raise ValueError(f"format {data['format']}, not {FORMAT}")
                source, target = unpack(data["languages"])
                directions = tuple(
                    Direction(*(data[f"{side}_{name}"] for name in _FIELDS)) for side in ("forward", "backward")
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
            raise EngineError(
                _("%(path)s does not contain a lexical aligner: %(why)s. Train it again."), path=path, why=str(error)
            ) from error

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
            for name in _FIELDS:
                arrays[f"{side}_{name}"] = getattr(direction, name)
        return arrays

    def _hash(self) -> str:
        digest = hashlib.sha256(json.dumps([self.source, self.target, *training.constants()]).encode())
        for name, array in self._arrays().items():
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:12]

    def _infer(self, candidates: CandidateLinks, vocabularies: tuple[list[str], list[str]]) -> Floats:
        """Per candidate the mean posterior of both directions; word ids beyond the model's own are unknown words."""
        width = len(vocabularies[1])
        types, kinds = np.unique(
            candidates.sources[candidates.source] * width + candidates.targets[candidates.target], return_inverse=True
        )
        given, generated = types // width, types % width
        places = np.searchsorted(self._keys, given * len(self._vocabularies[1]) + generated)
        # An unknown word's key may coincide with a known pair's, so known words are checked for first.
        known = (
            (given < len(self._vocabularies[0])) & (generated < len(self._vocabularies[1])) & (places < self._keys.size)
        )
        known[known] = self._keys[places[known]] == (given * len(self._vocabularies[1]) + generated)[known]
        blank = CONCENTRATION + LIKENESS_WEIGHT * likeness(vocabularies, given, generated) ** 2
        parts = posteriors.blocks(candidates)
        mean = np.zeros(candidates.source.size)
        for side, direction in enumerate(self._directions):
            on = (given, generated)[side]
            parameters = blank.copy()
            parameters[known] = direction.pairs[places[known]]
            totals = _extended(direction.totals, len(vocabularies[side]), CONCENTRATION * UNSEEN)
            none = _extended(direction.null, len(vocabularies[1 - side]), CONCENTRATION)
            translation = expected(parameters, totals[on])[kinds]
            null = expected(none, training.null_total(none))
            # How many links the words have is only known when there are links.
            factors: Floats = np.ones(candidates.source.size)
            for _round in range(2):
                found, _counts = posteriors.chained(
                    candidates, parts, side, translation * factors, null, direction.jumps
                )
                factors = fertility.factors(candidates, side, found.links, direction.ratios)
            mean += found.links / 2
        return mean


def _extended(values: Floats, size: int, fill: float) -> Floats:
    return np.concatenate([values, np.full(size - values.size, fill)])
