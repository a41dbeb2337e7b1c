"""Findings of a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db.models import Q

# Projects whose rows belong together: others are being restored, or deleted, in short transactions.
WHOLE = Q(project__deleting_at=None)
RESTORE = "Restore the last site backup in which it was right, or report this line."


@dataclass(frozen=True)
class Finding:
    """A finding: the row or file, the problem, and the remedy. A warning is harmless."""

    where: str
    problem: str
    remedy: str = RESTORE
    is_warning: bool = False

    def __str__(self) -> str:
        return f"{'warning: ' if self.is_warning else ''}{self.where}: {self.problem} {self.remedy}"


Check = Callable[[], Iterator[Finding]]
