"""A figurative sentence in other words: `{"paraphrase": "…", "changed": "…", "opposite": "…"}`."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content.base import Content, ContentError
from annotator.domain.content.several_texts import SeveralTexts, check_different
from annotator.domain.content.written import WrittenText
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import spelt
from annotator.domain.pairs.inference_pairs import (
    CHANGED,
    FOLLOWS,
    LINES,
    NO,
    OPPOSITE,
    PARAPHRASE,
    UNIT_KIND,
    YES,
    compared,
)

_CLASSES = {"paraphrase": PARAPHRASE, "changed": CHANGED, "opposite": OPPOSITE}


class Rewrite(SeveralTexts):
    """`paraphrase`: what the sentence says, literally. `changed`: most of its words, but it does not follow.
    `opposite`: the paraphrase with antonyms, which does not follow either. The last two may be empty.
    """

    slug = "rewrite"
    names = tuple(_CLASSES)
    unit_kind = UNIT_KIND
    parts = LINES
    asks: tuple[str, tuple[str, ...]] = (FOLLOWS, (YES, NO))

    def check_done(self, content: Content, tokens: Sequence[str]) -> None:
        if not compared(content["paraphrase"]):
            raise ContentError(_("Write what the sentence says in literal words."))
        source = compared(" ".join(tokens))
        if any(compared(content[name]) == source for name in self.names):
            raise ContentError(_("A text has the same words as the sentence. Replace the figurative words."))
        check_different([content[name] for name in self.names])

    def check_lines(self, lines: Sequence[str], before: Sequence[str]) -> None:
        if before and lines[0] != spelt(before[0]):
            raise ContentError(
                _(
                    "The first sentence is from the corpus and cannot be changed. Correct the second one, or "
                    "reject the pair."
                )
            )
        if compared(lines[0]) == compared(lines[1]):
            raise ContentError(_("Both sentences have the same words. The second one must be different."))

    def name_of(self, key: str) -> str:
        """Which of the texts became the pair with this key of `texts`."""
        return self.names[int(key) - 1]

    def texts(self, content: Content, source: str) -> list[WrittenText]:
        """A pair each: the sentence, and what was written of it."""
        # A line is a part of a pair.
        premise = " ".join(source.split("\n"))
        return [
            WrittenText((premise, content[name]), key=str(number), rule=str(_CLASSES[name]))
            for number, name in enumerate(self.names, start=1)
            if content[name]
        ]


REWRITE = Rewrite()
