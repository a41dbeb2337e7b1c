"""Forms of verbs by rule, so that one verb can stand where another one stood: small, for languages listed here.

`forms_of(word, lemma)` gives every form that a word may be of its lemma; `inflect(verb, form)` the verb in a form, or
None where the rules do not know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from annotator.domain.inflection.english import ENGLISH
from annotator.domain.inflection.spanish import SPANISH
from annotator.domain.languages import base_language


class Inflection(Protocol):
    """The verbs of one language."""

    def forms_of(self, word: str, lemma: str, before: Sequence[str]) -> frozenset[str]:
        """The forms that `word` may be of the verb `lemma`, in lower case; `before`: the tokens before it."""

    def inflect(self, verb: str, form: str) -> str | None:
        """The verb, given in its base form, in another one; None where the rules do not know it."""


_LANGUAGES: dict[str, Inflection] = {"en": ENGLISH, "es": SPANISH}


def inflection_of(language: str) -> Inflection | None:
    """The verbs of a language (also with a region); None where there are no rules for it."""
    return _LANGUAGES.get(base_language(language))


def like(verb: str, word: str, lemma: str, *, before: Sequence[str], language: str) -> str | None:
    """`verb` in the form that `word` is of `lemma`; None where it cannot be told, or several forms would differ.

    >>> like("abandon", "holding", "hold", before=(), language="en")
    'abandoning'
    """
    inflection = inflection_of(language)
    if inflection is None:
        return None
    found = {inflection.inflect(verb, form) for form in inflection.forms_of(word, lemma, before)}
    return found.pop() if len(found) == 1 else None
