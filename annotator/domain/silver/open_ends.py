"""Where an expression ends: inside another phrase, or before what its last word needs ("make fun of")."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.silver.base import Parser, Use
from annotator.domain.text.function_words import function_words
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, word_of
from annotator.domain.text.word_sets import word_set

# No words that may stand at the end of a phrase, too: adverbs such as "on" and "over", pronouns such as "her".
_PREPOSITIONS = {
    "en": word_set("of at for from with to into onto against between upon among toward towards than as via per without "
                   "within during except before after"),
    "es": word_set("a ante bajo con contra de desde durante en entre hacia hasta para por según sin sobre tras"),
}  # fmt: skip
_OTHERS = {
    "en": word_set("a an the my your its our their every and or but because if whether although unless"),
    "es": word_set(
        "el la los las un una unos unas mi mis tu tus su sus del al cada y e o u ni que si como porque pero"
    ),
}
# At the end of a definition they may stand where an expression has one of the others.
_MORE = {"en": word_set("like about over on in by her his"), "es": frozenset[str]()}


def fits_end(words: Sequence[str], use: Use, parser: Parser, language: str) -> bool:
    """Whether a definition, without the "to" of an infinitive, can end where an expression does.

    One that ends on a preposition takes what does so, too ("laugh at"), or in English a single verb ("mock"), after
    which "to" and "not" do not count.
    """
    base = base_language(language)
    if base not in _PREPOSITIONS or use.end == len(use.tokens):
        return not parser.ends_inside(use.tokens, use.end)
    last, follows = use.tokens[use.end - 1], use.tokens[use.end]
    word, is_whole = word_of(last), last.endswith(bare(last)) and bool(bare(follows))
    is_open = is_whole and word in _PREPOSITIONS[base] | _OTHERS[base]
    if is_open and word_of(follows) in function_words(base) - _OTHERS[base] and word in _PREPOSITIONS["en"] - {"of"}:
        # "What he is fed up with is work"
        is_open = word_of(follows) in ("it", "him", "them", "us", "me", "you", "this", "that", "his", "her")
    if is_open and word_of(words[-1]) in _PREPOSITIONS[base] | _OTHERS[base] | _MORE[base]:
        return True
    if parser.ends_inside(use.tokens, use.end):
        return False
    is_single = len(words) == 1 or word_of(words[-2]) in ("to", "not")
    return not is_open or (base == "en" and is_single and word in _PREPOSITIONS[base])
