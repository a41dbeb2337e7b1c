"""What all contents share that are texts which somebody wrote, and which become units of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from annotator.domain.content.base import Content


@runtime_checkable
class Written(Protocol):
    """A content type whose contents become units: others judge them, and what is rejected goes back to be rewritten."""

    @property
    def unit_kind(self) -> str:
        """The kind of the units that they become."""

    @property
    def parts(self) -> int:
        """How many lines the text of such a unit has; each is a part of what was written."""

    def lines(self, content: Content) -> list[str]:
        """The lines of the unit's text."""

    def rewritten(self, content: Content, lines: Sequence[str]) -> Content:
        """The content with other texts, as somebody suggested them."""
