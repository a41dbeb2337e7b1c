"""What can be told of words without a model: closed classes by their lists, others by dictionaries and their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.silver.english_words import parts_of_speech, verb_of
from annotator.domain.silver.placing import grammar_of
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, word_of

_LISTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "DET": "a an the this that these those my your his her its our their some any no every each another one's",
        "ADP": "in on at by for with from of to into onto over under off out against between through behind beyond up "
        "down round without within around across along like as about after before",
        "PRON": "it he she they we i you everything everyone someone something nobody nothing",
    },
    "es": {
        "DET": "el la los las un una unos unas mi mis tu tus su sus este esta estos estas ese esa esos esas cada",
        "ADP": "a al de del en con por para sin sobre bajo entre hasta desde contra tras hacia como",
        "PRON": "algo alguien nadie nada todo ello",
    },
}
_CLASSES = {
    language: {word: name for name, words in lists.items() for word in words.split()}
    for language, lists in _LISTS.items()
}
# What may stand after a whole Spanish phrase although it is not a function word: adverbs, and verbs that end so.
_MAY_FOLLOW = re.compile(
    r"\d.*|\w+(?:mente|ndo|[aeió]|ron|ban|rán)|hoy|ayer|luego|aquí|allí|más|menos|bien|mal|jamás|aún|quizás|después|antes|"
    r"detrás|debajo|dentro|allá|ahí|lejos|atrás|alrededor|junt[oa]s?|acá|así|además|apenas|también|entonces|incluso|mucho|muy|s[oó]lo|"
    r"gracias|debido|respecto|rumbo|camino|excepto|salvo|mejor|peor|igual|tal|tanto|tan|pronto|temprano|cuando|pues|dos|tres|cuatro|vari[oa]s|much[oa]s|otra|lunes|martes|jueves|viernes"
)


@dataclass(frozen=True, slots=True)
class SmallParser:
    """The embedded parser of a language; of one that it has no lists for, it can tell nothing."""

    language: str
    name: str = "small"

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        word = word_of(tokens[at])
        known = _CLASSES.get(base_language(self.language), {}).get(word)
        if known:
            return known
        grammar = grammar_of(self.language)
        return "VERB" if grammar is not None and grammar.is_verb(tokens, at, lemma) else ""

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        last = tokens[end - 1]
        if re.search(r"\w(?:['’]s?|-)$", last):
            return True
        if end == len(tokens) or not last.endswith(bare(last)):
            return False
        follows = tokens[end]
        if not follows.startswith(bare(follows) or " ") or not any(map(str.isalnum, follows)):
            return follows in ("'s", "’s", "'", "’")
        base, word = base_language(self.language), word_of(follows)
        # A heading or a name: something new begins.
        begins = follows[:1].isupper() and not last[:1].isupper()
        if base not in _CLASSES or begins or word in function_words(base):
            return False
        return _goes_on_in_english(word) if base == "en" else _MAY_FOLLOW.fullmatch(word) is None


def _goes_on_in_english(word: str) -> bool:
    """Whether a word is hardly anything but a singular noun or its adjective: no adverb, and no form of a verb."""
    found = parts_of_speech(word)
    is_form = "VERB" in found and verb_of(word) != word
    if word in ("two", "three", "four", "five", "ten", "several"):
        return False
    return "NOUN" in found and "ADV" not in found and not is_form and not word.endswith(("ed", "ing", "s"))
