"""Sentences as sequences of pieces that the network takes."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mlworkers.engines.base import Tokens
from mlworkers.engines.detectors.encoder.pieces import Pieces
from mlworkers.engines.subwords import CUT_WORDS, WINDOWED, WITHOUT_SUBWORDS
from mlworkers.engines.windows import windows


@dataclass(frozen=True, slots=True)
class Input:
    """A sequence of pieces, and which of them (indices) are the first and the last of which `words`."""

    ids: list[int]
    firsts: list[int]
    lasts: list[int]
    words: list[int]


@dataclass(frozen=True, slots=True)
class Frame:
    """The pieces before and after every sequence, and how many pieces a sequence has at most, with these."""

    begin: int
    end: int
    size: int

    @property
    def room(self) -> int:
        """How many pieces of words fit in."""
        return self.size - 2


def inputs(tokens: Tokens, pieces: Pieces, frame: Frame, met: Counter[str]) -> Iterator[Input]:
    """The inputs for a sentence, none when it has no piece; every word's first piece is in exactly one of them.

    A sentence that is too long goes through overlapping windows, which begin and end between words; a word longer
    than half a window is cut to that. Both are counted in `met`, and words without a piece.
    """
    cut = [(word, pieces.of(token)) for word, token in enumerate(tokens)]
    whole = [(word, ids) for word, ids in cut if ids]
    if len(whole) < len(tokens):
        met[WITHOUT_SUBWORDS] += len(tokens) - len(whole)
    if not whole:
        return
    if sum(len(ids) for _word, ids in whole) > frame.room:
        met[WINDOWED] += 1
        # Room for context on its side, even if one word alone would fill a window.
        most = frame.room // 2
        met.update({CUT_WORDS: longer} if (longer := sum(len(ids) > most for _word, ids in whole)) else {})
        whole = [(word, ids[:most]) for word, ids in whole]
    for window in windows([len(ids) for _word, ids in whole], frame.room):
        row, at = [frame.begin], {}
        for number in range(window.first, window.last):
            at[number] = len(row)
            row += whole[number][1]
        yield Input(
            [*row, frame.end],
            [at[number] for number in window.keep],
            [at[number] + len(whole[number][1]) - 1 for number in window.keep],
            [whole[number][0] for number in window.keep],
        )
