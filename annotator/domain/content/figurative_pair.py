"""A pair of figurative sentences that somebody wrote: `{"figurative": ["…", "…"], "literal": ["…", "…"]}`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.free_text import FreeText
from annotator.domain.content.whole import Whole
from annotator.domain.content.written import WrittenText
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import LINES, UNIT_KIND, spelt, words, words_at_beginning
from annotator.domain.text.revision import changed_tokens

LONGEST = 500
_KEYS = ("figurative", "literal")


class FigurativePairContent(FreeText, Whole):
    """Two sentences that begin alike, and what each means; `check` says what a finished pair has to be."""

    slug = "figurative-pair"
    dimensions = ("pairs",)
    together = (_KEYS,)
    unit_kind = UNIT_KIND
    parts = LINES
    asks: tuple[str, tuple[str, ...]] = ("", ())

    def empty(self) -> Content:
        return {"figurative": ["", ""], "literal": ["", ""]}

    def begin(self, suggested: Content) -> Content:
        return {key: list(suggested[key]) for key in _KEYS}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != set(_KEYS) or not all(map(_is_two, content.values())):
            raise ContentError(_("A pair must be an object with two figurative sentences and two literal ones."))
        checked = {key: [spelt(text) for text in content[key]] for key in _KEYS}
        if any(len(text) > LONGEST for key in _KEYS for text in checked[key]):
            raise ContentError(_("Each sentence can have at most %(most)d characters."), most=LONGEST)
        if done:
            _check_done(checked["figurative"], checked["literal"])
        return checked

    def check_lines(self, lines: Sequence[str], before: Sequence[str]) -> None:
        _check_done(lines[:2], lines[2:])

    def key(self, content: Content) -> Any:
        return tuple(words(text) for key in _KEYS for text in content[key])

    def is_labelled(self, content: Content) -> bool:
        return bool(self.texts_in(content))

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return [str(self.key(content))]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        a, b = (" ".join(self.lines(content)) for content in (one, other))
        return SequenceMatcher(a=a, b=b, autojunk=False).ratio()

    def texts_in(self, content: Content) -> list[str]:
        return [line for line in self.lines(content) if line]

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return []

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        return not changed_tokens(before, after)

    def texts(self, content: Content, source: str) -> list[WrittenText]:
        return [WrittenText(tuple(self.lines(content)))]

    def lines(self, content: Content) -> list[str]:
        return [*content["figurative"], *content["literal"]]


def _is_two(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(text, str) for text in value)


def _check_done(figurative: Sequence[str], literal: Sequence[str]) -> None:
    if not all(words(text) for text in (*figurative, *literal)):
        raise ContentError(_("Write both sentences, and what each of them means."))
    if words(figurative[0]) == words(figurative[1]):
        raise ContentError(_("The two figurative sentences are the same. The second one must mean the opposite."))
    if words(literal[0]) == words(literal[1]):
        raise ContentError(_("Both sentences mean the same here. The second one must mean the opposite."))
    for number in (0, 1):
        if words(figurative[number]) == words(literal[number]):
            raise ContentError(
                _("Sentence %(number)d and its meaning are the same. Say in plain words what it means."),
                number=number + 1,
            )
    if not words_at_beginning(*figurative):
        raise ContentError(
            _("The two figurative sentences start differently. They must share at least the first word.")
        )


FIGURATIVE_PAIR = FigurativePairContent()
