"""Expressions that end before what their last word needs: on a preposition, an article or a conjunction.

"Make fun of", "better than": what follows belongs to the expression's last word, so that only a definition that is
open at its end, too, can stand there ("laugh at"), or one verb or preposition ("mock", "considering"). Of an
expression that was marked without its last word ("enterraron el hacha de | guerra"), no definition is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set


class OpenEnd(StrEnum):
    """The part of speech of the last word."""

    DETERMINER = "determiner"
    PREPOSITION = "preposition"
    CONJUNCTION = "conjunction"


# No words that may stand at the end of a phrase, too: adverbs such as "on" and "over", pronouns such as "her".
_LISTS: Mapping[str, Mapping[OpenEnd, str]] = {
    "en": {
        OpenEnd.DETERMINER: "a an the my your its our their every",
        OpenEnd.PREPOSITION: "of at for from to with into onto against between upon among amongst toward towards than "
        "as via per without within during except before after",
        OpenEnd.CONJUNCTION: "and or but because if whether although unless",
    },
    "es": {
        OpenEnd.DETERMINER: "el la los las un una unos unas mi mis tu tus su sus del al cada",
        OpenEnd.PREPOSITION: "a ante bajo con contra de desde durante en entre hacia hasta mediante para por según sin "
        "sobre tras",
        OpenEnd.CONJUNCTION: "y e o u ni que si como porque aunque pero sino cuando",
    },
}
_ENDS = {base: {word: end for end, words in lists.items() for word in words.split()} for base, lists in _LISTS.items()}
# At the end of a definition it may stand where an expression has one of the others.
_MORE = {"en": word_set("like about over on in by her his"), "es": word_set("")}
# What a preposition needs may begin with these of the function words.
_BEGIN_PHRASES = {
    "en": word_set(
        "a an the my your his her its our their this that these those some any no every each another all both one "
        "me him them us you it himself herself itself themselves myself yourself ourselves everyone everything "
        "someone something anyone anything nobody nothing what which whom whoever such other either neither none"
    ),
    "es": function_words("es"),
}


_PEOPLE = word_set(
    "mí ti él ella usted nosotros nosotras vosotros vosotras ellos ellas ustedes quien quienes alguien nadie todos "
    "todas"
)


def is_open_end(tokens: Sequence[str], end: int, language: str) -> OpenEnd | None:
    """What the last token before `end` needs, where the sentence goes on with it; None where nothing is missing."""
    base = base_language(language)
    if base not in _ENDS or end == len(tokens):
        return None
    last, follows = tokens[end - 1], tokens[end]
    found = _ENDS[base].get(word_of(last))
    if found is None or not last.endswith(bare(last)) or not bare(follows):
        return None
    word = word_of(follows)
    # "What he is fed up with is", "few and far between at that"
    stranded = found is OpenEnd.PREPOSITION and word in function_words(base) and word not in _BEGIN_PHRASES[base]
    if stranded:
        return None
    # "El hacha de | guerra" is one noun; "se dio cuenta de la hora", "se hizo cargo de Ana" and "harto de esperar" are
    # none.
    is_bare = follows.islower() and word not in function_words(base) and not word.endswith(("ar", "er", "ir"))
    return OpenEnd.DETERMINER if word_of(last) == "de" and is_bare else found


def ends_open(words: Sequence[str], language: str) -> bool:
    """Whether a definition goes on with what follows, as an expression does that is open at its end."""
    base, last = base_language(language), word_of(words[-1])
    return last in _ENDS[base] or last in _MORE[base]


def fits_open_end(words: Sequence[str], tokens: Sequence[str], at: int, end: OpenEnd, language: str) -> bool:
    """Whether a definition, without the "to" of an infinitive, can stand where an expression before `at` is open at its
    end though it is not open itself: one verb or preposition."""
    closed, last = function_words(base_language(language)), word_of(words[-1])
    if end is not OpenEnd.PREPOSITION:
        return len(words) == 1 and last in closed
    # "Equivocarse" takes no object; "fail to reach" and "not meet" do.
    is_verb = len(words) == 1 or word_of(words[-2]) in ("to", "not", "no")
    if base_language(language) == "es" and last not in closed and _may_need_a(tokens, at):
        return False
    return is_verb and not last.endswith(("arse", "erse", "irse"))


def _may_need_a(tokens: Sequence[str], at: int) -> bool:
    """Whether a Spanish object at `at` may be a person, before whom a verb alone has "a": "[dejó plantada a] María" is
    "abandonó a María"."""
    follows = tokens[at]
    return word_of(tokens[at - 1]) == "a" or follows[:1].isupper() or word_of(follows) in _PEOPLE
