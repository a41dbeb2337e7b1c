"""Two figurative sentences that begin alike and mean the opposite, each with its literal meaning, as MABL has them.

A pair is one text, a line each: both figurative sentences, what each means; then, only where published rows say it in
other words, the meanings that are wrong for them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.text.invisible_chars import is_seen
from annotator.domain.text.lookup import lookup_key
from annotator.domain.text.tokens import bare, tokenise, white_space

UNIT_KIND = "figurative-pair"
LINES = 4
LINES_WITH_OTHERS = 6


@dataclass(frozen=True, slots=True)
class Row:
    """One of a pair as MABL publishes it: `label` says which of the two endings is right, 0 or 1."""

    start: str
    ending1: str
    ending2: str
    label: int


@dataclass(frozen=True, slots=True)
class FigurativePair:
    """`others`: what is wrong for each; as a rule the other one's meaning. A half that is missing is empty."""

    figurative: tuple[str, str]
    literal: tuple[str, str]
    others: tuple[str, str]

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> FigurativePair:
        """The pair of one or two rows; of two, the labels differ."""
        halves: dict[int, Row] = {row.label: row for row in rows}
        first, second = halves.get(0), halves.get(1)
        at_hand = rows[0]
        return cls(
            (_start(first), _start(second)),
            (first.ending1 if first else at_hand.ending1, second.ending2 if second else at_hand.ending2),
            (first.ending2 if first else at_hand.ending2, second.ending1 if second else at_hand.ending1),
        )

    @classmethod
    def of_text(cls, text: str) -> FigurativePair:
        """The pair that a unit's text is."""
        lines = text.split("\n")
        first, second, meaning1, meaning2 = lines[:LINES]
        others = (lines[4], lines[5]) if len(lines) == LINES_WITH_OTHERS else (meaning2, meaning1)
        return cls((first, second), (meaning1, meaning2), others)

    def corrected(self, figurative: tuple[str, str], literal: tuple[str, str]) -> FigurativePair:
        """The pair in these words. A half that is missing stays so, and so do other words for what is wrong."""
        there = tuple(new if old else "" for new, old in zip(figurative, self.figurative, strict=True))
        is_plain = self.others == (self.literal[1], self.literal[0])
        return FigurativePair((there[0], there[1]), literal, (literal[1], literal[0]) if is_plain else self.others)

    @property
    def lines(self) -> list[str]:
        """The lines of its text."""
        lines = [*self.figurative, *self.literal]
        return lines if self.others == (self.literal[1], self.literal[0]) else [*lines, *self.others]

    @property
    def rows(self) -> list[Row]:
        """The rows of those halves that are there, the one with label 0 first."""
        rows = []
        if self.figurative[0]:
            rows.append(Row(self.figurative[0], self.literal[0], self.others[0], 0))
        if self.figurative[1]:
            rows.append(Row(self.figurative[1], self.others[1], self.literal[1], 1))
        return rows


def _start(half: Row | None) -> str:
    """The figurative sentence of a half; "" where there is none, or nothing to read in it."""
    return half.start if half and is_seen(half.start) else ""


def as_tokens(lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tokens and white space of a text of several lines."""
    text = "\n".join(lines)
    tokens = tuple(token for line in lines for token in tokenise(line))
    return tokens, tuple(white_space(text, tokens))


def spelt(text: str) -> str:
    """What somebody wrote in its one spelling: composed characters, single spaces, no line breaks."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def words(text: str) -> tuple[str, ...]:
    """The words as they are compared: without capitals, punctuation, and what makes no other word (`looked_up`)."""
    found = (bare(token).casefold() for token in tokenise(spelt(lookup_key(text))))
    return tuple(word for word in found if word)


def begin_alike(one: str, other: str) -> bool:
    """Whether two words, or half of the shorter sentence, are how both begin."""
    shortest = min(len(words(one)), len(words(other)))
    shared = len(words_at_beginning(one, other))
    return shared >= 2 or 0 < shortest <= 2 * shared


def words_at_beginning(one: str, other: str) -> tuple[str, ...]:
    """The words with which both begin, as they are compared."""
    return words(shared_beginning(spelt(lookup_key(one)), spelt(lookup_key(other))))


def shared_beginning(one: str, other: str) -> str:
    """How both begin, to the end of the last whole word; in scripts without spaces to the last character."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a.casefold() != b.casefold():
            break
        length += 1
    # Marks belong to the character before them.
    while 0 < length < max(len(one), len(other)) and any(
        length < len(text) and unicodedata.combining(text[length]) for text in (one, other)
    ):
        length -= 1
    shared = one[:length]
    if " " not in one or " " not in other or all(len(text) == length or text[length] == " " for text in (one, other)):
        return shared.rstrip()
    return shared[: shared.rfind(" ") + 1].rstrip()
