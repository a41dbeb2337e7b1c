"""The article before an expression, when something else stands in its place: English "a" or "an", Spanish agreement.

Only what the spelling of the next word says plainly is told. Of a Spanish word it is the gender and the number of many
nouns and adjectives; whether an adjective after a verb agrees with the subject is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.function_words import function_words
from annotator.domain.languages import base_language
from annotator.domain.tokens import bare, word_of
from annotator.domain.word_sets import word_set

# No other determiner stands after these.
_ALONE = {
    "en": word_set("a an the my your his its our their"),
    "es": word_set("un una unos unas el la los las del al mi mis tu tus su sus este esta ese esa aquel aquella"),
}
_ARTICLES = ("a", "an")
# By the article that they take, the beginnings of words that do not sound as they are written, longer ones first.
_SOUNDS = (
    ("an", ("unim", "unin", "unide", "hour", "honest", "honor", "honour", "heir")),
    ("a", ("uni", "unanim", "use", "usa", "usu", "usi", "uti", "uto", "ubi", "ura", "eu", "ewe")),
)
_BEGIN_WITH_W = word_set("one once oneself")
_MASCULINE, _FEMININE = "masculine", "feminine"
_DETERMINERS = {
    (_MASCULINE, False): word_set("un el del al este ese aquel otro algún ningún nuestro vuestro"),
    (_FEMININE, False): word_set("una la esta esa aquella otra alguna ninguna nuestra vuestra"),
    (_MASCULINE, True): word_set("unos los estos esos aquellos otros algunos nuestros vuestros"),
    (_FEMININE, True): word_set("unas las estas esas aquellas otras algunas nuestras vuestras"),
    ("", False): word_set("mi tu su cada"),
    ("", True): word_set("mis tus sus"),
}
_BY_DETERMINER = {word: said for said, words in _DETERMINERS.items() for word in words}
# They stand before feminine nouns that begin with a stressed "a", too.
_BEFORE_STRESSED_A = word_set("un el del al algún ningún")
_GENDERS = {
    word: gender
    for gender, words in {
        _MASCULINE: "accidente ambiente animal buen chiste coche defecto desastre detalle error final fin golpe hombre "
        "incidente jefe lugar nombre padre papel plan primer tercer problema sistema tema",
        _FEMININE: "base calle clase frase gente imagen ley luz madre mano mente muerte noche nube parte razón señal "
        "suerte vez voz",
        # They end like others and are not, or are both.
        "": "día mapa planeta poeta idiota atleta pirata patriota guía policía cura colega camarada foto moto radio "
        "modelo testigo piloto soprano flor labor mayor menor mejor peor sofá nada poco mucho demasiado medio solo "
        "sólo tanto cuanto luego pronto dentro cerca fuera nunca ahora todavía quizá cero cuatro cinco ocho",
    }.items()
    for word in words.split()
}
_ENDINGS = (
    ("", re.compile(r"\w*(?:ma|ista|cida|ndo|ior)")),
    (_FEMININE, re.compile(r"\w+(?:[cstxg]ión|dad|tad|tud|umbre|a)")),
    (_MASCULINE, re.compile(r"\w+(?:o|aje|or)")),
)
_PLURAL = re.compile(r"\w{2,}[aeo]s")
_NO_PLURALS = word_set(
    "lunes martes miércoles jueves viernes paraguas caos cosmos atlas menos antes lejos apenas entonces cumpleaños"
)


def stands_alone(before: str, language: str) -> bool:
    """Whether `before`, the token before an expression, is a determiner after which no other one stands."""
    return before.endswith(bare(before)) and word_of(before) in _ALONE.get(base_language(language), ())


def article_before(before: str, words: Sequence[str], language: str) -> str:
    """The token before an expression as it is where `words` stand in the expression's place; "" where none is known
    that fits.

    >>> article_before("An", ("weak", "point"), "en"), article_before("una", ("detalle",), "es")
    ('A', '')
    """
    if not before.endswith(bare(before)):
        return before
    base = base_language(language)
    if base == "en" and word_of(before) in _ARTICLES:
        article = _article(words[0])
        # "“An": what stands around it and its capital letter stay.
        return before.removesuffix(bare(before)) + bare(before)[0] + article[1:] if article else ""
    if base == "es" and _disagree(word_of(before), words):
        return ""
    return before


def _article(first: str) -> str:
    """What a word takes; "" where it may be spelt out or is no word of Latin letters: "FBI", "8"."""
    letters = re.match(r"[A-Za-zÀ-ÿ]+\b", bare(first))
    if letters is None or len(letters[0]) == 1 or letters[0].isupper():
        return ""
    word = letters[0].lower()
    if word in _BEGIN_WITH_W:
        return "a"
    for article, beginnings in _SOUNDS:
        if word.startswith(beginnings):
            return article
    return "an" if word[0] in "aeiouáéíóúàèêâ" else "a"


def _disagree(before: str, words: Sequence[str]) -> bool:
    """Whether a Spanish determiner and what follows it plainly differ in gender or number."""
    if before not in _BY_DETERMINER:
        return False
    gender, is_plural = _BY_DETERMINER[before]
    first = word_of(words[1] if word_of(words[0]) == "gran" and len(words) > 1 else words[0])
    if first in function_words("es") or first.endswith("mente"):
        return False
    plural = _PLURAL.fullmatch(first) is not None and first not in _NO_PLURALS
    other = _gender(first, is_plural=plural)
    if before in _BEFORE_STRESSED_A and first.startswith(("a", "á", "ha", "há")):
        return plural
    if plural != is_plural:
        return plural or bool(other)
    return bool(gender and other) and gender != other


def _gender(word: str, *, is_plural: bool) -> str:
    """The gender that a word's form says; "" where it does not."""
    if is_plural:
        long = {"iones": "ión", "dades": "dad", "tades": "tad", "tudes": "tud", "ores": "or"}
        ending = next((ending for ending in long if word.endswith(ending)), "s")
        word = word.removesuffix(ending) + long.get(ending, "")
    if word in _GENDERS:
        return _GENDERS[word]
    return next((gender for gender, ending in _ENDINGS if ending.fullmatch(word)), "")
