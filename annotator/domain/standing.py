"""Whose content stands on a unit. The one home of that rule (guarded by tests/domain/test_standing.py).

Gold; else the reviewer's finished answer, the earliest where there are several; else the only finished blind one.
Where several people answered blind and nobody decided, nothing stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotator.domain.states import Mode


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer, in the order in which they were begun."""

    mode: str
    content: dict[str, Any]
    user: int = 0


def standing(answers: Iterable[Answer]) -> Answer | None:
    """The answer that stands where no gold is decided; None where none does."""
    blind: list[Answer] = []
    for answer in answers:
        if answer.mode == Mode.REVIEW:
            return answer
        blind.append(answer)
    return blind[0] if len(blind) == 1 else None
