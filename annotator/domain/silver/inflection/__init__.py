"""Forms of verbs by rule, so that one verb can stand where another one stood: small, for languages listed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from annotator.domain.silver.inflection.english import ENGLISH
from annotator.domain.silver.inflection.found_verb import FoundVerb
from annotator.domain.silver.inflection.spanish import SPANISH
from annotator.domain.text.languages import base_language


class Inflection(Protocol):
    """The verbs of one language."""

    def is_verb(self, tokens: Sequence[str], at: int, lemma: str) -> bool:
        """Whether the token at `at` is plainly a verb; `lemma` is its lemma, or ""."""

    def first_verb(self, tokens: Sequence[str], lemmas: Sequence[str], before: Sequence[str] = ()) -> FoundVerb | None:
        """The verb with which these words begin, as their lemmas and what stands before them say: also of a pronoun and
        a verb that are one."""

    def perfect(self, tokens: Sequence[str], lemmas: Sequence[str]) -> FoundVerb | None:
        """The verb of which these words begin with a perfect: "kick" of "have kicked the bucket". It begins with its
        participle, or with the pronoun before "have" that belongs to it."""

    def lemmas_of(self, verb: str) -> frozenset[str]:
        """The lemmas that the words of a verb may have: of "lavarse" those of "lavándose" and of "se lavó"."""

    def left_out(self, tokens: Sequence[str], begin: int, end: int) -> str:
        """What an expression from `begin` to before `end` has before its own verb, and a definition would leave out: a
        helping verb, or "not" or the like; "" for nothing."""

    def has_itself(self, words: Sequence[str], verb: FoundVerb, left_out: str) -> bool:
        """Whether a definition whose verb is `verb` has what an expression has there, so that nothing is left out."""

    def turns_round(self, marked: Sequence[str], words: Sequence[str], verb: FoundVerb) -> bool:
        """Whether an expression is passive and a definition whose verb is `verb` is not, though the verb can be: in the
        expression's place it would say that who was deceived deceived."""

    def verb_of(self, words: Sequence[str], *, is_infinitive: bool) -> FoundVerb | None:
        """The verb of a definition, whatever form it has; None where it has none. `is_infinitive`: it has, as is known
        otherwise, and in its base form."""

    def fitted(
        self, words: Sequence[str], verb: FoundVerb, tokens: Sequence[str], lemmas: Sequence[str], begin: int
    ) -> list[str] | None:
        """A definition with its verb in the form of the one with which the sentence goes on at `begin`; None where that
        cannot be told, or several forms would differ. `lemmas` are one a token, or empty."""


_LANGUAGES: dict[str, Inflection] = {"en": ENGLISH, "es": SPANISH}


def inflection_of(language: str) -> Inflection | None:
    """The verbs of a language (also with a region); None where there are no rules for it."""
    return _LANGUAGES.get(base_language(language))
