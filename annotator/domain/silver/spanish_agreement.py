"""Gender and number of Spanish words, as their form says them, and adjectives that agree with what they are said of.

Nothing is guessed: where the gender makes a difference and the word beside the verb does not say it, no pair is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from annotator.domain.silver.english_words import ends
from annotator.domain.silver.spanish_forms import PARTICIPLE, forms_of, verb_of
from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import is_in_dictionary, lemma_of
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

MASCULINE, FEMININE = "masculine", "feminine"


@dataclass(frozen=True, slots=True)
class Named:
    """What a phrase names: its gender, "" where that is not plain, and whether it is several."""

    gender: str
    plural: bool


DETERMINERS = {
    word: Named(gender, plural)
    for gender, plural, words in (
        (MASCULINE, False, "un el del al este ese aquel otro algún ningún nuestro"),
        (FEMININE, False, "una la esta esa aquella otra alguna ninguna nuestra"),
        (MASCULINE, True, "unos los estos esos aquellos otros algunos nuestros muchos varios"),
        (FEMININE, True, "unas las estas esas aquellas otras algunas nuestras muchas varias"),
        ("", False, "mi tu su cada"),
        ("", True, "mis tus sus dos tres cuatro"),
    )
    for word in words.split()
}
_PRONOUNS = {
    "él": Named(MASCULINE, False), "ella": Named(FEMININE, False), "ellos": Named(MASCULINE, True),
    "ellas": Named(FEMININE, True), "nosotros": Named(MASCULINE, True), "nosotras": Named(FEMININE, True),
    "eso": Named(MASCULINE, False), "todo": Named(MASCULINE, False),
}  # fmt: skip
# First names and nouns whose end does not say it, or says the other gender.
_MASCULINE = word_set(
    "juan josé manuel ángel miguel javier carlos luis andrés david daniel rafael ramón jon mikel día mapa problema "
    "tema sistema animal coche hombre jefe lugar nombre padre papel plan final fin golpe detalle"
)
_FEMININE = word_set(
    "carmen isabel pilar mercedes raquel irene miren mano foto calle clase frase gente imagen ley luz madre mente "
    "muerte mujer noche nube parte suerte vez voz"
)
_UNTOLD = re.compile(r"\w*(?:ma|ista|ndo|ior)|mejor|peor|poeta|guía|policía|testigo|modelo|poco|nada")
_ENDINGS = (
    (FEMININE, re.compile(r"\w+(?:[cstxg]ión|dad|tad|tud|umbre|a)")),
    (MASCULINE, re.compile(r"\w+(?:o|aje|or)")),
)
# The dictionary has adverbs or feminines of them.
_NO_ADJECTIVES = word_set(
    "mal bien así mucho muchísimo demasiado poco tanto bastante cerca lejos nada algo caso cuidado lado sentido estado "
    "mercado partido pedido recado mérito secreto comida salida entrada vida medida"
)
# It has others for forms of verbs.
_ADJECTIVES = word_set("amigo enemigo bajo frito satisfecho deshecho previsto solo")
_INTENSIFIERS = word_set("muy más menos tan bastante demasiado algo poco casi siempre ya no medio todavía aún también")
# Verbs after which an adjective is said of the subject; of the second only with a pronoun: "se puso triste".
_COPULAS = word_set("ser estar quedar parecer resultar seguir andar acabar terminar continuar ir vivir salir")
_WITH_PRONOUN = word_set("poner sentir volver mostrar hacer hallar encontrar quedar")
_LIKE_ADVERBS = word_set(
    "alto bajo claro derecho directo duro fuerte hondo lento limpio rápido seguido seguro fácil feliz"
)
_BETWEEN = word_set("no ya siempre nunca también aún ahora hoy casi me te se nos os lo la le los las les")


def is_plural(word: str) -> bool:
    """Whether a noun or adjective, in lower case, is plural as its ending says."""
    return re.fullmatch(r"\w{2,}[aeo]s", word) is not None and word not in (
        "lunes",
        "martes",
        "menos",
        "antes",
        "lejos",
    )


def gender_of(word: str) -> str:
    """The gender of a noun, name or adjective in lower case; "" where its form does not say."""
    if is_plural(word):
        is_long = word.endswith(("iones", "dades", "tades", "tudes", "ores"))
        word = word.removesuffix("es").replace("ion", "ión") if is_long else word[:-1]
    if word in _MASCULINE | _FEMININE or _UNTOLD.fullmatch(word):
        return MASCULINE if word in _MASCULINE else FEMININE if word in _FEMININE else ""
    return next((gender for gender, ending in _ENDINGS if ending.fullmatch(word)), "")


def disagrees(before: str, words: Sequence[str]) -> bool:
    """Whether a determiner and what follows it plainly differ in gender or number."""
    named, first = DETERMINERS[before], word_of(words[1] if words[0] == "gran" and len(words) > 1 else words[0])
    if first in function_words("es") or first in _INTENSIFIERS or first.endswith("mente"):
        return False
    # "El agua"
    gender = "" if re.match("h?[aá]", first) and before in ("un", "el", "del", "al") else gender_of(first)
    if is_plural(first) != named.plural:
        return is_plural(first) or bool(gender)
    return bool(named.gender and gender) and gender != named.gender


@lru_cache(maxsize=5_000)
def adjective_forms(word: str) -> tuple[str, str] | None:
    """The masculine and the feminine of an adjective in the singular; None for another word.

    >>> adjective_forms("distraídas"), adjective_forms("fáciles"), adjective_forms("toalla")
    (('distraído', 'distraída'), ('fácil', 'fácil'), None)
    """
    if word in _NO_ADJECTIVES or not word.isalpha() or word in function_words("es"):
        return None
    stem = re.sub(r"[oa]s?$", "", word)
    if f"{stem}o" in _ADJECTIVES:
        return (f"{stem}o", f"{stem}a")
    base, feminine = f"{stem}o", f"{stem}a"
    if word.endswith(("és", "án", "ín")):
        # "Inglés" has another feminine, "cortés" none.
        return (word, "")
    if stem != word and len(stem) > 1 and base not in _NO_ADJECTIVES:
        is_participle = PARTICIPLE in forms_of(base, verb_of(base)) or base.endswith("ísimo")
        is_one = is_participle or lemma_of(feminine, "es") == base or is_in_dictionary(f"{feminine}mente", "es")
        return (base, feminine) if is_one else None
    singulars = (word, re.sub(r"ces$", "z", word), word.removesuffix("es"), word.removesuffix("s"))
    return next(((one, one) for one in singulars if is_in_dictionary(f"{one}mente", "es")), None)


def agreed(words: Sequence[str], before: Sequence[str], verb_at: int | None) -> list[str] | None:
    """A definition whose adjectives agree with what they are said of after the tokens `before`; None where it is not
    plain how. `verb_at`: where its verb stands among its words, None where it has none.

    >>> agreed(["muy", "fácil"], ["Las", "tareas", "son"], None)
    ['muy', 'fáciles']
    """
    first = 0 if verb_at is None else verb_at + 1
    tokens = [*before, *words[:first]]
    while tokens and verb_at is None and (word_of(tokens[-1]) in _INTENSIFIERS or tokens[-1].endswith("mente")):
        tokens.pop()
    if not tokens or ends(tokens[-1]) or (word_of(tokens[-1]) in DETERMINERS and len(tokens) >= len(before)):
        return list(words)
    verb = verb_of(word_of(tokens[-1]).removesuffix("se"))
    is_reflexive = word_of(tokens[-1]).endswith("se") or word_of("".join(tokens[-2:-1])) == "se" or verb_at is not None
    places = _adjectives(words, first)
    if verb in _COPULAS or (verb in _WITH_PRONOUN and is_reflexive):
        named = _subject(before if verb_at is not None else tokens[:-1], word_of(tokens[-1]))
        if word_of(words[-2] if len(words) == first + 2 else "") in ("el", "la", "un", "una"):
            # "El mejor", "un tonto"
            return None if adjective_forms(words[-1]) or words[-1] == "mejor" else list(words)
    elif verb_at is not None or lemma_of(tokens[-1], "es").endswith(("ar", "er", "ir", "ír")):
        # "Trabajaba duro"; of whom "dormía tranquilo" is said is not plain.
        named = None
        places = [at for at in places if word_of(words[at]) not in _LIKE_ADVERBS]
    else:
        named = DETERMINERS.get(word_of(tokens[-1])) or _phrase(tokens)
    made = list(words)
    for at in places:
        word = bare(words[at])
        masculine, feminine = adjective_forms(word.lower()) or ("", "")
        if named is None and masculine == feminine:
            continue
        if named is None or (not named.gender and masculine != feminine) or not feminine:
            return None
        one = feminine if named.gender == FEMININE else masculine
        plural = f"{one}s" if one[-1] in "aeo" else f"{one[:-1]}ces" if one[-1] == "z" else f"{one}es"
        made[at] = words[at].replace(word, plural if named.plural else one)
    return made


def _subject(before: Sequence[str], verb: str) -> Named | None:
    """The subject that ends these tokens, with the number of its verb; of that alone, where nothing more is plain."""
    persons = {int(form[-1]) for form in forms_of(verb, verb_of(verb)) if ":" in form}
    tokens = list(before)
    while tokens and word_of(tokens[-1]) in _BETWEEN and not ends(tokens[-1]):
        tokens.pop()
    while not persons and tokens and word_of(tokens[-1]) in ("a", "de", "que", "por"):
        tokens.pop()
    if not persons:
        return _subject(tokens[:-1], word_of(tokens[-1])) if tokens and verb_of(word_of(tokens[-1])) else None
    found, plural = _phrase(tokens), min(persons) > 2
    size = 2 if len(tokens) > 1 and word_of(tokens[-2]) in DETERMINERS else 1
    begins = len(tokens) <= size or ends(tokens[-size - 1]) or word_of(tokens[-size - 1]) in ("que", "cuando", "si")
    return Named(found.gender if found and begins and found.plural == plural else "", plural)


def _phrase(tokens: Sequence[str]) -> Named | None:
    """The pronoun, name, or noun with its determiner or without that ends these tokens."""
    if not tokens or ends(tokens[-1]):
        return None
    last, before = word_of(tokens[-1]), word_of(tokens[-2]) if len(tokens) > 1 else ""
    if last in _PRONOUNS:
        return _PRONOUNS[last]
    if before in DETERMINERS:
        named = DETERMINERS[before]
        is_untold = before in ("un", "el") and re.match(r"h?[aá]\w*a$", last)
        return Named("" if is_untold else named.gender or gender_of(last), named.plural)
    if last in function_words("es") or last.endswith("mente"):
        return None
    return Named(gender_of(last), is_plural(last) and tokens[-1].islower())


def _adjectives(words: Sequence[str], first: int) -> list[int]:
    """Where adjectives stand that follow each other from `first` on: "muy triste y cansado"."""
    found: list[int] = []
    at = first
    while at < len(words):
        while at < len(words) - 1 and (word_of(words[at]) in _INTENSIFIERS or words[at].endswith("mente")):
            at += 1
        if adjective_forms(word_of(words[at])) is None:
            break
        found.append(at)
        is_joined = at + 1 < len(words) and word_of(words[at + 1]) in ("y", "e", "o", "pero")
        at += 2 if is_joined else 1 if words[at].endswith(",") else len(words)
    return found
