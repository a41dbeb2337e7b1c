"""Contents that are several texts by name, each of one line: what rewriting and defining have in common."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.free_text import FreeText
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import spelt
from annotator.domain.pairs.inference_pairs import compared

LONGEST = 1000


class SeveralTexts(FreeText, Whole):
    """`names` are its texts in order, the first of which a finished content has to have. `check_done` says more."""

    slug: str
    names: tuple[str, ...]
    dimensions = ("texts",)

    def empty(self) -> Content:
        return dict.fromkeys(self.names, "")

    def begin(self, suggested: Content) -> Content:
        return {name: suggested[name] for name in self.names}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if (
            not isinstance(content, dict)
            or not content.keys() <= set(self.names)
            or not all(isinstance(text, str) for text in content.values())
        ):
            raise ContentError(_("An answer must be an object with the texts %(names)s."), names=", ".join(self.names))
        checked = {name: spelt(content.get(name, "")) for name in self.names}
        if any(len(text) > LONGEST for text in checked.values()):
            raise ContentError(_("Each text can have at most %(most)d characters."), most=LONGEST)
        if done:
            self.check_done(checked, tokens)
        return checked

    def check_done(self, content: Content, tokens: Sequence[str]) -> None:
        """Raises ContentError where a finished content lacks something, or says something twice."""
        raise NotImplementedError  # each type has its own

    def key(self, content: Content) -> Any:
        return tuple(spelt(content[name]) for name in self.names)

    def is_labelled(self, content: Content) -> bool:
        return any(content[name] for name in self.names)

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return [str(self.key(content))]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        a, b = ("\n".join(content[name] for name in self.names) for content in (one, other))
        return SequenceMatcher(a=a, b=b, autojunk=False).ratio()

    def texts_in(self, content: Content) -> list[str]:
        return [content[name] for name in self.names if content[name]]


def check_different(texts: Sequence[str]) -> None:
    """Raises ContentError where two of the texts that are there have the same words."""
    word_lists = [compared(text) for text in texts if text]
    if any(one in word_lists[:number] for number, one in enumerate(word_lists)):
        raise ContentError(_("Two of the texts have the same words. Each must say something different."))
