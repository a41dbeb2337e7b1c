"""What contents have in common that say something of a unit as a whole and of none of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, Scheme
from annotator.domain.content.differences import ByFields


class OfWholeText:
    """What becomes of a content on a revised text where it says something of the text as a whole: it goes on as it is,
    and whoever gave it looks at it again.

    A unit that is about one word of a text ends where that is another word (`UnitKind.wording`).
    """

    def said(self, content: Content) -> list[str]:
        """What a content says, one text each; empty where it says nothing yet."""
        raise NotImplementedError  # each type has its own

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        return content

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return [] if after or not before else self.said(content)

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        return list(before) == list(after)

    def places(self, content: Content) -> frozenset[int]:
        return frozenset()


class Whole(ByFields, OfWholeText):
    """The parts of a content type that labels no tokens.

    A subclass gives `said`, the texts of what a content says, and everything that is not here.
    """

    def begin(self, suggested: Content) -> Content:
        return self.empty()

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return ()

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        return float(self.key(one) == self.key(other))

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        before, after = self.said(suggested or self.empty()), self.said(content)
        return {
            "kept": [text for text in after if text in before],
            "added": [text for text in after if text not in before],
            "removed": [text for text in before if text not in after],
        }
