"""Who the subject beside an English verb is: one or several, and whose "one's" is, where the words before say it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.silver.english_words import (
    BE,
    HAVE,
    MODALS,
    ends,
    helper_of,
    inflect,
    is_adverb,
    parts_of_speech,
    verb_of,
)
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# By pronoun the possessive and the reflexive one.
_OWNERS = {
    "i": ("my", "myself"), "you": ("your", "yourself"), "he": ("his", "himself"), "she": ("her", "herself"),
    "it": ("its", "itself"), "we": ("our", "ourselves"), "they": ("their", "themselves"),
}  # fmt: skip
_ONE = word_set("i he she it everyone everybody someone somebody nobody nothing everything something this that")
_SEVERAL = word_set("you we they these those both many several few")
_PLURALS = word_set("people men women children police")
_DETERMINERS = word_set("the a an my your his her its our their no each every this that these those another all some")
_CLAUSE_BEGINS_AFTER = word_set(
    "and or when because that if while before after until although though since where but so"
)
# One or several, as it is meant.
_UNTOLD = word_set(
    "sheep fish deer series crew family staff team couple lot pair rest majority number dozen data news rich poor"
)
_MAX_PHRASE_TOKENS = 4


def is_plural(before: Sequence[str]) -> bool | None:
    """Whether the subject that ends where a verb begins is several; None where that is not plain.

    >>> is_plural(["The", "old", "farmer"]), is_plural(["They", "always"]), is_plural(["The", "team"])
    (False, True, None)
    """
    tokens = list(before)
    while tokens and is_adverb(tokens[-1]) and not ends(tokens[-1]):
        tokens.pop()
    if not tokens or ends(tokens[-1]):
        return None
    last, begin = word_of(tokens[-1]), len(tokens) - 1
    if last in _ONE | _SEVERAL:
        is_joined = begin > 0 and word_of(tokens[begin - 1]) in ("and", "or")
        is_subject = last in ("i", "he", "she", "we", "they") and not is_joined
        return last in _SEVERAL if is_subject or _begins_clause(tokens[:-1]) else None
    if last in _UNTOLD | function_words("en") or "NOUN" not in parts_of_speech(last) | {"NOUN"} or _is_verbal(last):
        return None
    several = last in _PLURALS or (last.endswith("s") and not last.endswith(("ss", "us", "is")))
    is_name = last in _PLURALS or (bare(tokens[-1])[:1].isupper() and not several)
    while begin and not ends(tokens[begin - 1]) and len(tokens) - begin < _MAX_PHRASE_TOKENS:
        begin -= 1
        if word_of(tokens[begin]) in _DETERMINERS:
            is_name = not several or word_of(tokens[begin]) not in ("a", "an", "each", "every", "another")
            break
        if word_of(tokens[begin]) in function_words("en") or (is_name and not bare(tokens[begin])[:1].isupper()):
            begin += 1
            break
    return several if is_name and _begins_clause(tokens[:begin]) else None


def _is_verbal(word: str) -> bool:
    """ "The man called", "the woman smiling"."""
    return word in (inflect(verb_of(word), "VBG"), inflect(verb_of(word), "VBN")) if verb_of(word) else False


def _begins_clause(before: Sequence[str]) -> bool:
    last = word_of(before[-1]) if before else ""
    if last in ("and", "or"):
        return len(before) == 1 or ends(before[-2])
    return not before or ends(before[-1]) or last in _CLAUSE_BEGINS_AFTER


def with_owner(words: Sequence[str], before: Sequence[str], marked: Sequence[str]) -> list[str] | None:
    """A definition with the possessive of the subject for its "one's" and "oneself"; None where that is not plain.

    `before`: the tokens before the expression, whose own are `marked`.

    >>> with_owner(["struck", "one's", "foot"], ["He"], ["kicked", "it"])
    ['struck', 'his', 'foot']
    """
    if not {"one's", "oneself"} & {word_of(word) for word in words}:
        return list(words)
    tokens = list(before)
    helpers = BE | HAVE | MODALS | {"do", "does", "did", "to"}
    while tokens and not ends(tokens[-1]) and (is_adverb(tokens[-1]) or helper_of(tokens[-1]) in helpers):
        tokens.pop()
    pronoun = re.sub("['’](?:s|ve|re|d|ll|m)$", "", word_of(tokens[-1])) if tokens else "you"
    possessives = {possessive for possessive, _self in _OWNERS.values()}
    theirs = next((word for word in map(word_of, marked) if word in possessives), "")
    own, reflexive = _OWNERS.get(pronoun) or (_OWNERS["they"] if is_plural(tokens) else ("", ""))
    if theirs and not own:
        own, reflexive = next(one for one in _OWNERS.values() if one[0] == theirs)
    if not own or theirs not in ("", own):
        # "He pulled my leg": whose is meant?
        return None
    instead = {"one's": own, "oneself": reflexive}
    return [word.replace(bare(word), instead.get(word_of(word), bare(word))) for word in words]
