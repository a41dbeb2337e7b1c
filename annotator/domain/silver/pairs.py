"""Pairs for inference from sentences with a marked expression and its definitions, by rule: IMPLI, section 3.1.

The definition stands in the place of the expression. Where the expression is figurative, its definition follows from
the sentence; a definition in a sentence where the words are meant literally, an adversarial definition and one with
antonyms do not follow. What would not be well-formed is refused, and counted by its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.silver.base import Parser, Refusal, Sense, Use
from annotator.domain.silver.placing import put_in_place
from annotator.domain.text.tokens import text_of, tokenise, word_of


class Rule(StrEnum):
    """How a pair was made."""

    FIGURATIVE_DEFINITION = "figurative-definition"
    LITERAL_DEFINITION = "literal-definition"
    FIGURATIVE_ADVERSARIAL = "figurative-adversarial"
    FIGURATIVE_ANTONYM = "figurative-antonym"

    @property
    def entailed(self) -> bool:
        """Whether the second sentence follows from the first."""
        return self is Rule.FIGURATIVE_DEFINITION


@dataclass(frozen=True, slots=True)
class Definitions:
    """What an expression means, each fit to stand in its place; an empty one is not there."""

    correct: str
    adversarial: str = ""
    antonym: str = ""

    def by_rule(self, sense: Sense) -> Iterator[tuple[Rule, str]]:
        """What is put into sentences of a sense, with the rule."""
        if sense is Sense.LITERAL:
            found = [(Rule.LITERAL_DEFINITION, self.correct)]
        else:
            found = [
                (Rule.FIGURATIVE_DEFINITION, self.correct),
                (Rule.FIGURATIVE_ADVERSARIAL, self.adversarial),
                (Rule.FIGURATIVE_ANTONYM, self.antonym),
            ]
        return ((rule, text) for rule, text in found if text.strip())


@dataclass(frozen=True, slots=True)
class SilverPair:
    """`use`: which of the uses that were given it was made from, from 0."""

    use: int
    rule: Rule
    premise: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A pair that was not made: of which of the uses, from 0, with which definition, and why."""

    use: int
    definition: str
    reason: Refusal


@dataclass(slots=True)
class Made:
    """The pairs and what was refused, both in the order of the uses."""

    pairs: list[SilverPair]
    refusals: list[Refused]

    @property
    def refused(self) -> Counter[Refusal]:
        """How many were refused by reason."""
        return Counter(one.reason for one in self.refusals)


def silver_pairs(
    uses: Iterable[Use],
    definitions: Definitions,
    parser: Parser,
    *,
    language: str,
    written: Collection[tuple[str, str]] = (),
) -> Made:
    """All pairs of one expression. The premise is the sentence as it is. Those that people have `written` with the same
    words are not made once more.
    """
    by_hand = {(_words(premise), _words(hypothesis)) for premise, hypothesis in written}
    made = Made([], [])
    seen: set[tuple[str, str]] = set()
    for number, use in enumerate(uses):
        premise = text_of(use.tokens, use.spaces)
        for rule, definition in definitions.by_rule(use.sense):
            found = put_in_place(use, definition, parser, language=language)
            if not isinstance(found, Refusal):
                if _words(found) == _words(premise):
                    found = Refusal.UNCHANGED
                elif (premise, found) in seen or (_words(premise), _words(found)) in by_hand:
                    found = Refusal.DUPLICATE
            if isinstance(found, Refusal):
                made.refusals.append(Refused(number, definition, found))
                continue
            seen.add((premise, found))
            made.pairs.append(SilverPair(number, rule, premise, found))
    return made


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in map(word_of, tokenise(text)) if word)
