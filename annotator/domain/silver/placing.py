"""A definition in the place of an expression: what is refused in any language, and the sentence that is made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotator.domain.silver.base import Parser, Placed, Refusal, Use
from annotator.domain.silver.english import English
from annotator.domain.silver.open_ends import fits_end
from annotator.domain.silver.spanish import Spanish
from annotator.domain.text.languages import base_language
from annotator.domain.text.tokens import bare, text_of, tokenise, word_of

_GRAMMARS: dict[str, English | Spanish] = {"en": English(), "es": Spanish()}
# Parts of speech with which phrases of one sort alone begin.
_FUNCTION_WORDS = frozenset({"ADP", "DET", "PRON"})
_INDEFINITE = re.compile(r"(some|any|every|no)(thing|one|body)|algo|alguien|nad[ai]e?", re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"[.!?…][\"')”’»]*$")


def grammar_of(language: str) -> English | Spanish | None:
    """The rules of a language (also with a region); None where there are none for it."""
    return _GRAMMARS.get(base_language(language))


def put_in_place(use: Use, definition: str, parser: Parser, *, language: str) -> str | Refusal:
    """The sentence with the definition in the place of the expression, or why it does not fit there.

    The definition is in its base form, or in another one that a dictionary knows; "to" before an English verb says that
    it is one, and is left out.
    """
    if use.end - use.begin != len(use.marked):
        return Refusal.SPLIT
    words = list(tokenise(definition))
    is_infinitive = base_language(language) == "en" and words[0].lower() == "to" and len(words) > 1
    if is_infinitive:
        words = words[1:]
    if not fits_end(words, use, parser, language):
        return Refusal.INSIDE_PHRASE
    grammar = grammar_of(language)
    there, here = _part(parser, use, use.begin), "VERB" if is_infinitive else parser.begins_with(words, 0, "")
    if grammar is not None and word_of(words[0]) != word_of(use.expression[0]):
        lost = grammar.left_out(use.expression, use.before, asks="?" in use.tokens[-1])
        if lost and lost not in map(word_of, words):
            return Refusal.VERB_FORM
        if lost:
            there = "VERB"
        if "VERB" == here != there and use.begin and len(words) > 1 and grammar.is_said(word_of(words[0]), use.before):
            words = words[1:]
            here = parser.begins_with(words, 0, "").replace("VERB", "")
    if there == "DET" and _INDEFINITE.fullmatch(word_of(words[0])):
        # "A piece of cake" and "something easy"
        here = "NOUN"
    if not _may_stand_for(here, there):
        return Refusal.PART_OF_SPEECH
    is_verb = "VERB" in (there, here)
    if grammar is None:
        placed: Placed | Refusal = Refusal.VERB_FORM if is_verb else Placed(use.begin, words)
    elif is_verb:
        placed = grammar.put_verb(words, use, is_infinitive=is_infinitive)
    else:
        before = _part(parser, use, use.begin - 1) if use.begin else ""
        placed = grammar.put_phrase(words, use, here, there, before)
    return placed if isinstance(placed, Refusal) else _sentence(use, placed.begin, use.end, " ".join(placed.words))


def _part(parser: Parser, use: Use, at: int) -> str:
    return parser.begins_with(use.tokens, at, use.lemmas[at] if use.lemmas else "")


def _may_stand_for(here: str, there: str) -> bool:
    """Whether what begins with one part of speech may stand where something begins with another one.

    Nothing else stands for a verb, nor one function word for another. Apart from that, phrases of one sort begin in
    many ways: "a piece of cake", "small potatoes", "easy".
    """
    if not here or not there or here == there:
        return True
    return "VERB" not in (here, there) and not {here, there} <= _FUNCTION_WORDS


def _sentence(use: Use, begin: int, end: int, instead: str) -> str:
    """The sentence with other words from `begin` to `end`; punctuation at the edges of the expression stays."""
    spaces = list(use.spaces) or ["", *(" " for _ in use.tokens[1:]), ""]
    first, last = use.tokens[begin], use.tokens[end - 1]
    opened = first[: first.index(bare(first))] if bare(first) else ""
    closed = last[last.rindex(bare(last)) + len(bare(last)) :] if bare(last) else ""
    if text_of(use.tokens, spaces).isupper():
        instead = instead.upper()
    elif bare(first)[:1].isupper() and _begins_sentence(use.tokens[:begin]):
        instead = instead[:1].upper() + instead[1:]
    before = text_of(use.tokens[:begin], spaces[: begin + 1])
    after = text_of(use.tokens[end:], spaces[end:])
    # Of a definition that ends in a full stop, the sentence has its own.
    return f"{before}{opened}{instead.rstrip('.') if closed or after else instead}{closed}{after}"


def _begins_sentence(before: Sequence[str]) -> bool:
    """Whether a sentence begins after these tokens; marks that open one may stand among them."""
    for token in reversed(before):
        if _SENTENCE_ENDS.search(token):
            return True
        if word_of(token):
            return False
    return True
