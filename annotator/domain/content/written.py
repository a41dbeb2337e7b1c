"""What all contents share that are texts which somebody wrote, and which become units of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from annotator.domain.content.base import Content


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A text that becomes a unit. `key` tells several of one content apart, for ever; `rule`: how it came about."""

    lines: tuple[str, ...]
    key: str = ""
    rule: str = ""


@runtime_checkable
class Written(Protocol):
    """A content type whose contents become units: others judge them, and what is rejected goes back to be rewritten."""

    @property
    def unit_kind(self) -> str:
        """The kind of the units that they become."""

    @property
    def parts(self) -> int:
        """How many lines the text of such a unit has; each is a part of what was written."""

    @property
    def asks(self) -> tuple[str, tuple[str, ...]]:
        """The second question that others are asked of such a text, with its answers; ("", ()) for none."""

    def check_lines(self, lines: Sequence[str], before: Sequence[str]) -> None:
        """Raise ContentError where nobody could have written a text of these lines. `before`: the lines that are to be
        corrected, of a text that was made here; empty for one that came with files."""

    def texts(self, content: Content, source: str) -> list[WrittenText]:
        """The texts that it becomes; `source` is what it was written from."""
