"""Gender of the subject before a Spanish verb, and of a noun before what describes it, where that is plain.

Nothing is guessed: of a subject that stands after its verb or nowhere, or in a clause that is not read to its end,
nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.silver.inflection.spanish_reflexives import OBJECTS
from annotator.domain.silver.spanish_words import DETERMINERS, Gender, gender_of, gender_of_name
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set


@dataclass(frozen=True, slots=True)
class Named:
    """What a phrase names: its gender, None where that is not plain, and whether it is several."""

    gender: Gender | None
    plural: bool


_PRONOUNS = {
    word: Named(gender, plural)
    for gender, plural, words in (
        (Gender.MASCULINE, False, "él nadie alguien uno alguno ninguno este ese aquel esto eso aquello ello todo"),
        (Gender.FEMININE, False, "ella una alguna ninguna esta esa aquella"),
        (Gender.MASCULINE, True, "ellos nosotros vosotros todos ambos algunos muchos estos esos"),
        (Gender.FEMININE, True, "ellas nosotras vosotras todas ambas algunas muchas estas esas"),
        (None, False, "yo tú usted"),
        (None, True, "ustedes"),
    )
    for word in words.split()
}
_NUMBERS = word_set("dos tres cuatro cinco seis siete ocho nueve diez varios varias muchos muchas ambos ambas")
_BEFORE_DETERMINERS = word_set("todo toda todos todas")
_CLAUSE_BEGINS = word_set("que pero cuando si porque aunque mientras donde pues")
_AND = word_set("y e")
_JOINED_TO = word_set("de del con en sin y e o u ni")
_ADVERBS = word_set("no ya siempre nunca jamás también tampoco todavía aún ahora hoy ayer casi apenas sólo entonces")
_TIMES = word_set(
    "lunes martes miércoles jueves viernes sábado domingo mañana tarde noche semana mes año día verano invierno otoño "
    "primavera vez momento rato"
)
# Before a feminine noun with a stressed "a" they say nothing: "el agua".
_BEFORE_STRESSED_A = word_set("un el algún ningún")
_LONGEST_PHRASE = 4


def subject_of(before: Sequence[str]) -> Named | None:
    """The subject that these tokens end on, which stand before a verb and its pronouns; None where it is not plain.

    >>> subject_of(["Ayer", "las", "hermanas", "de", "Juan", "no"]), subject_of(["En", "casa", "de", "Ana"])
    (Named(gender=<Gender.FEMININE: 'feminine'>, plural=True), None)
    """
    end = len(before)
    while end and not ends(before[end - 1]) and (_is_adverb(before[end - 1]) or word_of(before[end - 1]) in OBJECTS):
        end -= 1
    if not end or ends(before[end - 1]):
        return None
    if word_of(before[end - 1]) == "que":
        # "La niña que está": what is named before it.
        return noun_before(before[: end - 1])
    begin = end
    while begin and not ends(before[begin - 1]) and word_of(before[begin - 1]) not in _CLAUSE_BEGINS:
        begin -= 1
    while begin < end - 1 and (_is_adverb(before[begin]) or word_of(before[begin]) in _AND):
        begin += 1
    found, read = _phrases(before[begin:end])
    return found if begin + read == end else None


def noun_before(tokens: Sequence[str]) -> Named | None:
    """The noun phrase that the tokens end on: a pronoun, a name, or a noun with its determiner. None for one that is
    joined to another, of which either may be meant: "el hermano de la niña"."""
    for at in range(len(tokens) - 1, max(-1, len(tokens) - 1 - _LONGEST_PHRASE), -1):
        if ends(tokens[at]):
            break
        found, read = _phrase(tokens[at:], or_time=True)
        if found is not None and at + read == len(tokens):
            more = bool(at) and not ends(tokens[at - 1])
            if more and tokens[at][:1].isupper() and tokens[at - 1][:1].isupper():
                continue
            return None if more and word_of(tokens[at - 1]) in _JOINED_TO else found
    return None


def ends(token: str) -> bool:
    """Whether punctuation stands at its end, or it is nothing else."""
    return not bare(token) or not token.endswith(bare(token))


def _phrases(tokens: Sequence[str]) -> tuple[Named | None, int]:
    """The phrase that tokens begin with, with what is joined to it, and how many of them it takes."""
    found, at = _phrase(tokens)
    while found is not None and at + 1 < len(tokens) and word_of(tokens[at]) in _JOINED_TO:
        word = word_of(tokens[at])
        other, read = _phrase(tokens[at + 1 :])
        if other is None and word in ("de", "en", "con", "sin", "del"):
            # "De guerra", "del quinto"
            read = 1 if _is_open(tokens[at + 1]) else 0
        elif other is not None and word in _AND:
            both = {found.gender, other.gender}
            found = Named(
                Gender.MASCULINE if Gender.MASCULINE in both else both.pop() if len(both) == 1 else None, True
            )
        elif word not in ("de", "en", "con", "sin"):
            return None, 0
        if not read:
            return None, 0
        at += 1 + read
    return found, at


def _phrase(tokens: Sequence[str], *, or_time: bool = False) -> tuple[Named | None, int]:
    """The pronoun, name or noun with its determiner that tokens begin with, and how many of them it takes. `or_time`:
    also one that may say when something happens, "this night"."""
    words = [word_of(token) for token in tokens[: _LONGEST_PHRASE + 1]]
    if not words:
        return None, 0
    at = 1 if words[0] in _BEFORE_DETERMINERS and len(words) > 1 and words[1] in DETERMINERS else 0
    first = words[at]
    if (first in DETERMINERS or first in _NUMBERS) and at + 1 < len(words):
        noun = at + (2 if words[at + 1] in _NUMBERS else 1)
        if noun < len(words) and _is_open(tokens[noun]) and (or_time or words[noun] not in _TIMES):
            end = noun + 1
            if end < len(words) and tokens[end].islower() and _is_open(tokens[end]):
                # An adjective.
                end += 1
            return _of_noun(first, words[noun]), end
    if words[at] in _PRONOUNS and not at:
        return _PRONOUNS[words[0]], 1
    if _is_name(tokens[0]):
        end = next((at for at, token in enumerate(tokens) if not _is_name(token)), len(tokens))
        return Named(gender_of_name(words[0]), plural=False), end
    return None, 0


def _of_noun(determiner: str, noun: str) -> Named:
    gender, plural = DETERMINERS.get(determiner, (None, True))
    if determiner in _BEFORE_STRESSED_A and noun.startswith(("a", "á", "ha", "há")) and noun.endswith("a"):
        return Named(None, plural)
    return Named(gender or gender_of(noun), plural)


def _is_name(token: str) -> bool:
    return token[:1].isupper() and _is_open(token)


def _is_open(token: str) -> bool:
    return bool(word_of(token)) and word_of(token) not in function_words("es") and not _is_adverb(token)


def _is_adverb(token: str) -> bool:
    word = word_of(token)
    return word in _ADVERBS or (word.endswith("mente") and len(word) > len("mente") + 2)
