"""Places where a noun phrase has to stand, or one with an article: "into a trap", "he has a gift".

What an English definition is can be told only where its words say it plainly: an adjective with "very" or in a list, a
noun of which there is one or several ("an important person"). Of other words nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.silver.english_adjectives import is_adjective
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# Parts of speech with which nothing but a noun phrase begins.
_NOMINAL = frozenset({"DET", "NOUN", "NUM", "PRON", "PROPN"})
# Prepositions that stand before adjectives, too: "seen as easy", "visto como fácil".
_BEFORE_ADJECTIVES = frozenset({"as", "como"})
_INDEFINITE = word_set(
    "something someone somebody anything anyone anybody everything everyone everybody nothing nobody "
    "algo alguien nada nadie"
)
# With what they say of something, an adjective may be said of it, too: "is", "looks", "find it".
_SAYING_OF = word_set(
    "be become seem appear look sound feel get turn grow go come stay remain keep prove stand lie sit run "
    "fall find consider make think call deem declare render believe leave hold paint judge"
)
# Of these the object may be long, and an adjective is said of it at its end.
_MAKING = word_set("make find consider keep render")
# After these an adjective says how somebody is meanwhile: "she returned happy".
_MEANWHILE = word_set(
    "arrive begin die emerge end escape finish grow leave live marry retire return start survive wake walk work"
)
# So many words before a verb may be of such an object.
_LOOKED_AT = 8
_INTENSIFIERS = word_set(
    "very too so quite rather really extremely completely totally absolutely highly utterly incredibly terribly "
    "particularly exceptionally unusually"
)
# After "very" they may be what somebody has: "very little".
_AMOUNTS = word_set("much little few many well often rarely seldom soon far long")
_ADJECTIVE_ENDS = ("able", "ible")
# Participles, as "talented" is one; not nouns such as "speed".
_PARTICIPLE = re.compile(r"\w{3,}(?<!e)ed")
_NO_PARTICIPLES = word_set("hatred hundred kindred newlywed thoroughbred watershed")
_ARTICLES = word_set("a an un una")
_SPANISH_ADJECTIVES = word_set("fácil difícil posible imposible feliz infeliz triste importante interesante increíble")
_SPANISH_INTENSIFIERS = word_set("muy tan bastante demasiado realmente sumamente extremadamente")
_ABSTRACT = re.compile(r"\w{3,}(?:ness|ship|hood|ment|[st]ion|ity)")
_OBJECTS = word_set("me you him her it us them")
_COUNTED = word_set(
    "person man woman child boy girl baby friend enemy stranger fool coward liar thief expert beginner leader follower "
    "loser winner worker helper troublemaker riser drinker smoker eater talker learner thinker dreamer idiot genius "
    "criminal hypocrite traitor victim hero nuisance annoyance burden bore failure thing object place house machine "
    "task job problem question answer situation event occasion moment chance opportunity mistake error advantage "
    "disadvantage obstacle difficulty reason idea plan method solution way sign hint warning reminder threat surprise "
    "disappointment disaster catastrophe challenge attempt effort decision change step part piece group lie secret "
    "story rumour rumor joke trick trap excuse promise fight quarrel argument discussion meeting search journey trip"
)


def is_indefinite(word: str) -> bool:
    """Whether a pronoun begins noun phrases, as articles do: "something easy"."""
    return word_of(word) in _INDEFINITE


def fits_noun(tokens: Sequence[str], begin: int, words: Sequence[str], here: str, before: str, language: str) -> bool:
    """Whether a definition can stand where an expression with a determiner begins.

    `here` is the part of speech of the definition's first word, `before` that of the token before the expression.
    """
    is_english = base_language(language) == "en"
    if is_english and here in ("", "NOUN") and lacks_article(tokens[begin], words):
        return False
    if here in _NOMINAL:
        return True
    if begin and _wants_noun(word_of(tokens[begin - 1]), before):
        return False
    return not (is_english and is_plain_adjective(words) and takes_object(tokens, begin, is_verb=before == "VERB"))


def _wants_noun(word: str, part_of_speech: str) -> bool:
    """Whether the word before the expression takes a noun phrase alone: "into [a piece of cake]", not "into easy".

    An adjective may begin a noun phrase, too, but of one without an article nobody can tell.
    """
    return bool(word) and word not in _BEFORE_ADJECTIVES and (word == "such" or part_of_speech == "ADP")


def lacks_article(first: str, words: Sequence[str]) -> bool:
    """Whether a definition lacks an article in the place of an expression that begins with the determiner `first`.

    It is of one thing, where the expression has "a", or begins with "same".

    >>> lacks_article("a", ["important", "person"]), lacks_article("a", ["very", "important"])
    (True, False)
    """
    if word_of(words[0]) == "same":
        return True
    if word_of(first) not in ("a", "an"):
        return False
    closed = function_words("en")
    phrase = []
    for word in map(word_of, words):
        if word in closed and word not in _INTENSIFIERS:
            break
        phrase.append(word)
    return bool(phrase) and phrase[-1] in _COUNTED


def is_plain_adjective(words: Sequence[str]) -> bool:
    """Whether a definition is an adjective and nothing else, as its words say: "very rare", "useless"."""
    found = [word_of(word) for word in words]
    if found[0] in _INTENSIFIERS:
        return len(found) == 2 and found[1] not in _AMOUNTS and found[1] not in function_words("en")
    return len(found) == 1 and (
        is_adjective(found[0])
        or found[0].endswith(_ADJECTIVE_ENDS)
        or (_PARTICIPLE.fullmatch(found[0]) is not None and found[0] not in _NO_PARTICIPLES)
    )


def lacks_noun(tokens: Sequence[str], begin: int, end: int, words: Sequence[str], language: str) -> bool:
    """Whether a definition is an adjective after an article to which no noun would be left: "it is a [piece of cake]".

    The expression stands from `begin` to `end`, and a noun may follow it: "a [dead-end] job".
    """
    if not begin or word_of(tokens[begin - 1]) not in _ARTICLES:
        return False
    follows = word_of(tokens[end]) if end < len(tokens) else ""
    if follows and follows not in function_words(language) and tokens[end - 1].endswith(bare(tokens[end - 1])):
        return False
    if base_language(language) == "en":
        return is_plain_adjective(words)
    return base_language(language) == "es" and _is_plain_spanish_adjective(words)


def _is_plain_spanish_adjective(words: Sequence[str]) -> bool:
    """Whether a definition is an adjective that is hardly ever a noun: "difícil", "muy alta", but not "vago"."""
    found = [word_of(word) for word in words]
    if found[0] in _SPANISH_INTENSIFIERS:
        return len(found) == 2
    return len(found) == 1 and found[0] in _SPANISH_ADJECTIVES


def is_abstract_noun(words: Sequence[str]) -> bool:
    """Whether an English definition is a noun and its adjectives, as its last word's ending says: "great happiness".

    No such phrase stands for one that begins with a preposition: "she is [on cloud nine]".
    """
    found = [word_of(word) for word in words]
    return not function_words("en") & set(found) and _ABSTRACT.fullmatch(found[-1]) is not None


def fits_preposition(
    tokens: Sequence[str], marked: Sequence[int], words: Sequence[str], *, is_after_verb: bool, is_joined: bool
) -> bool:
    """Whether an English definition can stand where an expression with a preposition stood.

    `is_after_verb`: the token before is known for a verb. `is_joined`: a noun follows that is joined to the
    expression's ("out of the blue and some yellow").
    """
    if is_abstract_noun(words):
        return False
    is_adjective = is_plain_adjective(words)
    if is_joined and (is_adjective or (len(words) == 1 and word_of(words[0]).endswith("ly"))):
        return False
    begin = marked[0]
    return not (
        is_adjective
        and takes_object(tokens, begin, is_verb=is_after_verb)
        and lemma_of(word_of(tokens[begin - 1]), "en") not in _MEANWHILE
    )


def takes_object(tokens: Sequence[str], begin: int, *, is_verb: bool) -> bool:
    """Whether the verb before `begin` takes a noun phrase there and no adjective: "he has", "it gave us". `is_verb`
    says if the token before is known for a verb."""
    at = begin - 1
    while at >= 0 and word_of(tokens[at]) in _OBJECTS:
        at -= 1
    if at < 0 or not word_of(tokens[at]) or (at == begin - 1 and not is_verb):
        return False
    if word_of(tokens[at]) in function_words("en") and word_of(tokens[at]) not in ("has", "have", "had"):
        return False
    if any(lemma_of(word_of(token), "en") in _MAKING for token in tokens[max(0, at - _LOOKED_AT) : at]):
        # "It makes generating a feed [a piece of cake]"
        return False
    return lemma_of(word_of(tokens[at]), "en") not in _SAYING_OF and not tokens[at].startswith(("'", "’"))
