"""What can be told of words without a model: closed classes by their lists, verbs by their forms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.domain.silver.inflection import inflection_of
from annotator.domain.silver.inflection.english_forms import PLAIN_PASTS
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

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
# What may stand after a whole phrase although it is no function word: adverbs, and verbs that end so.
_MAY_FOLLOW = {
    "en": re.compile(
        r"\w+(?:ly|ing|ed|s)|\d.*|out|up|off|down|away|back|again|too|today|now|then|here|even|"
        r"just|later|soon|once|ever|amid|amidst|\w+where|\w+side|first|alone|"
        r"yesterday|tomorrow|tonight|overnight|often|never|forever|already|twice|sometime|someday|"
        r"though|albeit|unlike|beneath|underneath|anyway|instead|together|maybe|\w+ever|ahead|aside|apart|abroad|"
        r"aboard|home|downstairs|upstairs|downtown|indoors|outdoors|nearby|halfway|else|almost|quite|very|"
        r"perhaps|still|outside|inside|notwithstanding|regardless|thanks|due|beforehand|straight"
    ),
    "es": re.compile(
        r"\w+(?:mente|ndo|[aeió]|ron|ban|rán)|\d.*|hoy|ayer|anteayer|ahora|luego|aquí|allí|más|menos|bien|mal|"
        r"jamás|aún|quizás|pronto|temprano|después|antes|mientras|cuando|pues|detrás|debajo|dentro|lejos|abajo|adentro|"
        r"atrás|alrededor|junto|juntos|juntas|allá|acá|ahí|así|además|apenas|también|tampoco|entonces|incluso|mucho|muy|"
        r"solo|sólo|gracias|debido|respecto|rumbo|camino|excepto|salvo|mejor|peor|igual|tal|tanto|tan"
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
    base: word_set(numbers) | (word_set("last next early late most") if base == "en" else frozenset())
    for base, numbers in _NUMBERS.items()
}
_TIME_NOUNS = {
    base: word_set(nouns) | {noun + end for noun in nouns.split() for end in _PLURALS[base]}
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
        inflection = inflection_of(self.language)
        return "VERB" if inflection is not None and inflection.is_verb(tokens, at, lemma) else ""

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
        if base == "en" and word in PLAIN_PASTS:
            return False
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
