"""What contents have in common that say something of a unit as a whole and of none of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, Scheme


class Whole:
    """The parts of a content type that labels no tokens; what is written on one text does not hold for another.

    A subclass gives `said`, the texts of what a content says, and everything that is not here.
    """

    def empty(self) -> Content:
        raise NotImplementedError

    def key(self, content: Content) -> Any:
        raise NotImplementedError

    def said(self, content: Content) -> list[str]:
        """What a content says, one text each; empty where it says nothing yet."""
        raise NotImplementedError

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

    def merge(self, contents: Sequence[Content]) -> Content:
        return contents[0] if len({self.key(content) for content in contents}) == 1 else self.empty()

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        return content if list(before) == list(after) else self.empty()

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return [] if list(before) == list(after) else self.said(content)

    def places(self, content: Content) -> frozenset[int]:
        return frozenset()
