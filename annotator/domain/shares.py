"""Shares with what is not certain of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

_Z = 1.959964


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927). Raises ZeroDivisionError for a share of nothing."""
    share, square = part / whole, _Z * _Z
    middle = share + square / (2 * whole)
    half = _Z * sqrt((share * (1 - share) + square / (4 * whole)) / whole)
    low, high = (middle - half) / (1 + square / whole), (middle + half) / (1 + square / whole)
    # Rounding must not put an end on the wrong side of the share: less than nothing is shown as "-0.0".
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def in_percent(part: int, whole: int) -> tuple[str, str]:
    """A share and its 95% interval in percent, as tables have them; dashes for a share of nothing.

    >>> in_percent(1, 1), in_percent(0, 0)
    (('100.0', '20.7–100.0'), ('–', '–'))
    """
    if not whole:
        return "–", "–"
    low, high = wilson(part, whole)
    return f"{100 * part / whole:.1f}", f"{100 * low:.1f}–{100 * high:.1f}"


def majority(votes: Sequence[bool]) -> bool | None:
    """What more than half of them say; None where as many say one thing as the other.

    >>> majority([True, False, True]), majority([True, False])
    (True, None)
    """
    share = 2 * sum(votes) - len(votes)
    return share > 0 if share else None
