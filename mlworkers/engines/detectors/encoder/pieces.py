"""Words cut into the pieces that the encoder knows: the best cut under a unigram model.

Kudo, "Subword regularization", ACL 2018. The same as the package `tokenizers` computes, which is compared in the tests
and would bring a client of a model hub into every installation.
"""

import unicodedata
from collections.abc import Mapping, Sequence

from mlworkers.engines.words import clean

SPACE = "▁"
# A character that no piece has costs this much more than the least likely piece.
UNKNOWN_COST = 10.0
# Words that are remembered; a text has far fewer distinct ones.
MAX_REMEMBERED = 100_000


class Vocabulary:
    """The pieces, each with its number and its score: the logarithm of its probability. An empty one is never used."""

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self.pieces, self.scores = pieces, scores
        self.known: Mapping[str, tuple[int, float]] = {
            piece: (number, float(score))
            for number, (piece, score) in enumerate(zip(pieces, scores, strict=True))
            if piece
        }
        self.longest = max(map(len, self.known))
        self.unknown_score = min(scores) - UNKNOWN_COST


class Pieces:
    """Cuts words into pieces, each word once; what no piece covers is `unknown`. Not safe for several threads."""

    def __init__(self, vocabulary: Vocabulary, *, unknown: int) -> None:
        self._vocabulary = vocabulary
        self._unknown = unknown
        self._words: dict[str, tuple[int, ...]] = {}

    def of(self, token: str) -> tuple[int, ...]:
        """The numbers of the token's pieces; none for an empty token."""
        found = self._words.get(token)
        if found is None:
            if len(self._words) >= MAX_REMEMBERED:
                self._words.clear()
            found = self._words[token] = tuple(self._cut(token))
        return found

    def _cut(self, token: str) -> list[int]:
        text = unicodedata.normalize("NFKC", clean(token))
        while "  " in text:
            text = text.replace("  ", " ")
        text = text.replace(" ", SPACE)
        if text and not text.startswith(SPACE):
            text = SPACE + text
        # A piece never goes on past a space.
        return [piece for word in text.split(SPACE)[1:] for piece in self._best(SPACE + word)]

    def _best(self, text: str) -> list[int]:
        """The numbers of the most likely pieces, unknown ones in a row as one."""
        vocabulary = self._vocabulary
        scores: list[float | None] = [0.0, *[None] * len(text)]
        last: list[tuple[int, int]] = [(0, 0)] * (len(text) + 1)

        def offer(start: int, end: int, number: int, score: float) -> None:
            best = scores[end]
            if best is None or score > best:
                scores[end], last[end] = score, (start, number)

        for start in range(len(text)):
            so_far = scores[start] or 0.0
            for end in range(start + 1, min(start + vocabulary.longest, len(text)) + 1):
                if known := vocabulary.known.get(text[start:end]):
                    offer(start, end, known[0], so_far + known[1])
            if text[start] not in vocabulary.known:
                offer(start, start + 1, self._unknown, so_far + vocabulary.unknown_score)
        found: list[int] = []
        end = len(text)
        while end:
            end, number = last[end]
            if not (number == self._unknown and found and found[-1] == self._unknown):
                found.append(number)
        return found[::-1]
