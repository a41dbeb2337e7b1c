"""Answers that are kept beside the annotations of a project, with what each save replaced: those of training batches,
and those to items that somebody is given again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Saves of one item that can be undone.
MAX_UNDO = 50

Kept = Mapping[str, Any]


def kept_answer(before: Kept | None, said: Kept) -> dict[str, Any] | None:
    """The answer after `said` (content, doubt, comment, done) was saved; None where that stands already."""
    if before is not None and all(before[key] == value for key, value in said.items()):
        return None
    return {**said, "version": before["version"] + 1 if before else 1, "before": _cut(before, MAX_UNDO)}


def undone_answer(answer: Kept | None) -> dict[str, Any] | None:
    """What the last save replaced, as a newer version; None where it replaced nothing."""
    if answer is None or answer["before"] is None:
        return None
    return {**answer["before"], "version": answer["version"] + 1}


def _cut(answer: Kept | None, depth: int) -> dict[str, Any] | None:
    if answer is None or not depth:
        return None
    return {**answer, "before": _cut(answer["before"], depth - 1)}
