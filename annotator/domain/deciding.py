"""Whether answers decide by themselves. The one home of that rule (guarded by tests/domain/test_deciding.py).

What somebody is in doubt about decides nothing: answers decide what they say together only where those without doubt
say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

_A = TypeVar("_A")
_R = TypeVar("_R")


def without_doubt(answers: Iterable[tuple[_A, bool]]) -> list[_A]:
    """The answers, each given with whether it is doubtful, that are not."""
    return [answer for answer, doubt in answers if not doubt]


def decided(answers: Sequence[tuple[_A, bool]], winner: Callable[[Sequence[_A]], _R | None]) -> _R | None:
    """What `winner` makes of answers, each given with whether it is doubtful; None where a person has to decide.

    `winner` says None where it finds no winner, as among no answers at all.

    >>> decided([("yes", False), ("yes", True)], lambda said: said[0] if len(set(said)) == 1 else None)
    'yes'
    """
    found = winner([answer for answer, _doubt in answers])
    return found if winner(without_doubt(answers)) == found else None
