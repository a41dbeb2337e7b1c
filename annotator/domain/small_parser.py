"""What can be told of words without a model: closed classes by their lists, verbs by their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.function_words import function_words
from annotator.domain.inflection import inflection_of
from annotator.domain.languages import base_language
from annotator.domain.tokens import bare, word_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LISTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "DET": "a an the this that these those my your his her its our their some any no every each another one's",
        "ADP": "in on at by for with from of to into onto over under off out against between through behind beyond up "
        "down without within around across along like as about after before",
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
_INFINITIVE = re.compile(r"\w{2,}(?:ar|er|ir|ír)(?:se)?")
# Nouns and adverbs that end like infinitives.
_NO_INFINITIVES = _words(
    "ayer azúcar bar collar celular hogar lugar militar mujer par peor mejor placer popular similar singular taller "
    "alquiler cualquier elixir mártir porvenir líder lunar altar familiar particular vulgar escolar"
)
# Forms that other words hardly have.
_TELLING = {
    "en": frozenset({"gerund", "past", "participle"}),
    "es": frozenset({"infinitive", "gerund"}),
}
# What may stand after a whole phrase although it is no function word: adverbs, and verbs that end so.
_MAY_FOLLOW = {
    "en": re.compile(
        r"\w+(?:ly|ing|ed|s)|\d.*|out|up|off|down|away|back|again|too|today|now|then|here|even|"
        r"just|later|soon|once|ever|amid|amidst|\w+where|\w+side|first|alone|"
        r"yesterday|tomorrow|tonight|overnight|often|never|forever|already|twice|sometime|someday|"
        r"though|albeit|unlike|beneath|underneath|anyway|instead|together|maybe|\w+ever"
    ),
    "es": re.compile(
        r"\w+(?:mente|ndo|[aeió]|ron|ban|rán)|\d.*|hoy|ayer|anteayer|ahora|luego|aquí|allí|más|menos|bien|mal|"
        r"jamás|aún|todavía|quizás|pronto|temprano|después|antes|mientras|cuando|pues"
    ),
}
_NUMBERS = {
    "en": "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred several many",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce veinte treinta cien varios varias muchos muchas",
}
_TIMES = {
    "en": "second minute hour day night morning afternoon evening week weekend fortnight month year decade century "
    "season term time spring summer autumn fall winter christmas easter monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november december",
    "es": "segundo minuto hora día noche mañana tarde semana mes año década siglo vez veces primavera verano "
    "otoño invierno lunes martes miércoles jueves viernes sábado domingo",
}
_PLURALS = {"en": ("s",), "es": ("s", "es")}
# With these a phrase without an article or preposition begins that says when something happens: "last winter".
_BEFORE_TIMES = {
    base: _words(numbers) | (_words("last next early late most") if base == "en" else frozenset())
    for base, numbers in _NUMBERS.items()
}
_TIME_NOUNS = {
    base: _words(nouns) | {noun + end for noun in nouns.split() for end in _PLURALS[base]}
    for base, nouns in _TIMES.items()
}


@dataclass(frozen=True, slots=True)
class SmallParser:
    """The embedded parser of a language; of one that it has no lists for, it can tell nothing."""

    language: str
    name: str = "small"

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        base = base_language(self.language)
        word = word_of(tokens[at])
        if word in _CLASSES.get(base, {}):
            return _CLASSES[base][word]
        if base == "es" and not lemma and _INFINITIVE.fullmatch(word) and word not in _NO_INFINITIVES:
            return "VERB"
        inflection = inflection_of(self.language)
        if inflection is None or not lemma or (lemma == word and base == "en"):
            return ""
        forms = inflection.forms_of(word, lemma, tokens[:at])
        is_verb = forms & _TELLING[base] or any(":" in form for form in forms)
        return "VERB" if is_verb else ""

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        last = tokens[end - 1]
        if re.search(r"\w(?:['’]s?|-)$", last):
            return True
        if end == len(tokens) or not last.endswith(bare(last)):
            return False
        follows = tokens[end]
        if not any(character.isalnum() for character in follows):
            # Punctuation, or an emoji.
            return follows in ("'s", "’s", "'", "’")
        if not bare(follows) or not follows.startswith(bare(follows)):
            return follows in ("'s", "’s", "'", "’")
        base = base_language(self.language)
        if base not in _MAY_FOLLOW or not function_words(base):
            return False
        if follows[:1].isupper() and not last[:1].isupper():
            # A heading or a name: something new begins.
            return False
        if _says_when(tokens[end:], base):
            return False
        word = word_of(follows)
        return word not in function_words(base) and _MAY_FOLLOW[base].fullmatch(word) is None


def _says_when(tokens: Sequence[str], base: str) -> bool:
    """Whether a phrase like "last winter", "late one night" or "four times" begins here."""
    for at, token in enumerate(tokens[:4]):
        word = word_of(token)
        if at and word in _TIME_NOUNS[base]:
            return True
        if word not in _BEFORE_TIMES[base] and not (at and word in function_words(base)):
            return False
    return False
