"""English verbs by what they cannot be part of: no progressive of "know", no passive of "die"."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.inflection.english_before import DETERMINERS, SUBJECTS
from annotator.domain.silver.inflection.english_forms import GERUND, PARTICIPLE, base_of, forms_by_spelling
from annotator.domain.text.function_words import function_words
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.domain.text.word_sets import word_set

# States, of which nobody is in the middle: "he was knowing it".
_STATES = word_set(
    "believe belong comprise concern consist contain deserve detest dislike equal exist hate have know lack like "
    "loathe love matter mean need owe own possess prefer realise realize recognise recognize remember resemble seem "
    "suffice suppose understand want"
)
# With these "have" is no state: "was having fun".
_HAD = word_set(
    "affair argument baby breakdown breakfast break chat conversation crisis difficulties difficulty dinner "
    "discussion doubts effect experience fight fit fun impact laugh lunch meal nightmare party problem problems "
    "quarrel row second sex success talk thoughts time trouble"
)
# They take no object, so that they have no passive.
_WITHOUT_OBJECT = word_set(
    "act agree appear arise arrive become behave blush collapse come complain cry decline despair deteriorate die "
    "disagree disappear emerge escape exist fail faint fall flourish go happen hesitate languish last laugh lie live "
    "matter occur panic perish persist prosper rely relax remain rest retire rise rot seem sit sleep smile struggle "
    "succeed suffer survive thrive vanish wait weep work worry"
)
# They may keep an object in the passive: "she was told the truth".
_TWO_OBJECTS = word_set("allow ask award be deny give grant hand leave lend offer pay promise send show teach tell")
# Or what they make of it: "he was made responsible".
_MAKING_SO = word_set(
    "be call consider declare deem drive find get hold keep leave make name paint prove put render send set strike "
    "think turn"
)
_OBJECTS = word_set(
    "me you him her it us them this that these those someone something everyone everything people money all "
    "both half some any each every several many"
)


def has_progressive(verb: str, rest: Sequence[str]) -> bool:
    """Whether somebody may be in the middle of it; `rest` is what follows the verb."""
    return verb not in _STATES or (verb == "have" and bool(_HAD.intersection(map(word_of, rest))))


def has_passive(verb: str, rest: Sequence[str]) -> bool:
    """Whether a verb with `rest` after it may stand in the passive: what it acts on is its subject then, and no object
    follows it."""
    if verb == "be" or verb in _TWO_OBJECTS:
        return True
    if verb in _WITHOUT_OBJECT:
        return False
    follows = word_of(rest[0]) if rest else ""
    if follows in DETERMINERS | _OBJECTS:
        return False
    return verb in _MAKING_SO or not follows or follows.endswith("ly") or _is_no_noun(follows)


def is_passive(tokens: Sequence[str]) -> bool:
    """Whether an expression begins with a passive, as "was taken for a ride" does: a form of "be" or "get" and a
    participle."""
    words = [word_of(token) for token in tokens]
    at = next((at for at, word in enumerate(words[1:], 1) if not word.endswith("ly")), 0)
    if not at or words[0] not in _BEFORE_PASSIVE:
        return False
    word = words[at]
    forms = forms_by_spelling(word, base_of(word, lemma_of(word, "en")))
    return PARTICIPLE in forms and GERUND not in forms


def stands_for_passive(verb: str, rest: Sequence[str]) -> bool:
    """Whether a definition's verb may stand in the place of a passive as it is: "was made of money", "own much".

    One that could have an object and has none ("deceive") would turn round who does it to whom.
    """
    return verb == "be" or verb in _WITHOUT_OBJECT or (bool(rest) and not _is_no_noun(word_of(rest[0])))


def _is_no_noun(word: str) -> bool:
    return word in _PARTICLES or (word in function_words("en") and word not in DETERMINERS | SUBJECTS | _OBJECTS)


_BEFORE_PASSIVE = word_set("be am is are was were been being get gets got getting gotten")
_PARTICLES = word_set("up down off out away back aside apart together again to")
