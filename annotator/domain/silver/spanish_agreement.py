"""Agreement of a Spanish definition with what it is said of: "Ana está distraída", "las tareas son muy fáciles".

An adjective after a verb such as "estar", or alone where such a verb stands before the expression, takes gender and
number of the subject; one after a noun those of the noun. The number is that of the verb. Where the gender makes a
difference and is not plain, nothing is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.inflection.spanish import SPANISH
from annotator.domain.silver.inflection.spanish_auxiliaries import HABER
from annotator.domain.silver.inflection.spanish_forms import (
    GERUND,
    INFINITIVE,
    PARTICIPLE,
    PERSONS,
    TENSES,
    inflect,
    verb_by_spelling,
)
from annotator.domain.silver.inflection.spanish_reflexives import OBJECTS, PERSONS_OF, is_after_subject
from annotator.domain.silver.spanish_subjects import Named, ends, noun_before, subject_of
from annotator.domain.silver.spanish_words import DETERMINERS, Gender, adjective, gender_of, is_plural
from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# Verbs after which an adjective is said of the subject.
_COPULAS = word_set(
    "ser estar quedar parecer poner sentir volver resultar seguir andar permanecer mostrar hacer acabar terminar "
    "hallar encontrar mantener continuar ir venir llegar salir vivir nacer morir"
)
# Of these only with a pronoun: "se puso triste", not "puso triste a Ana".
_WITH_PRONOUN = word_set("poner sentir volver mostrar hacer hallar encontrar mantener")
# Before an infinitive, a gerund or a participle, with the same subject.
_HELPERS = word_set(
    "querer poder deber soler ir tener acabar empezar volver dejar lograr parecer seguir estar andar llevar"
)
_FINITE = [f"{tense}:{person}" for tense in TENSES for person in PERSONS]
_COPULA_OF = {
    form: verb
    for verb in sorted(_COPULAS, key=lambda verb: verb == "ser")  # "Fue" is of "ser", not of "ir".
    for form in (inflect(verb, form) for form in (*_FINITE, INFINITIVE, GERUND, PARTICIPLE))
    if form
}
_INTENSIFIERS = word_set(
    "muy más menos tan bastante demasiado algo poco casi siempre ya no medio recién todavía aún también nada mucho "
    "tanto"
)
# Of others that follow such a verb, these say how somebody is meanwhile: "dormir tranquilo".
_MEANWHILE = word_set(
    "borracho contento entero feliz loco muerto nervioso preso quieto sano solo tranquilo triste vivo"
)
_PARTICIPLE_ENDS = ("ado", "ido", "ído")
# With these it may be said of the object: "dejar callado a Juan".
_OF_OBJECT = word_set(
    "dejar poner volver hacer tener ver encontrar hallar considerar creer mostrar mantener sentir llamar"
)
# After verbs that say what is done, these say how: "trabajar duro", "se vendieron rápido".
_LIKE_ADVERBS = word_set(
    "alto bajo claro derecho directo duro fino fuerte hondo justo lento limpio rápido raro recto ronco seguido "
    "seguro fácil firme igual"
)
# After these it may as well be said how it is done: "hacer rápido", "ver claro".
_DOING = word_set("hacer ver tener llamar")
_OBJECTS = {
    "lo": Named(Gender.MASCULINE, plural=False), "la": Named(Gender.FEMININE, plural=False),
    "los": Named(Gender.MASCULINE, plural=True), "las": Named(Gender.FEMININE, plural=True),
}  # fmt: skip
_JOINING = word_set("y e o u pero ni")
_BETWEEN = word_set("a de que por no ya nunca siempre casi aún todavía también")


def same_verb(tokens: Sequence[str], begin: int, infinitive: str) -> bool:
    """Whether the verb before an expression is that of a definition: "fue [tomado por tonto]" and "ser engañado"."""
    at = _before(tokens, begin)
    return at >= 0 and _COPULA_OF.get(word_of(tokens[at])) == infinitive.removesuffix("se") != ""


def agreed(words: Sequence[str], tokens: Sequence[str], begin: int, *, verb_at: int | None) -> list[str] | None:
    """A definition whose adjectives agree with what they are said of where it stands in the place of an expression.

    `tokens` is the sentence, in which the expression begins at `begin`; `verb_at` is where the definition's verb stands
    among its words, None where it has none. None where it is not plain how they agree.

    >>> agreed(["muy", "fácil"], ["Las", "tareas", "son", "pan", "comido"], 3, verb_at=None)
    ['muy', 'fáciles']
    """
    first = 0 if verb_at is None else verb_at + 1
    places = _adjectives(words, first)
    if not places:
        return (
            None
            if _is_one_of_its_kind(words, first) and not _is_masculine(tokens, begin, verb_at, words)
            else list(words)
        )
    if verb_at is not None:
        is_said, named = _said_with(words[: verb_at + 1], _of_verb(tokens, begin))
        return _formed(words, places, named, is_said=is_said)
    at = _before(tokens, begin)
    if begin and word_of(tokens[begin - 1]) in DETERMINERS and not ends(tokens[begin - 1]):
        # The article says what can stand there.
        return list(words)
    if at >= 0 and _is_verb(tokens, at):
        is_said, named = _said_with(tokens[: at + 1], _of_verb(tokens, at))
        if not is_said and word_of(words[places[0]]) in _LIKE_ADVERBS:
            return list(words)
        # "Eso me puso [como un tomate]": of whom it is said is not told.
        is_said = is_said or (named is None and _verb_of(tokens[at]) not in _DOING)
    else:
        named = noun_before(tokens[:begin]) or _bare_noun(tokens[:begin])
        is_said = named is not None
    return _formed(words, places, named, is_said=is_said)


def _formed(words: Sequence[str], places: Sequence[int], named: Named | None, *, is_said: bool) -> list[str] | None:
    made = list(words)
    for at in places:
        word = bare(words[at])
        found = adjective(word.lower())
        if found is None or (not is_said and not _is_meanwhile(found.masculine, word)):
            continue
        if named is None or (found.has_gender and named.gender is None):
            if found.has_gender or not is_said:
                return None
            if named is None:
                continue
        form = found.form(named.gender, plural=named.plural)
        if not form or (not is_said and form != word):
            # "Dormir tranquilo", but "dejar callado".
            return None
        made[at] = words[at].replace(word, form)
    return made


def _is_meanwhile(masculine: str, word: str) -> bool:
    return word == masculine and (word in _MEANWHILE or word.endswith(_PARTICIPLE_ENDS))


def _said_with(ending: Sequence[str], subject: Named | None) -> tuple[bool, Named | None]:
    """Of what adjectives are said after the verb that ends these tokens, and whether they plainly are said of it."""
    words = [word_of(word) for token in ending[-2:] for word in token.split()]
    pronoun = words[-2] if len(words) > 1 else ""
    if _is_copula(words[-1], pronoun):
        return True, subject
    if pronoun in _OBJECTS:
        return True, _OBJECTS[pronoun]
    return False, None if pronoun in PERSONS_OF or _verb_of(words[-1]) in _OF_OBJECT else subject


def _is_copula(word: str, pronoun: str) -> bool:
    """Whether a copula with a pronoun before it is one after which an adjective is said of the subject."""
    is_infinitive = word.endswith("rse")
    copula = _COPULA_OF.get(word.removesuffix("se") if is_infinitive else word, "")
    if pronoun in _OBJECTS or not copula:
        return False
    return copula not in _WITH_PRONOUN or is_infinitive or pronoun == "se"


def _is_verb(tokens: Sequence[str], at: int) -> bool:
    if word_of(tokens[at]) in _COPULA_OF or SPANISH.is_verb(tokens, at, lemma_of(tokens[at], "es")):
        return True
    return is_after_subject(tokens[:at]) and bool(verb_by_spelling(word_of(tokens[at])))


def _verb_of(token: str) -> str:
    word = word_of(token)
    return _COPULA_OF.get(word) or lemma_of(word, "es")


def _bare_noun(before: Sequence[str]) -> Named | None:
    """A noun without a determiner that ends these tokens: "eran noches"."""
    word = word_of(before[-1]) if before and not ends(before[-1]) else ""
    if not word or word in function_words("es") or not before[-1].islower() or word.endswith("mente"):
        return None
    return Named(gender_of(word), is_plural(word))


def _adjectives(words: Sequence[str], first: int) -> list[int]:
    """Where adjectives stand that follow each other from `first` on: "muy triste y cansado"."""
    found: list[int] = []
    at = first
    while at < len(words):
        at = _after_intensifiers(words, at)
        if at == len(words) or word_of(words[at]) in function_words("es") or adjective(word_of(words[at])) is None:
            break
        found.append(at)
        goes_on = words[at].endswith(",")
        at += 1
        if at < len(words) and word_of(words[at]) in _JOINING:
            at += 1
        elif not goes_on:
            break
    return found


def _after_intensifiers(words: Sequence[str], at: int) -> int:
    while at < len(words) - 1:
        word = word_of(words[at])
        if word == "un" and word_of(words[at + 1]) == "poco" and at + 2 < len(words):
            at += 2
        elif word in _INTENSIFIERS or (word.endswith("mente") and word != "mente"):
            at += 1
        else:
            break
    return at


def _is_one_of_its_kind(words: Sequence[str], first: int) -> bool:
    """Whether it is called one by its property: "ser el mejor", "un tonto"."""
    two = [word_of(word) for word in words[first : first + 3]]
    if (
        len(two) < 2
        or two[0] not in ("el", "un", "la", "una")
        or (len(two) > 2 and two[2] not in ("de", "del", "y", "en"))
    ):
        return False
    found = adjective(two[1])
    return two[1] in ("mejor", "peor") or (found is not None and found.has_gender)


def _is_masculine(tokens: Sequence[str], begin: int, verb_at: int | None, words: Sequence[str]) -> bool:
    """Whether an article in the definition has the gender and number of the subject."""
    at = begin if verb_at is not None else _before(tokens, begin)
    if at < 0 or (verb_at is None and word_of(tokens[at]) not in _COPULA_OF):
        return True
    named = _of_verb(tokens, at)
    article = DETERMINERS[word_of(words[0 if verb_at is None else verb_at + 1])]
    return named is not None and (named.gender, named.plural) == article


def _before(tokens: Sequence[str], begin: int) -> int:
    """Where the word stands on which an expression at `begin` follows, without adverbs; -1 where there is none."""
    at = begin - 1
    while at >= 0 and (word_of(tokens[at]) in _INTENSIFIERS or word_of(tokens[at]).endswith("mente")):
        at -= 1
    return at if at >= 0 and not ends(tokens[at]) else -1


def _of_verb(tokens: Sequence[str], at: int) -> Named | None:
    """Gender of the subject of the verb at `at`, and the number of the finite verb on which it depends; None where that
    is not plain."""
    while at < len(tokens) - 1 and word_of(tokens[at]) in OBJECTS | {"no"}:
        at += 1
    first = at
    while at >= 0 and not _is_finite(tokens, at):
        at -= 1
        while at >= 0 and not ends(tokens[at]) and word_of(tokens[at]) in _BETWEEN | OBJECTS:
            at -= 1
        if at < 0 or ends(tokens[at]) or not _is_helper(word_of(tokens[at])) or first - at > 6:
            return None
    if at < 0:
        return None
    plural = _number(tokens[at])
    found = subject_of(tokens[:at])
    gender = found.gender if found is not None and found.plural == plural else None
    return None if plural is None else Named(gender, plural)


def _is_helper(word: str) -> bool:
    return word in HABER or lemma_of(word, "es") in _HELPERS or _COPULA_OF.get(word) in _HELPERS


def _is_finite(tokens: Sequence[str], at: int) -> bool:
    word = word_of(tokens[at])
    if word.removesuffix("se").endswith(("ar", "er", "ir", "ír", "ndo")):
        return False
    return not (at and word_of(tokens[at - 1]) in HABER)


def _number(token: str) -> bool | None:
    """Whether a finite verb is plural; None for a form that is none."""
    word = word_of(token)
    if not word or word.removesuffix("se").endswith(("ar", "er", "ir", "ír", "ndo")):
        return None
    return word.endswith(("n", "mos", "áis", "éis", "ís", "teis", "sois", "ais"))
