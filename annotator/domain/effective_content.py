"""Whose content stands on a unit. The one home of that rule (guarded by tests/domain/test_effective_content.py).

Gold; else the reviewer's finished answer, the earliest where there are several; else the only finished blind one.
Where several people answered blind and nobody decided, nothing stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.states import Mode


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer, in the order in which they were started."""

    mode: str
    content: dict[str, Any]
    user: int = 0


def effective_answer(answers: Iterable[Answer]) -> Answer | None:
    """The answer that stands where no gold is decided; None where none does."""
    blind: list[Answer] = []
    for answer in answers:
        if answer.mode == Mode.REVIEW:
            return answer
        blind.append(answer)
    return blind[0] if len(blind) == 1 else None


@dataclass(frozen=True, slots=True)
class Stands:
    """All that can stand on a unit: its gold, and the finished answers in the order in which they were started."""

    gold: dict[str, Any] | None = None
    answers: Sequence[Answer] = ()

    def content(self, *, gold_only: bool = False, reviewed_only: bool = False) -> dict[str, Any] | None:
        """What stands; None where nothing does. `gold_only`: gold and nothing else. `reviewed_only`: a blind answer
        does not stand, even where it is the only one."""
        if self.gold is not None or gold_only:
            return self.gold
        found = effective_answer(one for one in self.answers if not reviewed_only or one.mode == Mode.REVIEW)
        return found.content if found else None
