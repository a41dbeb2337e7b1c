"""Two transactions that wait for each other: the database ends one of them, which is done again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

DEADLOCK = "40P01"  # PostgreSQL's code, as in its appendix A; SQLite has one writer at a time


# How often an act is tried. The loser of a deadlock can lose another one to a third person.
TRIES = 4


def again_on_deadlock(action: Callable[P, T]) -> Callable[P, T]:
    """The action, called again where its transaction ended in a deadlock. It must be a transaction whole.

    Inside of another transaction it is called once: that one has ended, too.
    """

    @wraps(action)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        for _try in range(TRIES - 1):
            try:
                return action(*args, **kwargs)
            except OperationalError as error:
                if getattr(error.__cause__, "pgcode", None) != DEADLOCK or connection.in_atomic_block:
                    raise
        return action(*args, **kwargs)

    return called
