"""One word for a blank, or why none fits: `{"word": "method", "reason": ""}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.free_text import FreeText
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.one_word import WordError, one_word, word_key

WORDS, FOUND = "words", "found"


class Substitute(FreeText, Whole):
    """A word in its one spelling (`domain.one_word`), or a reason out of the scheme's `reasons`; never both."""

    slug = "substitute"
    # What was written, and whether anything fits.
    dimensions = (WORDS, FOUND)
    together = (("word", "reason"),)

    def empty(self) -> Content:
        return {"word": "", "reason": ""}

    def texts_in(self, content: Content) -> list[str]:
        return [text for text in (content["word"], content["reason"]) if text]

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if (
            not isinstance(content, dict)
            or content.keys() != {"word", "reason"}
            or not all(isinstance(text, str) for text in content.values())
        ):
            raise ContentError(_("A substitute must be an object with the strings word and reason."))
        try:
            word = one_word(content["word"])
        except WordError as error:
            raise ContentError(error.message) from error
        reason = content["reason"]
        if reason and reason not in scheme["reasons"]:
            raise ContentError(
                _("“%(reason)s” is not a valid reason. Choose one of %(reasons)s."),
                reason=reason,
                reasons=", ".join(scheme["reasons"]),
            )
        if word and reason:
            raise ContentError(_("Write a word, or say why none fits, but not both."))
        if done and not word and not reason:
            raise ContentError(_("Write a word, or say why none fits."))
        return {"word": word, "reason": reason}

    def key(self, content: Content) -> tuple[str, str]:
        return word_key(content["word"]), content["reason"]

    def is_labelled(self, content: Content) -> bool:
        return bool(content["word"])

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return ("word", "none") if dimension == FOUND else ()

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        if dimension == FOUND:
            return ["word" if content["word"] else "none"]
        # A reason is in brackets, which no word begins with: it never counts as a word that was written.
        return [word_key(content["word"]) or f"({content['reason']})"]


SUBSTITUTE = Substitute()
