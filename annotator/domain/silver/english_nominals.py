"""Which words of an English phrase are nouns or adjectives though they are forms of verbs, told by what stands around.

A dictionary knows "saw" as a form of "see". After an article, or an adjective, it is none: "a rusty saw"; nor is a
participle there, or before a noun: "a slammed door", "broken glass".
"""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.english_adjectives import is_adjective
from annotator.domain.silver.inflection.english_forms import GERUND, PARTICIPLE, PAST, inflect
from annotator.domain.text.word_sets import word_set

# "that" is not among them: after it there may be a verb.
_DETERMINERS = word_set("a an the my your his her its our their some any no every each another")
# What stands after a participle that no noun follows.
_NO_NOUNS = _DETERMINERS | word_set(
    "that this these those and or but than as like if when while who which of in on at by for from with to into onto "
    "over under off up down out through between across along around against inside behind about after before "
    "i me you he him she it we us they them not away back alone together there here is are was were be"
)


def is_nominal(words: Sequence[str], index: int, lemma: str) -> bool:
    """Whether a word, in lower case as all of `words`, is no verb there though it is a form of the verb `lemma`."""
    word = words[index]
    simple_past = inflect(lemma, PAST) == word
    participle = inflect(lemma, PARTICIPLE) == word
    if not (simple_past or participle or inflect(lemma, GERUND) == word):
        return False
    at = index - 1
    # "a slowly rotting swamp"
    while at >= 0 and words[at].endswith("ly"):
        at -= 1
    if at < 0:
        return participle and index + 1 < len(words) and _may_be_noun(words[index + 1])
    before = words[at]
    if before in _DETERMINERS or before.endswith(("'s", "’s")) or is_adjective(before):
        return True
    # "a baby crying", but "a rusty saw": what can only be the past follows no noun in a phrase.
    return before.endswith("y") and simple_past and not participle and any(one in _DETERMINERS for one in words[:at])


def _may_be_noun(word: str) -> bool:
    return word not in _NO_NOUNS and not word.endswith("ly")
