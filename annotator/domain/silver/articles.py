"""The article before an expression, when something else stands in its place: English "a" or "an", Spanish agreement,
and "al" and "del".

Only what the spelling of the next word says plainly is told. Of a Spanish word it is the gender and the number of many
nouns and adjectives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from annotator.domain.silver.spanish_words import DETERMINERS, gender_of, is_plural
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, text_of, word_of
from annotator.domain.text.word_sets import word_set

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
# Adjectives that stand before nouns, without their last letter: "una buena [gota]".
_BEFORE_NOUNS = word_set("buen mal nuev viej pequeñ verdader auténtic mer pur mism últim primer segund tercer únic gra")
# By determiner the one of the other gender.
_OTHER_GENDER = {
    one: other
    for pair in (
        "un una",
        "unos unas",
        "el la",
        "los las",
        "este esta",
        "estos estas",
        "ese esa",
        "esos esas",
        "aquel aquella",
        "aquellos aquellas",
        "otro otra",
        "otros otras",
        "algún alguna",
        "ningún ninguna",
        "nuestro nuestra",
        "nuestros nuestras",
        "vuestro vuestra",
        "vuestros vuestras",
    )
    for one, other in (pair.split(), pair.split()[::-1])
} | {"del": "de la", "al": "a la"}
# They stand before feminine nouns that begin with a stressed "a", too.
_BEFORE_STRESSED_A = word_set("un el del al algún ningún")


class Unfit(StrEnum):
    """Why something cannot stand after the token before an expression."""

    ARTICLE = "article"  # it brings an article of its own, or which one it takes is not known
    AGREEMENT = "agreement"  # gender or number differ


def fitted_before(
    tokens: Sequence[str], marked: Sequence[int], words: Sequence[str], begins_with: str, language: str
) -> tuple[str, list[str]] | Unfit:
    """The token before an expression, and what stands in its place, as they are beside each other: "del", "jefe".

    `begins_with` is the part of speech of the first of `words`.
    """
    begin, before = marked[0], tokens[marked[0] - 1]
    if base_language(language) == "es" and begins_with == "DET" and word_of(before) in ("al", "del"):
        # "Al [fin del mundo]": "a la cima"
        before = before.removesuffix("l").removesuffix("L")
    if stands_alone(before, language) and (begins_with == "DET" or (begins_with == "PRON" and len(words) > 1)):
        # "A [piece of cake]": "a something easy"
        return Unfit.ARTICLE
    article = article_before(before, words, language)
    if base_language(language) == "es":
        if not article and _ends_sentence(tokens, marked) and not _agrees_with_more(tokens, begin):
            article = of_other_gender(before, words)
        if not article or (begin > 1 and word_of(before)[:-1] in _BEFORE_NOUNS and disagrees(tokens[begin - 2], words)):
            return Unfit.AGREEMENT
        if tokens[begin].startswith(bare(tokens[begin])):
            article, words = contracted(article, words)
    if not article:
        return Unfit.ARTICLE
    return article.upper() if text_of(tokens).isupper() else article, list(words)


def _ends_sentence(tokens: Sequence[str], marked: Sequence[int]) -> bool:
    """Whether nothing follows an expression that could agree with it: "una gota en el mar helada"."""
    return not any(map(word_of, tokens[marked[-1] + 1 :]))


def _agrees_with_more(tokens: Sequence[str], begin: int) -> bool:
    """Whether more stands before the article that agrees with it ("toda una"), or would be one word with it."""
    before = word_of(tokens[begin - 2]) if begin > 1 else ""
    return before in DETERMINERS or before in ("todo", "toda", "todos", "todas", "a", "de")


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
    if base == "es" and disagrees(word_of(before), words):
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


def of_other_gender(before: str, words: Sequence[str]) -> str:
    """A Spanish determiner in the gender of what follows it; "" where only another number would fit.

    >>> of_other_gender("Una", ("detalle",)), of_other_gender("del", ("vida",)), of_other_gender("los", ("error",))
    ('Un', 'de la', '')
    """
    word = word_of(before)
    other = _OTHER_GENDER.get(word, "")
    if not other or not before.endswith(bare(before)) or disagrees(other.split()[-1], words):
        return ""
    return before.removesuffix(bare(before)) + (other.capitalize() if bare(before)[0].isupper() else other)


def contracted(before: str, words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The token before an expression and what stands in its place, where "a" or "de" and "el" are one word.

    >>> contracted("de", ("el", "jefe")), contracted("a", ("El", "Cairo"))
    (('del', ('jefe',)), ('a', ('El', 'Cairo')))
    """
    if (
        before.endswith(("a", "A", "de", "De", "DE"))
        and word_of(before) in ("a", "de")
        and len(words) > 1
        and words[0] == "el"
    ):
        return f"{before}l", words[1:]
    first = word_of(words[0])
    for word, instead, sound in (("y", "e", r"h?i(?![aeo])"), ("o", "u", r"h?[oó]")):
        # "Padre e hijo", "uno u otro"
        if before.lower() in (word, instead):
            return instead if re.match(sound, first) else word, words
    return before, words


def disagrees(before: str, words: Sequence[str]) -> bool:
    """Whether a Spanish determiner and what follows it plainly differ in gender or number."""
    if before not in DETERMINERS:
        return False
    gender, plural = DETERMINERS[before]
    first = word_of(words[1] if word_of(words[0]) == "gran" and len(words) > 1 else words[0])
    if first in function_words("es") or first.endswith("mente"):
        return False
    other = gender_of(first)
    if before in _BEFORE_STRESSED_A and first.startswith(("a", "á", "ha", "há")):
        return is_plural(first)
    if is_plural(first) != plural:
        return is_plural(first) or other is not None
    return gender is not None and other is not None and gender is not other
