"""A verb among words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundVerb:
    """Words `begin` to before `end`, and the base form of the verb that they are."""

    begin: int
    end: int
    base: str
