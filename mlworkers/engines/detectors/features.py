"""Features of tokens for the conditional random field (Lafferty, McCallum & Pereira 2001).

Of a token: word, lemma, beginnings and endings, shape, frequency of word and lemma, punctuation
attached to it. Of its neighbours: lemmas up to two away, alone and together with its own lemma (what
is taken, who rises), endings, shape and frequency of the next ones.
"""

from collections.abc import Sequence
from typing import NamedTuple

from annotator.domain.text.tokens import bare
from mlworkers.engines.words import Words, clean, shape

# Models say which version they were trained with; a change in what is computed needs a new number.
VERSION = 1

_PUNCTUATION_SHAPE = "P"
_PUNCTUATION_FREQUENCY = 18


class _Type(NamedTuple):
    word: str
    lemma: str
    frequency: int
    lemma_frequency: int
    shape: str
    own: tuple[str, ...]


class Features:
    """Computes the features of sentences in one language; each token type is analysed once."""

    def __init__(self, language: str) -> None:
        self._words = Words(language)
        self._types: dict[str, _Type] = {}

    @property
    def settings(self) -> dict[str, int | bool]:
        """What the features rest on: their version, and whether the language has lemmas and frequencies."""
        return {
            "version": VERSION,
            "lemmas": self._words.has_lemmas,
            "frequencies": self._words.has_frequencies,
        }

    def sentence(self, tokens: Sequence[str]) -> list[list[str]]:
        """One list of feature strings per token."""
        types = [self._type(token) for token in tokens]
        last = len(types) - 1
        rows = []
        for index, this in enumerate(types):
            row = list(this.own)
            if index == 0:
                row.append("first")
            if index == last:
                row.append("last")
            for distance in (-2, -1, 1, 2):
                other = index + distance
                if not 0 <= other <= last:
                    if abs(distance) == 1:
                        row.append(f"l{distance}=#")
                    continue
                there = types[other]
                row.append(f"l{distance}={there.lemma}")
                row.append(f"ll{distance}={this.lemma}|{there.lemma}")
                if abs(distance) == 1:
                    row.append(f"e{distance}={there.word[-3:]}")
                    row.append(f"z{distance}={there.frequency}")
                    row.append(f"h{distance}={there.shape}")
            rows.append(row)
        return rows

    def _type(self, token: str) -> _Type:
        found = self._types.get(token)
        if found is None:
            found = self._types[token] = self._analyse(token)
        return found

    def _analyse(self, token: str) -> _Type:
        # CRFsuite takes UTF-8 only.
        token = clean(token)
        stripped = bare(token)
        if stripped:
            word, lemma = self._words.word(token), self._words.lemma(token)
            frequency, lemma_frequency = int(self._words.zipf(word) * 2), int(self._words.zipf(lemma) * 2)
            form = shape(stripped)
        else:
            word = lemma = token
            frequency = lemma_frequency = _PUNCTUATION_FREQUENCY
            form = _PUNCTUATION_SHAPE
        own = [f"w={word}", f"l={lemma}", f"z={frequency}", f"zl={lemma_frequency}", f"h={form}"]
        own += [f"e{n}={word[-n:]}" for n in (2, 3, 4)]
        own += [f"b{n}={word[:n]}" for n in (3, 4, 5, 6)]
        own.append(f"le={lemma[-2:]}{word[-2:]}")
        if stripped and token[-1] != stripped[-1]:
            own.append(f"after={token[-1]}")
        if stripped and token[0] != stripped[0]:
            own.append(f"before={token[0]}")
        return _Type(word, lemma, frequency, lemma_frequency, form, tuple(own))
