"""Pairs for inference from sentences with a marked expression and its definitions, by rule: IMPLI, section 3.1.

The definition stands in the place of the expression. Where the expression is figurative, its definition follows from
the sentence; a definition in a sentence where the words are meant literally, an adversarial definition and one with
antonyms do not follow. What would not be well-formed is refused, and counted by its reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from annotator.domain.silver.articles import Unfit, fitted_before
from annotator.domain.silver.english_ones import has_ones, with_owner
from annotator.domain.silver.inflection import inflection_of
from annotator.domain.silver.inflection.english_before import is_form_of_be, stands_before_adverb
from annotator.domain.silver.noun_places import fits_noun, fits_preposition, is_indefinite, lacks_noun
from annotator.domain.silver.open_ends import ends_open, fits_open_end, is_open_end
from annotator.domain.silver.spanish_agreement import agreed, same_verb
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, text_of, tokenise, word_of


class Sense(StrEnum):
    """How an expression is meant where it stands."""

    FIGURATIVE = "figurative"
    LITERAL = "literal"


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


# Parts of speech with which phrases of one sort alone begin.
_FUNCTION_WORDS = frozenset({"ADP", "DET", "PRON"})


_SENTENCE_ENDS = re.compile(r"[.!?…][\"'”’»)]*$")


@dataclass(frozen=True, slots=True)
class Use:
    """An expression in a sentence: `marked` are its tokens, ascending. `spaces` as `tokens.white_space`; `lemmas` one a
    token, or empty."""

    sense: Sense
    tokens: tuple[str, ...]
    marked: tuple[int, ...]
    spaces: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()


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


class Parser(Protocol):
    """What has to be known of words; `""` and False where a parser cannot tell."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        """The part of speech of the token at `at`, as in Universal Dependencies. `lemma` is its lemma, or ""."""

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        """Whether a phrase goes on over `end`, the index after an expression's last token."""


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


def put_in_place(use: Use, definition: str, parser: Parser, *, language: str) -> str | Refusal:
    """The sentence with the definition in the place of the expression, or why it does not fit there.

    The definition is in its base form, or in another one that a dictionary knows; "to" before an English verb says that
    it is one, and is left out.
    """
    begin, end = use.marked[0], use.marked[-1] + 1
    if end - begin != len(use.marked):
        return Refusal.SPLIT
    words = list(tokenise(definition))
    is_infinitive = language.startswith("en") and words[0].lower() == "to" and len(words) > 1
    if is_infinitive:
        words = words[1:]
    open_end = is_open_end(use.tokens, end, language)
    if not (open_end and ends_open(words, language)) and (
        parser.ends_inside(use.tokens, end)
        or (open_end and not fits_open_end(words, use.tokens, end, open_end, language))
    ):
        return Refusal.INSIDE_PHRASE
    there = parser.begins_with(use.tokens, begin, use.lemmas[begin] if use.lemmas else "")
    here = "VERB" if is_infinitive else parser.begins_with(words, 0, "")
    left_out = _left_out(use, words, language)
    if left_out:
        there = "VERB"
    if there != "VERB" and here == "VERB" and _is_said_before(use, words, language):
        # "Fue [tomada por tonta]" and "ser engañado", "is [over the moon]" and "be happy"
        words = words[1:]
        here = parser.begins_with(words, 0, "").replace("VERB", "")
    if is_indefinite(words[0]) and there == "DET":
        # "A piece of cake" and "something easy"
        here = ""
    elif not _may_stand_for(here, there) or not _fits_phrase(use, words, here, there, parser, language):
        return Refusal.PART_OF_SPEECH
    verb_at = None
    if "VERB" in (there, here):
        formed = _in_form(words, use, language, is_infinitive=is_infinitive, left_out=left_out)
        if isinstance(formed, Refusal):
            return formed
        words, verb_at = formed
    elif lacks_noun(use.tokens, begin, end, words, language):
        return Refusal.PART_OF_SPEECH
    elif begin:
        fitted = fitted_before(use.tokens, use.marked, words, here, language)
        if isinstance(fitted, Unfit):
            return Refusal.AGREEMENT if fitted is Unfit.AGREEMENT else Refusal.PART_OF_SPEECH
        article, words = fitted
        use = replace(use, tokens=(*use.tokens[: begin - 1], article, *use.tokens[begin:]))
    if base_language(language) == "es":
        agreeing = agreed(words, use.tokens, begin, verb_at=verb_at)
        if agreeing is None:
            return Refusal.AGREEMENT
        words = agreeing
    elif base_language(language) == "en":
        if has_ones(words):
            owned = with_owner(words, use.tokens, use.marked)
            if owned is None:
                return Refusal.AGREEMENT
            words = owned
        if verb_at is not None and stands_before_adverb(words[0], use.tokens[:begin]):
            begin -= 1
            use, words = replace(use, marked=(begin, *use.marked)), [words[0], use.tokens[begin], *words[1:]]
    return _sentence(use, begin, end, " ".join(words))


