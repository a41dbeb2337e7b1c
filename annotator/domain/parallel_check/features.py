"""What of a sentence is compared with sentences of another language: words, spelling, length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from annotator.domain.parallel_check.arrays import Floats, Ints

STEM = 5  # letters: what most forms of a word share
GRAM = 3  # letters: shorter groups are shared by chance
LONGEST = 300  # features of a sentence that count; a line of 100,000 tokens is no sentence
EMPTY = 0  # the number of the text of an empty line
_CHARACTERS = 6_000

# Written without spaces: Thai, Lao, Myanmar, Khmer, kana, Chinese characters.
_UNSEGMENTED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_PIECES = re.compile(
    rf"[{_UNSEGMENTED}]+|\d+(?:[.,]\d+)*|(?:(?![{_UNSEGMENTED}])[^\W\d_])[^\W_{_UNSEGMENTED}]*|[^\w\s]"
)
_NEITHER_LETTER_NOR_DIGIT = re.compile(r"[\W_]+")
_RUN = re.compile(rf"[{_UNSEGMENTED}]")
# Marks that differ between languages but do the same.
_MARKS = str.maketrans("،؛؟。、「」『』«»“”„‘’।၊။", ',;?.,"""""""""\'\'.,.')


@dataclass(frozen=True)
class Side:
    """One file's lines as numbers. `words` and `grams` are flat; line i has those from starts[i] to starts[i + 1]."""

    words: Ints
    word_starts: Ints
    grams: Ints
    gram_starts: Ints
    lengths: Floats  # letters and digits of each line
    last: Ints  # the mark each line ends in; 0 for none
    texts: Ints  # a number for each text: the same text, the same number

    def __len__(self) -> int:
        return len(self.lengths)


class Vocabulary:
    """Numbers for words of each side, and for spellings of both."""

    def __init__(self) -> None:
        self.words: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.grams: dict[str, int] = {}
        self.texts: dict[str, int] = {"": EMPTY}
        self._grams_of = _Known(lambda piece: _numbers(self.grams, _grams(piece)))

    def side(self, which: int, lines: Sequence[Sequence[str]]) -> Side:
        """The lines of file 0 or 1 as numbers."""
        known = self.words[which]
        words_of = _Known(lambda piece: _numbers(known, _stems(piece)))
        words: list[list[int]] = []
        grams: list[list[int]] = []
        lengths, last, texts = [], [], []
        for line in lines:
            text = " ".join(line)[:_CHARACTERS]
            pieces = _pieces(text)
            words.append(list(dict.fromkeys(chain.from_iterable(map(words_of.__getitem__, pieces))))[:LONGEST])
            grams.append(list(dict.fromkeys(chain.from_iterable(map(self._grams_of.__getitem__, pieces))))[:LONGEST])
            lengths.append(float(len(_NEITHER_LETTER_NOR_DIGIT.sub("", text))))
            last.append(0 if not pieces or pieces[-1][0].isalnum() else ord(pieces[-1][0]))
            texts.append(self.texts.setdefault(" ".join(line).strip(), len(self.texts)))
        return Side(
            *_flat(words), *_flat(grams), np.array(lengths), np.array(last, np.int64), np.array(texts, np.int64)
        )


class _Known(dict[str, tuple[int, ...]]):
    """The numbers of pieces, worked out once each."""

    def __init__(self, find: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, piece: str) -> tuple[int, ...]:
        found = self[piece] = self._find(piece)
        return found


def _numbers(known: dict[str, int], names: Sequence[str]) -> tuple[int, ...]:
    return tuple(known.setdefault(name, len(known)) for name in names)


def _flat(rows: list[list[int]]) -> tuple[Ints, Ints]:
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return np.fromiter(chain.from_iterable(rows), np.int64, int(starts[-1])), starts


def _pieces(text: str) -> list[str]:
    """Words, numbers, marks and runs without spaces, in lower case."""
    return _PIECES.findall(unicodedata.normalize("NFKC", text).translate(_MARKS).lower())


def _stems(piece: str) -> tuple[str, ...]:
    if _RUN.match(piece):
        return (*piece, *(piece[index : index + 2] for index in range(len(piece) - 1)))
    if piece[0].isdigit():
        return (_number(piece),)
    return (_plain(piece)[:STEM],)


def _grams(piece: str) -> tuple[str, ...]:
    if piece[0].isdigit():
        return (_number(piece),)
    if not piece[0].isalpha():
        return ()
    if _RUN.match(piece):
        return tuple(piece[index : index + 2] for index in range(len(piece) - 1))
    word = f"^{_plain(piece)}$"
    return tuple(word[index : index + GRAM] for index in range(max(1, len(word) - GRAM + 1)))


def _number(piece: str) -> str:
    """The digits alone, in ASCII: 1.000 and 1,000 are the same number, and so are Arabic or Hindi digits."""
    return "".join(str(unicodedata.digit(character, 0)) for character in piece if character.isdigit())


def _plain(word: str) -> str:
    """The word without accents, which languages of one alphabet set differently."""
    if word.isascii() or word[0] > "\u052f":  # past Latin, Greek and Cyrillic, marks are letters of their own
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(character for character in decomposed if not unicodedata.combining(character)) or word
