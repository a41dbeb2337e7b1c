"""Spanish pronouns before verbs: "se lavó" and "me lavé" are of "lavarse", "me tomó" is not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# By pronoun the persons with which it is reflexive.
PERSONS_OF: Final = {"me": (0,), "te": (1,), "se": (2, 5), "nos": (3,), "os": (4,)}
# Pronouns that stand before a verb as its object.
OBJECTS = word_set("me te se nos os lo la le los las les")
_I, _HE_OR_SHE = 0, 2
_SINGULAR = word_set("él ella usted alguien nadie quien")
_SUBJECTS = word_set("yo tú él ella usted nosotros nosotras vosotros vosotras ellos ellas ustedes")
_NO = word_set("no nunca siempre ya también")
_WISHES = word_set("ojalá quizá quizás acaso")
_DETERMINERS = word_set("el la un una mi tu su este esta ese esa aquel aquella cada nuestro nuestra")
# Determiner, words between, noun.
_LONGEST_PHRASE = 4


def is_reflexive(infinitive: str) -> bool:
    return infinitive.endswith(("arse", "erse", "irse", "írse"))


def object_of(infinitive: str) -> str:
    """The pronoun that is an infinitive's object: "me" of "asustarme"; "" where there is none, as in "muerte"."""
    pronoun = next(
        (word for word in OBJECTS - {"se"} if infinitive.endswith((f"ar{word}", f"er{word}", f"ir{word}"))), ""
    )
    return pronoun if pronoun and lemma_of(infinitive, "es") == infinitive.removesuffix(pronoun) else ""


def agreeing(forms: Collection[str], pronoun: str) -> frozenset[str]:
    """Those finite forms whose person is that of a reflexive pronoun; none after another word."""
    return frozenset(form for form in forms if ":" in form and int(form[-1]) in PERSONS_OF.get(pronoun, ()))


def of_one_person(forms: frozenset[str], before: Sequence[str]) -> frozenset[str]:
    """Of forms that "I" and "he" share ("estaba"), those of the subject before the verb, where it is plain."""
    person = _person(before)
    return frozenset(form for form in forms if form.endswith(f":{person}")) or forms


def is_after_subject(before: Sequence[str]) -> bool:
    """Whether a subject ends these tokens, apart from "no" and pronouns of the verb, so that a verb comes next.

    >>> is_after_subject(["Tú", "no"]), is_after_subject(["Es"])
    (True, False)
    """
    tokens = list(before)
    while tokens and word_of(tokens[-1]) in OBJECTS | _NO:
        if word_of(tokens.pop()) in _NO and not tokens:
            return True
    return bool(tokens) and (word_of(tokens[-1]) in _SUBJECTS or _person(tokens) is not None)


def _person(before: Sequence[str]) -> int | None:
    """Of the subject in the singular that ends these tokens: a pronoun, a name, or a noun with its determiner."""
    if not before or not before[-1].endswith(bare(before[-1])):
        return None
    last = word_of(before[-1])
    if last == "yo":
        return _I
    if last in _SINGULAR:
        return _HE_OR_SHE
    closed = function_words("es")
    if not last or last in closed or last.endswith("mente"):
        return None
    for at in range(len(before) - 2, max(-1, len(before) - 1 - _LONGEST_PHRASE), -1):
        word = word_of(before[at])
        if word in _DETERMINERS:
            # After a preposition or a verb it is no subject.
            return _HE_OR_SHE if not at or not bare(before[at - 1]) or _ends(before[at - 1]) else None
        if word in closed or _ends(before[at]):
            break
    is_name = (
        before[-1][:1].isupper()
        and last not in _WISHES
        and (len(before) == 1 or _ends(before[-2]) or word_of(before[-2]) == "que")
    )
    return _HE_OR_SHE if is_name else None


def _ends(token: str) -> bool:
    return not token.endswith(bare(token)) or word_of(token) in ("que", "cuando", "y", "si", "porque", "pero")