def _is_said_before(use: Use, words: Sequence[str], language: str) -> bool:
    """Whether the definition's verb stands before the expression already."""
    begin = use.marked[0]
    if len(words) < 2 or not begin:
        return False
    if base_language(language) == "en":
        return word_of(words[0]) == "be" and is_form_of_be(use.tokens[begin - 1])
    return base_language(language) == "es" and same_verb(use.tokens, begin, word_of(words[0]))


def _left_out(use: Use, words: Sequence[str], language: str) -> str:
    """What stands in the expression before its own verb and not in the definition; "" where nothing does."""
    inflection = inflection_of(language)
    begin = use.marked[0]
    if inflection is None or word_of(use.tokens[begin]) == word_of(words[0]):
        # "Can't stand" and "can't bear"
        return ""
    return inflection.left_out(use.tokens, begin, use.marked[-1] + 1)


def _in_form(
    words: Sequence[str], use: Use, language: str, *, is_infinitive: bool, left_out: str
) -> tuple[list[str], int] | Refusal:
    """A definition with its verb in the form of the one with which the expression begins, and where that stands."""
    inflection = inflection_of(language)
    if inflection is None:
        return Refusal.VERB_FORM
    found = inflection.verb_of(words, is_infinitive=is_infinitive)
    if found is None:
        return Refusal.PART_OF_SPEECH
    if left_out and not inflection.has_itself(words, found, left_out):
        return Refusal.VERB_FORM
    if inflection.turns_round(use.tokens[use.marked[0] : use.marked[-1] + 1], words, found):
        return Refusal.VOICE
    made = inflection.fitted(words, found, use.tokens, use.lemmas, use.marked[0])
    return (made, found.begin) if made else Refusal.VERB_FORM


def _may_stand_for(here: str, there: str) -> bool:
    """Whether what begins with one part of speech may stand where something begins with another one.

    Nothing else stands for a verb, nor one function word for another. Apart from that, phrases of one sort begin in
    many ways: "a piece of cake", "small potatoes", "easy".
    """
    if not here or not there or here == there:
        return True
    return "VERB" not in (here, there) and not {here, there} <= _FUNCTION_WORDS


def _fits_phrase(use: Use, words: Sequence[str], here: str, there: str, parser: Parser, language: str) -> bool:
    """Whether a definition can stand where a phrase with a determiner or a preposition stands."""
    is_english = base_language(language) == "en"
    if there != "DET" and not (there == "ADP" and is_english):
        return True
    at = use.marked[0] - 1
    before = parser.begins_with(use.tokens, at, use.lemmas[at] if use.lemmas else "") if at >= 0 else ""
    if there == "ADP":
        is_joined = _is_joined_to_noun(use, parser)
        return fits_preposition(use.tokens, use.marked, words, is_after_verb=before == "VERB", is_joined=is_joined)
    return fits_noun(use.tokens, use.marked[0], words, here, before, language)


def _is_joined_to_noun(use: Use, parser: Parser) -> bool:
    """Whether "and" or "or" and a noun phrase follow an expression, and no verb of which that is the subject."""
    end = use.marked[-1] + 1
    if end + 1 >= len(use.tokens) or word_of(use.tokens[end]) not in ("and", "or"):
        return False
    lemmas = use.lemmas or use.tokens
    if parser.begins_with(use.tokens, end + 1, lemmas[end + 1]) != "DET":
        return False
    return all(parser.begins_with(use.tokens, at, lemmas[at]) != "VERB" for at in range(end + 2, len(use.tokens)))


def _sentence(use: Use, begin: int, end: int, instead: str) -> str:
    """The sentence with other words from `begin` to `end`; punctuation at the edges of the expression stays."""
    spaces = list(use.spaces) or ["", *(" " for _ in use.tokens[1:]), ""]
    first, last = use.tokens[begin], use.tokens[end - 1]
    opened = first[: first.index(bare(first))] if bare(first) else ""
    closed = last[last.rindex(bare(last)) + len(bare(last)) :] if bare(last) else ""
    if text_of(use.tokens, spaces).isupper():
        instead = instead.upper()
    elif bare(first)[:1].isupper() and _begins_sentence(use.tokens[:begin]):
        instead = instead[:1].upper() + instead[1:]
    before = text_of(use.tokens[:begin], spaces[: begin + 1])
    after = text_of(use.tokens[end:], spaces[end:])
    # Of a definition that ends in a full stop, the sentence has its own.
    return f"{before}{opened}{instead.rstrip('.') if closed or after else instead}{closed}{after}"


def _begins_sentence(before: Sequence[str]) -> bool:
    """Whether a sentence begins after these tokens; marks that open one may stand among them."""
    for token in reversed(before):
        if _SENTENCE_ENDS.search(token):
            return True
        if word_of(token):
            return False
    return True


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in map(word_of, tokenise(text)) if word)
