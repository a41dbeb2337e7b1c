"""What a figurative sentence compares: its subject, the object that it is likened to, and the relation between them.

The three parts, and how they are brought into their basic form, are those of MABL (Kabra et al., "Multi-lingual and
Multi-cultural Figurative Language Understanding", Findings of ACL 2023, section 4.1, and the scripts published with
it). They come with the sentences, or an extractor finds them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.domain.silver.english_words import BE, HAVE, MODALS, SUBJECTS, forms_of, parts_of_speech, verb_of
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, tokenise
from annotator.domain.text.word_sets import word_set

# What a basic form leaves out: MABL's list, and the same for Spanish.
_LEFT_OUT = {
    "en": word_set("the a an that"),
    "es": word_set("el la los las un una unos unas ese esa esos esas"),
}
_LINKS = word_set("be seem become look feel sound taste smell appear remain turn")
_HELPERS = BE | HAVE | MODALS | word_set("do does did 's isn't aren't wasn't weren't don't doesn't didn't won't can't")
_DETERMINERS = word_set("a an the this that these those my your his her its our their some any no every each another")
_PREPOSITIONS = word_set("of in on at by for from with to into onto over under off through between across along around")
_ADVERBS = word_set("not very so too really just also always often never still quite almost nearly about only even n't")
# A person who likes something compares nothing.
_BEFORE_LIKE_IT = word_set("i you we they to would 'd don't doesn't didn't not people really always never also")
_AFTER_VERB_LIKE = word_set("to it him them you me us")
# How far the second "as" is from the first one at most.
_APART = 7
# What is measured by something: the object is what it is measured by.
_MEASURES = word_set(
    "size shape colour color length width height depth weight age taste smell sound speed price heart mind temper voice"
)
_CONTAINS = word_set("with contains contained caused")
_THEN = word_set("today tonight yesterday")
_ENDS = word_set("because but when while who which if until unless although though whereas")
_CONTRACTED = re.compile(r"(?i)(\w+)(['’](?:s|re|m|d|ll|ve))")
_BEFORE_CONTRACTED = SUBJECTS | word_set("that there this who what life love everything")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The parts of a sentence as they stand there. A part that the sentence does not have is empty."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Extractor:
    """The embedded one, for English: "like", "than" and "as … as" introduce an object, else "be" and its like, else
    "have the … of". `name` goes on record with what it found."""

    language: str
    name: str = "small"

    def comparison(self, tokens: Sequence[str]) -> Comparison | None:
        """The parts of a sentence, split at spaces; None where it finds no object."""
        words = _split(tokens)
        lower = [word.lower().replace("’", "'") if word[0] in "'’" else bare(word).lower() or word for word in words]
        start = next((at for at in range(1, len(lower)) if _begins_predicate(lower, at)), None)
        begin = _compared(lower, start)
        if begin is None and start is not None:
            begin = _object_begin(lower, start)
        if begin is None:
            return None
        if start is None:
            # "My uncle snores like a tractor"; "as dry as chalk" has no verb.
            verbs = (at for at in range(1, begin - 1) if lower[at].endswith("s") and lower[at - 1] not in _DETERMINERS)
            start = 0 if lower[0] == "as" else next(verbs, max(begin - 2, 0))
        end = next((at for at in range(begin, len(words)) if _ends_before(words, lower, begin, at)), len(words))
        subject_end = start if start < begin else 0
        parts = (words[:subject_end], words[subject_end:begin], words[begin:end])
        found = Comparison(*(" ".join(part).strip(' ,.;:!?"“”…') for part in parts))
        return found if found.object else None


def extractor_of(language: str) -> Extractor | None:
    """The extractor for sentences in a language; None where there is none."""
    return Extractor(language) if base_language(language) == "en" else None


def basic_form(part: str, language: str) -> str:
    """A part as it is compared: lemmas in lower case, without punctuation and articles; "" of nothing else.

    In English, forms of verbs stay as they are where they are nouns or adjectives.

    >>> basic_form("The fish markets.", "en"), basic_form("A slammed door", "en")
    ('fish market', 'slammed door')
    """
    left_out = _LEFT_OUT.get(base_language(language), frozenset())
    # In lower case before they are looked up: "A Feather" is not a name.
    words = [word for token in tokenise(part) if (word := bare(token).lower())]
    is_english = base_language(language) == "en"
    return " ".join(
        word if is_english and _is_nominal(words, at) else lemma_of(word, language)
        for at, word in enumerate(words)
        if word not in left_out
    )


def _is_nominal(words: Sequence[str], at: int) -> bool:
    """Whether a form of a verb is a noun or an adjective where it stands: "a rusty saw", "broken glass"."""
    forms = forms_of(words[at], verb_of(words[at]))
    if not forms & {"VBD", "VBN", "VBG"} or words[at] in function_words("en") or verb_of(words[at]) == words[at]:
        return False
    before = at - 1
    while before >= 0 and words[before].endswith("ly"):
        before -= 1
    if before < 0:
        return "VBN" in forms and at + 1 < len(words) and "NOUN" in parts_of_speech(words[at + 1])
    word = words[before]
    return (
        word in _DETERMINERS - {"that"}
        or word.endswith(("'s", "’s"))
        or ("ADJ" in parts_of_speech(word) and word not in function_words("en") | _PREPOSITIONS)
    )


def _split(tokens: Sequence[str]) -> list[str]:
    """The words, "He's" as two."""
    found: list[str] = []
    for token in tokens:
        match = _CONTRACTED.fullmatch(token)
        found += match.groups() if match and match[1].lower() in _BEFORE_CONTRACTED else [token]
    return found


def _begins_predicate(lower: Sequence[str], at: int) -> bool:
    word, before = lower[at], lower[at - 1]
    if word in _HELPERS or before in SUBJECTS:
        return True
    is_past = "VBD" in forms_of(word, verb_of(word)) and verb_of(word) != word
    return (is_past or verb_of(word) in _LINKS) and (before not in _DETERMINERS or before in ("this", "that"))


def _compared(lower: Sequence[str], start: int | None) -> int | None:
    """Where what follows "like", "than" or the last "as" of "as … as" begins."""
    found = [at for at in range(len(lower) - 1) if _is_comparator(lower, at, start)]
    if not found:
        return None
    first = found[0]
    # "As strong as", "as soft like": the first only announces the other.
    while lower[first] == "as" and (later := [one for one in found if first < one <= first + _APART]):
        first = later[0]
    # What "as if" introduces is a clause of its own.
    begin = first + 2 if lower[first + 1] in ("if", "though") else first + 1
    return begin if begin < len(lower) else None


def _is_comparator(lower: Sequence[str], at: int, start: int | None) -> bool:
    word, before, after = lower[at], lower[at - 1] if at else "", lower[at + 1]
    if word == "than":
        return before != "rather"
    if word == "as":
        return after not in ("usual", "such", "soon") and before not in ("such", "soon")
    if word != "like" or after in _AFTER_VERB_LIKE:
        return False
    is_link = start is not None and start < at and verb_of(lower[start].lstrip("'")) in _LINKS | {"s"}
    return before not in _BEFORE_LIKE_IT or is_link or lower[max(0, at - 2)] in BE


def _object_begin(lower: Sequence[str], start: int) -> int | None:
    """Where the object begins of a sentence without a comparator."""
    at = start
    while at < len(lower) and lower[at] in _HELPERS | _ADVERBS:
        at += 1
    if at == len(lower):
        return None
    of = next((one for one in range(at, len(lower) - 1) if lower[one] == "of"), 0)
    is_held = at > start and lower[at - 1] in HAVE and lower[at] in _DETERMINERS | {"all"}
    with_it = any(lower[one] in _CONTAINS and lower[one + 1] in ("the", "all") for one in range(start, of))
    if of and (is_held or with_it or lower[of - 1] in _MEASURES):
        # "Has the strength of titanium", "lands with the grace of a swan", "is the size of a ball"
        return of + 1
    if at == start or (at + 1 < len(lower) and _goes_on(lower, at)):
        at += 1
    while at < len(lower) and lower[at] in _ADVERBS:
        at += 1
    if at < len(lower) and lower[at] in _PREPOSITIONS:
        at += 1
    return at if at < len(lower) else None


def _goes_on(lower: Sequence[str], at: int) -> bool:
    """Whether the word after helping verbs is the verb itself: "can eat", "is watching", "was left in"."""
    word, is_modal = lower[at], lower[at - 1] not in BE | HAVE | _ADVERBS | {"'s"}
    is_participle = word.endswith(("ing", "ed")) or ("VBN" in forms_of(word, verb_of(word)) and word != verb_of(word))
    return (
        is_modal
        or verb_of(word) in _LINKS
        or (is_participle and lower[at + 1] in _PREPOSITIONS)
        or word.endswith(("ing", "ed"))
    )


def _ends_before(words: Sequence[str], lower: Sequence[str], begin: int, at: int) -> bool:
    """Whether the object that begins at `begin` ends before a word: with its clause."""
    if at == begin:
        return False
    before = words[at - 1]
    is_when = (
        lower[at] in _THEN and (at + 1 == len(words) or words[at][-1] in ",.") and lower[at - 1] not in _PREPOSITIONS
    )
    return (
        is_when
        or lower[at] in _ENDS
        or not bare(words[at])
        or (before[-1:] in ",;:.!?" and not before[:-1].endswith("."))
    )
