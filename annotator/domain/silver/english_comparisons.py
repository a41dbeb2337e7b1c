"""Subject, relation and object of an English sentence that compares, told by closed classes of words.

There is no parser: "like", "than" and "as … as" introduce an object, else a form of "be" and its like, else "have the …
of". A sentence with none of these has no parts here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.text.tokens import bare
from annotator.domain.text.word_sets import word_set

Parts = tuple[str, str, str]


_BE = word_set("is are was were am be been being isn't aren't wasn't weren't")
_LINKS = _BE | word_set(
    "seem seems seemed become becomes became look looks looked feel feels felt sound sounds sounded taste tastes "
    "tasted smell smells smelled smelt appear appears appeared remain remains remained turn turns turned"
)
_HAVE = word_set("has have had having")
_MODALS = word_set(
    "will would can could may might must shall should do does did don't doesn't didn't won't can't couldn't wouldn't "
    "'d 'll"
)
_HELPERS = _BE | _HAVE | _MODALS | {"'ve"}
# Past forms that do not end in -ed.
_PAST = word_set(
    "ate beat began bit blew broke brought built burnt came caught chose cut did drank drew drove fell fought flew "
    "found gave got grew hit held kept knew laid left lit lost made meant met paid put ran rang read rode rose said "
    "sang sat saw sent set shone shook shot slept slid sold spent spoke spread stood stole stuck struck swam swept "
    "swore taught thought threw told took tore went won wore wrote"
)
_DETERMINERS = word_set("a an the this that these those my your his her its our their some any no every each")
_PRONOUNS = word_set("i you he she it we they this that these those there who what everything everyone someone nobody")
_PREPOSITIONS = word_set(
    "of in on at by for from with to into onto over under off through between across along around against inside behind"
)
# Whoever likes something compares nothing.
_BEFORE_LIKE_IT = word_set("i you we they to would 'd don't doesn't didn't not people really who always never also")
_AFTER_VERB_LIKE = word_set("to it him them you me us")
_NOT_AS = word_set("usual such")
_UNREAL = word_set("if though")
_CONJUNCTIONS = word_set("soon well far long")
_SUBJECTS = word_set("he she it i you we they")
# How far the second "as" is from the first one at most.
_APART = 7
# Between a verb and what it says.
_ADVERBS = word_set(
    "not very so too really just also always often never still already quite rather almost nearly about only even "
    "truly totally completely definitely basically simply merely such n't"
)
_CONTAINS = word_set("with contains contained caused")
# What is measured by something: the object is what it is measured by.
_MEASURES = word_set(
    "size shape colour color length width height depth weight age taste smell sound speed price heart mind temper "
    "voice strength texture consistency flavor flavour"
)
_ENDS = word_set("because but when while who which if until unless although though whereas")
# "That morning" after the object says when.
_WHICH_TIME = word_set("this that last next every all each")
_TIMES = word_set(
    "morning noon afternoon evening night day week weekend month year hour moment time summer winter spring autumn "
    "season"
)
_THEN = word_set("today tonight yesterday tomorrow")
_CONTRACTED = re.compile(
    r"(?i)(i|you|he|she|it|we|they|that|there|this|who|what|life|love|everything)(['’](?:s|re|m|d|ll|ve))"
)


def find_parts(tokens: Sequence[str]) -> Parts | None:
    """Subject, relation and object as they stand in a sentence; None where no object is found."""
    words = _split(tokens)
    lower = [_as_listed(word) for word in words]
    start = _predicate(lower)
    begin = _compared(lower, start)
    if begin is None and start is not None:
        begin = _said(lower, start)
    if begin is None:
        return None
    if start is None:
        start = _predicate_before(lower, begin - 1)
    end = _end(words, lower, begin)
    subject_end = start if start is not None and start < begin else 0
    parts = [_text(words[:subject_end]), _text(words[subject_end:begin]), _text(words[begin:end])]
    return (parts[0], parts[1], parts[2]) if parts[2] else None


def _split(tokens: Sequence[str]) -> list[str]:
    """The words, "He's" as two."""
    found: list[str] = []
    for token in tokens:
        match = _CONTRACTED.fullmatch(token)
        found += [match[1], match[2]] if match else [token]
    return found


def _as_listed(word: str) -> str:
    """A word as the lists have it: "'s" with its apostrophe, others bare."""
    if word[0] in "'’" and len(word) <= len("'ll"):
        return word.lower().replace("’", "'")
    return bare(word).lower().replace("’", "'") or word


def _predicate(lower: Sequence[str]) -> int | None:
    """Where the predicate begins."""
    for index in range(1, len(lower)):
        word, before = lower[index], lower[index - 1]
        if word in _HELPERS or word in ("'s", "'re", "'m"):
            return index
        if before in _DETERMINERS and before not in _PRONOUNS:
            continue
        if word in _LINKS | _PAST or (len(word) > 4 and word.endswith("ed")) or before in _SUBJECTS:
            return index
    return None


def _predicate_before(lower: Sequence[str], end: int) -> int | None:
    """The same where no form of a known verb is there: a word in -s that no determiner precedes, else the last word."""
    if lower[0] == "as":
        # "As dry as chalk": there is no verb.
        return None
    for index in range(1, end):
        word, before = lower[index], lower[index - 1]
        of_noun = before in _DETERMINERS or before.endswith("'s")
        if word.endswith("s") and not word.endswith(("ss", "'s")) and not of_noun:
            return index
    return end - 1 if end > 1 else None


def _compared(lower: Sequence[str], start: int | None) -> int | None:
    """Where what follows "like", "than" or the last "as" of "as … as" begins."""
    found = [index for index in range(len(lower) - 1) if _is_comparator(lower, index, start)]
    if not found:
        return None
    first = found[0]
    # "as strong as", "as soft like", "as good than": the first only announces the other.
    while lower[first] == "as" and (later := [one for one in found if first < one <= first + _APART]):
        first = later[0]
    # What "as if" introduces is a clause of its own.
    begin = first + 2 if lower[first + 1] in _UNREAL else first + 1
    return begin if begin < len(lower) else None


def _is_comparator(lower: Sequence[str], index: int, start: int | None) -> bool:
    word, before, after = lower[index], lower[index - 1] if index else "", lower[index + 1]
    if word == "than":
        return before != "rather"
    if word == "as":
        return after not in _NOT_AS and before != "such" and not _joins(lower, index, start)
    if word != "like" or after in _AFTER_VERB_LIKE:
        return False
    return before not in _BEFORE_LIKE_IT or (start is not None and start < index and lower[start] in _LINKS)


def _joins(lower: Sequence[str], index: int, start: int | None) -> bool:
    """Whether an "as" is one of the conjunctions "as soon as", "as long as", "as well as"."""
    first = index if lower[index + 1] in _CONJUNCTIONS else index - 2
    if first < 0 or lower[first] != "as" or lower[first + 1] not in _CONJUNCTIONS:
        return False
    return (
        lower[first + 1] == "soon" or start is None or first == 0 or lower[first - 1] not in {lower[start], *_ADVERBS}
    )


def _said(lower: Sequence[str], start: int) -> int | None:
    """Where the object begins of a sentence without a comparator."""
    at = start
    while at < len(lower) and (lower[at] in _HELPERS | _ADVERBS or lower[at] in ("'s", "'re", "'m")):
        at += 1
    if at == len(lower):
        return None
    helpers = lower[start:at]
    measured = _of_measure(lower, start, at)
    if measured is not None:
        return measured
    if not helpers or (at + 1 < len(lower) and _goes_on(lower, at)):
        at += 1
    while at < len(lower) and lower[at] in _ADVERBS:
        at += 1
    if at < len(lower) and lower[at] in _PREPOSITIONS:
        at += 1
    return at if at < len(lower) else None


def _goes_on(lower: Sequence[str], at: int) -> bool:
    """Whether the word after helping verbs is the verb itself: "can eat", "is watching", "was left in"."""
    word, after = lower[at], lower[at + 1]
    participle = word.endswith(("ing", "ed")) or (word in _PAST and after in _PREPOSITIONS)
    return participle or word in _LINKS or lower[at - 1] in _MODALS


def _of_measure(lower: Sequence[str], start: int, at: int) -> int | None:
    """Where the object begins of "has the strength of titanium", "lands with the grace of a swan", "is the size of a
    ball"; None where nothing is measured."""
    of = next((index for index in range(at, len(lower) - 1) if lower[index] == "of"), None)
    if of is None:
        return None
    held = at > start and lower[at - 1] in _HAVE and lower[at] in _DETERMINERS | {"all"}
    with_it = any(lower[index] in _CONTAINS and lower[index + 1] in ("the", "all") for index in range(start, of))
    return of + 1 if held or with_it or lower[of - 1] in _MEASURES else None


def _end(words: Sequence[str], lower: Sequence[str], begin: int) -> int:
    """Where the object ends: with its clause."""
    for index in range(begin, len(words)):
        if index > begin and (lower[index] in _ENDS or bare(words[index]) == "" or _says_when(words, lower, index)):
            return index
        if index + 1 < len(words) and words[index][-1:] in ",;:.!?" and not words[index][:-1].endswith("."):
            return index + 1
    return len(words)


def _says_when(words: Sequence[str], lower: Sequence[str], index: int) -> bool:
    """Whether the clause ends with when it was: "that morning", "today"."""
    if lower[index - 1] in _DETERMINERS | _PREPOSITIONS | _HELPERS | _ADVERBS:
        # "As if there were no tomorrow", "the nation of tomorrow".
        return False
    end = index if lower[index] in _THEN else index + 1
    if end > index and (end == len(words) or lower[index] not in _WHICH_TIME or lower[end] not in _TIMES):
        return False
    return end + 1 == len(words) or words[end][-1] in ",;:.!?" or lower[end + 1] in _ENDS


def _text(words: Sequence[str]) -> str:
    """Words as one text, without punctuation at its edges."""
    return " ".join(words).strip(' ,.;:!?"“”…')
