"""Whose "one's" and "oneself" of an English definition are where it stands: "he struck a pail with his foot".

The subject before the expression says it, or a possessive in it ("[lost her temper]"). Nothing is guessed: a singular
noun may be a man, a woman or a thing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from annotator.domain.silver.inflection.english_before import BETWEEN, helper_of
from annotator.domain.silver.inflection.english_subjects import Number, subject_number
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# By possessive the pronouns whose it is, and the reflexive one.
_OWNERS = {
    "my": ("i me", "myself"),
    "your": ("you", "yourself"),
    "his": ("he him", "himself"),
    "her": ("she her", "herself"),
    "its": ("it", "itself"),
    "our": ("we us", "ourselves"),
    "their": ("they them everyone everybody someone somebody nobody", "themselves"),
    "one's": ("one", "oneself"),
}
_POSSESSIVE_OF = {owner: possessive for possessive, (owners, _self) in _OWNERS.items() for owner in owners.split()}
_SELF_OF = {possessive: reflexive for possessive, (_owners, reflexive) in _OWNERS.items()}
_ONES = word_set("one's oneself")
# Between a subject and its verb.
_HELPERS = word_set(
    "am is are was were be been being have has had having do does did will would shall should can could may might must "
    "cannot to want wants wanted try tries tried seem seems seemed begin begins began going gonna"
)


def has_ones(words: Sequence[str]) -> bool:
    """Whether a definition says "one's" or "oneself"."""
    return any(word_of(word) in _ONES for word in words)


def with_owner(words: Sequence[str], tokens: Sequence[str], marked: Sequence[int]) -> list[str] | None:
    """A definition with the possessive of whom it is said of where the expression `marked` stands; None where that is
    not plain.

    >>> with_owner(["struck", "one's", "foot"], ["He", "kicked", "it"], (1, 2))
    ['struck', 'his', 'foot']
    """
    theirs, ours = _owner_in([word_of(tokens[at]) for at in marked]), _owner_before(tokens[: marked[0]])
    owner = ours or theirs
    if not owner or (theirs and theirs != owner):
        # "He pulled my leg": whose is meant?
        return None
    instead = {"one's": owner, "oneself": _SELF_OF[owner]}
    return [word.replace(bare(word), instead.get(word_of(word), bare(word))) for word in words]


def _owner_in(words: Sequence[str]) -> str:
    """The possessive in an expression; "her" may be an object there ("told her off")."""
    found = (
        word
        for word, follows in pairwise((*words, ""))
        if word in _SELF_OF and follows and (word != "her" or follows not in function_words("en"))
    )
    return next(found, "")


def _owner_before(before: Sequence[str]) -> str:
    """The possessive of the subject that these tokens end on, apart from helping verbs and adverbs; "" where it is not
    plain."""
    end = len(before)
    while end and not _ends(before[end - 1]) and _is_between(before[end - 1]):
        end -= 1
    if not end:
        # "Strike a pail", "to strike a pail"
        return "one's" if "to" in map(word_of, before) else "your"
    if _ends(before[end - 1]):
        return ""
    pronoun = re.sub("'(?:s|ve|re|d|ll|m)$", "", word_of(before[end - 1]))
    if pronoun in _POSSESSIVE_OF:
        return _POSSESSIVE_OF[pronoun]
    return "their" if subject_number(before[:end]) is Number.PLURAL else ""


def _is_between(token: str) -> bool:
    word = word_of(token)
    return word in BETWEEN | _HELPERS or word.endswith(("n't", "ly")) or helper_of(token) == f"'{word}"


def _ends(token: str) -> bool:
    return not bare(token) or not token.endswith(bare(token))
