"""Contents that say something of a unit as a whole and of none of its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, Scheme
from annotator.domain.content.differences import ByFields


class Whole(ByFields):
    """The parts of a content type that labels no tokens. A subclass gives `texts_in`, and everything that is not here.

    On a revised text a content stays as it is, and the person who gave it looks at it again. A unit that is about one
    word of a text ends where that is another word (`UnitKind.wording`).
    """

    def texts_in(self, content: Content) -> list[str]:
        """The texts of a content; empty where it says nothing yet."""
        raise NotImplementedError  # each type has its own

    def values_in(self, content: Content) -> list[Any]:
        """What `origins` compares: the texts, or what tells them apart."""
        return list(self.texts_in(content))

    def begin(self, suggested: Content) -> Content:
        return self.empty()

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return ()

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        return float(self.key(one) == self.key(other))

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        before, after = self.values_in(suggested or self.empty()), self.values_in(content)
        return {
            "kept": [value for value in after if value in before],
            "added": [value for value in after if value not in before],
            "removed": [value for value in before if value not in after],
        }

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        return content

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return [] if after or not before else self.texts_in(content)

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        return list(before) == list(after)

    def places(self, content: Content) -> frozenset[int]:
        return frozenset()
