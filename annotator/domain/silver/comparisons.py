"""What a figurative sentence compares: its subject, the object that it is likened to, and the relation between them.

The three parts, and how they are brought into their basic form, are those of MABL (Kabra et al., "Multi-lingual and
Multi-cultural Figurative Language Understanding", Findings of ACL 2023, section 4.1, and the scripts published with
it). They come with the sentences, or an extractor finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from annotator.domain.silver import english_nominals as english
from annotator.domain.silver.english_comparisons import find_parts
from annotator.domain.text.languages import base_language
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, tokenise

# What a basic form leaves out: MABL's list, and the same for Spanish.
_LEFT_OUT = {
    "en": frozenset({"the", "a", "an", "that"}),
    "es": frozenset({"el", "la", "los", "las", "un", "una", "unos", "unas", "ese", "esa", "esos", "esas"}),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The parts of a sentence as they stand there. A part that the sentence does not have is empty."""

    subject: str
    relation: str
    object: str


class Extractor(Protocol):
    """Finds the parts of sentences in one language. `name` goes on record with what it found."""

    @property
    def name(self) -> str: ...

    @property
    def language(self) -> str: ...

    def comparison(self, tokens: Sequence[str]) -> Comparison | None:
        """The parts of a sentence, split at spaces; None where it finds no object."""


@dataclass(frozen=True, slots=True)
class SmallExtractor:
    """The embedded one: rules on closed classes of words, for English."""

    language: str
    name: str = "small"

    def comparison(self, tokens: Sequence[str]) -> Comparison | None:
        found = find_parts(tokens)
        return Comparison(*found) if found is not None else None


def extractor_of(language: str) -> Extractor | None:
    """The extractor for sentences in a language; None where there is none."""
    return SmallExtractor(language) if base_language(language) == "en" else None


def basic_form(part: str, language: str) -> str:
    """A part as it is compared: lemmas in lower case, without punctuation and articles; "" of nothing else.

    In English, forms of verbs stay as they are where they are nouns or adjectives.

    >>> basic_form("The fish markets.", "en"), basic_form("A slammed door", "en")
    ('fish market', 'slammed door')
    """
    left_out = _LEFT_OUT.get(base_language(language), frozenset())
    # In lower case before they are looked up: "A Feather" is no name.
    words = [word for token in tokenise(part) if (word := bare(token).lower())]
    forms = [_form(words, index, language) for index, word in enumerate(words) if word not in left_out]
    return " ".join(forms)


def _form(words: Sequence[str], index: int, language: str) -> str:
    lemma = lemma_of(words[index], language)
    is_nominal = lemma != words[index] and base_language(language) == "en" and english.is_nominal(words, index, lemma)
    return words[index] if is_nominal else lemma
