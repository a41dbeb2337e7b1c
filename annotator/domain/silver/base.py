"""What the rules say of words, whichever language they are of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Sense(StrEnum):
    """How an expression is meant where it stands."""

    FIGURATIVE = "figurative"
    LITERAL = "literal"


class Refusal(StrEnum):
    """Why no pair was made, in the order in which it is asked."""

    SPLIT = "split"  # other words stand within the expression
    INSIDE_PHRASE = "inside-phrase"  # the expression ends inside another phrase
    PART_OF_SPEECH = "part-of-speech"  # expression and definition begin differently
    VERB_FORM = "verb-form"  # the definition's verb has no known form that fits
    AGREEMENT = "agreement"  # gender or number of the definition do not agree with what it is said of, or may not
    VOICE = "voice"  # the expression is passive, the definition's verb is not
    UNCHANGED = "unchanged"  # both sentences would be the same
    DUPLICATE = "duplicate"  # the same pair was made already


@dataclass(frozen=True, slots=True)
class Use:
    """An expression in a sentence: `marked` are its tokens, ascending. `spaces` as `tokens.white_space`; `lemmas` one a
    token, or empty."""

    sense: Sense
    tokens: tuple[str, ...]
    marked: tuple[int, ...]
    spaces: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()

    @property
    def begin(self) -> int:
        return self.marked[0]

    @property
    def end(self) -> int:
        """The index after the last token."""
        return self.marked[-1] + 1

    @property
    def before(self) -> tuple[str, ...]:
        return self.tokens[: self.begin]

    @property
    def expression(self) -> tuple[str, ...]:
        return self.tokens[self.begin : self.end]


@dataclass(frozen=True, slots=True)
class FoundVerb:
    """Words `begin` to before `end`, and the base form of the verb that they are."""

    begin: int
    end: int
    base: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Words that stand in the place of the tokens of a sentence from `begin` to the end of an expression."""

    begin: int
    words: list[str]


class Parser(Protocol):
    """What has to be known of words; `""` and False where a parser cannot tell."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        """The part of speech of the token at `at`, as in Universal Dependencies. `lemma` is its lemma, or ""."""

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        """Whether a phrase continues over `end`, the index after an expression's last token."""
