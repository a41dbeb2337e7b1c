"""What a parser can say of words, where the one that was asked is not asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _Says:
    """A parser that says one part of speech of everything."""

    name: str

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        return self.name

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        return False


# Whichever parser a pair was made with, its definition stands there as a verb, in the form of the one it replaces, or
# as it was written.
READINGS = (_Says("VERB"), _Says(""))
