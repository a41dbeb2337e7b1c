"""Whether the subject beside an English verb is one or several, where the words before the verb make that plain.

"Was" and "were" depend on it. Nothing is guessed: of "The friends of the king", nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set


class Number(Enum):
    """How many a subject names, as its verb says it."""

    SINGULAR = "singular"
    PLURAL = "plural"


_ONE, _SEVERAL = word_set("i he she"), word_set("we they")
# These may be an object, too: "those who met you". They are subjects where a clause begins with them.
_ONE_FIRST = word_set(
    "it everyone everybody everything someone somebody something nobody nothing anyone anybody anything one this that"
)
_SEVERAL_FIRST = word_set("you these those both many several few")
_DETERMINERS_OF_ONE = word_set("a an another each every this that one")
_DETERMINERS_OF_SEVERAL = word_set("these those both many several few two three four five six seven eight nine ten")
_DETERMINERS = word_set("the my your his her its our their no")
_PLURALS = word_set("people men women children police folk feet teeth mice geese oxen cattle")
_SINGULARS_IN_S = word_set("boss bus lens news virus james chris charles thomas")
# One or several, as it is meant: "the deer", "the rich", "the team".
_UNTOLD = word_set(
    "sheep fish deer series species crew family staff team couple lot pair rest majority minority number most media "
    "data audience committee government public rich poor old young dead living sick blind deaf homeless elderly "
    "unemployed wounded english french dutch irish british"
)
# Before a subject: its verb stands in the base form, or may do so.
_BEFORE_BASE_OF_SUBJECT = word_set(
    "do does did will would shall should can could may might must that lest let make makes made have has had help "
    "helps helped see sees saw watch watches watched hear hears heard feel felt"
)
_CLAUSE_BEGINS_AFTER = word_set(
    "when because that if while before after until although though since where but so then yet as whether once and or"
)
_NO_NAMES = word_set(
    "then later once soon today yesterday perhaps maybe here there now still thus hence next first meanwhile "
    "afterwards sometimes instead nevertheless never always often just also already really only even ever"
)
# Not names: "Sally".
_ADVERB = re.compile(r"(?!(?:sal|mol|pol|hol|mil|el|kel|shel|emi|li|wal|wil|be?ver|kimber|cici|ita|ju|fami)ly$)\w+ly")
# Verbs, as in "the man sleeping" and "the man called".
_VERBAL = re.compile(r"\w+(?:ing|ed)")
# Determiner, words between, noun.
_LONGEST_PHRASE = 5


def subject_number(before: Sequence[str]) -> Number | None:
    """The number of the subject that ends where a verb begins; None where it is not plain.

    `before` are the tokens before the verb, as they stand in the sentence.

    >>> subject_number(["The", "old", "farmer"]), subject_number(["My", "uncle", "and", "I"])
    (<Number.SINGULAR: 'singular'>, <Number.PLURAL: 'plural'>)
    """
    end = len(before)
    while end and (_ADVERB.fullmatch(word_of(before[end - 1])) or word_of(before[end - 1]) in _NO_NAMES):
        end -= 1
    if end and word_of(before[end - 1]) == "who":
        # It stands for what is before it, with or without a comma.
        end -= 1
        if end and not word_of(before[end - 1]):
            end -= 1
        tokens = [*before[: end - 1], before[end - 1].rstrip(",")] if end else []
    else:
        tokens = list(before[:end])
    return _of_phrases(tokens)


def person_before(before: Sequence[str]) -> Number | None:
    """The number of a subject whose verb is not in the base form; None for "I", too, which takes no -s.

    None where it is not plain, where a verb before the subject takes the base form ("did he let", "watch Marta let"),
    and after "that" and "lest", which do so ("they ask that she let").
    """
    number = subject_number(before)
    if number is None:
        return None
    words = [word_of(token) for token in before]
    while words and (_ADVERB.fullmatch(words[-1]) or words[-1] in _NO_NAMES or words[-1] in ("", "who")):
        words.pop()
    phrase = _last_phrase(before[: len(words)])
    if phrase is None or words[-1] == "i":
        return None
    begin = phrase[1]
    said_before = words[begin - 1] if begin else ""
    # "Watch Marta" is taken for a name: both begin with a capital.
    if {said_before, words[begin]} & _BEFORE_BASE_OF_SUBJECT or said_before.endswith("n't"):
        return None
    return number


def _of_phrases(tokens: Sequence[str]) -> Number | None:
    """The number of a phrase that ends the tokens and begins its clause, or of several joined by "and"."""
    if not tokens or _ends_clause(tokens[-1]):
        return None
    found = _last_phrase(tokens)
    if found is None:
        return None
    number, begin = found
    rest = tokens[:begin]
    joined = rest and word_of(rest[-1]) == "and"
    if joined and len(rest) > 1 and not _ends_clause(rest[-2]):
        return Number.PLURAL if _of_phrases(rest[:-1]) else None
    if word_of(tokens[-1]) in _ONE | _SEVERAL:
        return number
    begins = not rest or (_ends_clause(rest[-1]) if not word_of(rest[-1]) else _may_begin_after(rest))
    return number if begins else None


def _may_begin_after(rest: Sequence[str]) -> bool:
    """Whether a clause may begin after these tokens, the last of which is a word."""
    last = word_of(rest[-1])
    if last in ("and", "or"):
        return len(rest) == 1
    return last in _CLAUSE_BEGINS_AFTER or _ends_clause(rest[-1])


def _last_phrase(tokens: Sequence[str]) -> tuple[Number, int] | None:
    """The number of the noun phrase or pronoun at the end, and where it begins."""
    last, at = word_of(tokens[-1]), len(tokens) - 1
    if last in _ONE | _ONE_FIRST:
        return Number.SINGULAR, at
    if last in _SEVERAL | _SEVERAL_FIRST:
        return Number.PLURAL, at
    shape = _shape(last)
    if shape is None:
        return None
    for begin in range(at - 1, max(-1, at - _LONGEST_PHRASE), -1):
        word = word_of(tokens[begin])
        if word in _DETERMINERS | _DETERMINERS_OF_ONE | _DETERMINERS_OF_SEVERAL:
            said = Number.SINGULAR if word in _DETERMINERS_OF_ONE else Number.PLURAL
            fits = word in _DETERMINERS or said is shape
            return (shape, _first_determiner(tokens, begin)) if fits else None
        if not word or word in function_words("en") or _ends_clause(tokens[begin]):
            break
    return _name(tokens, shape)


def _first_determiner(tokens: Sequence[str], at: int) -> int:
    """Where the determiners begin of which one stands at `at`: "these three", "all the"."""
    others = {"all", *_DETERMINERS, *_DETERMINERS_OF_SEVERAL}
    while at and word_of(tokens[at - 1]) in others and not _ends_clause(tokens[at - 1]):
        at -= 1
    return at


def _name(tokens: Sequence[str], shape: Number) -> tuple[Number, int] | None:
    """A name, or a noun that begins a sentence: capitalised words in a row, and plurals that need no article."""
    begin = len(tokens)
    while begin and bare(tokens[begin - 1])[:1].isupper() and _is_open(tokens[begin - 1]):
        if begin < len(tokens) and _ends_clause(tokens[begin - 1]):
            break
        begin -= 1
    last = word_of(tokens[-1])
    if begin == len(tokens):
        return (Number.PLURAL, begin - 1) if last in _PLURALS else None
    if last in _PLURALS or shape is Number.SINGULAR:
        return shape, begin
    return None  # "Germans", or "Mr Hastings"


def _shape(noun: str) -> Number | None:
    """What the form of a noun says of its number; None for what is no noun, too."""
    if not noun.replace("-", "").isalpha() or noun in _UNTOLD or not _is_open(noun) or _VERBAL.fullmatch(noun):
        return None
    if noun in _PLURALS or noun.endswith(("men", "women")):
        return Number.PLURAL
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and noun not in _SINGULARS_IN_S:
        return Number.PLURAL
    return Number.SINGULAR


def _is_open(token: str) -> bool:
    """Whether it is no function word and no adverb."""
    word = word_of(token)
    return word not in function_words("en") and word not in _NO_NAMES and not _ADVERB.fullmatch(word)


def _ends_clause(token: str) -> bool:
    """Whether punctuation stands at its end, or it is nothing else."""
    return not bare(token) or not token.endswith(bare(token))
