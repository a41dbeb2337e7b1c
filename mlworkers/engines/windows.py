"""Texts longer than a model's window: overlapping windows that begin and end between words."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf


@dataclass(frozen=True, slots=True)
class Window:
    """Words `first` to before `last`; `keep`: those that have the most context in this window."""

    first: int
    last: int
    keep: tuple[int, ...]


def windows(sizes: Sequence[int], room: int) -> list[Window]:
    """Cut words of `sizes` subwords each into windows of at most `room` subwords.

    A window begins about half a window after the one before it. Every word is kept by exactly one window: the one in
    which fewer subwords are missing on its poorer side, where a side on which the text itself ends counts as rich.
    What fits into one window is one window. Raises ValueError for a word that is larger than `room`.
    """
    if max(sizes, default=0) > room:
        raise ValueError("a word is larger than a window")
    offsets = [0, *accumulate(sizes)]
    count, total = len(sizes), offsets[-1]
    if total <= room:
        return [Window(0, count, tuple(range(count)))]
    bounds: list[tuple[int, int]] = []
    first = 0
    while True:
        last = bisect_right(offsets, offsets[first] + room) - 1
        bounds.append((first, last))
        if last == count:
            break
        half = bisect_left(offsets, offsets[first] + room // 2 + 1)
        first = max(first + 1, min(half, last))
        if total - offsets[first] <= room:
            # The last one begins as early as it can.
            first = max(bounds[-1][0] + 1, bisect_left(offsets, total - room))
    context, chosen = [-1.0] * count, [0] * count
    for number, (start, end) in enumerate(bounds):
        for word in range(start, end):
            left = inf if start == 0 else offsets[word] - offsets[start]
            right = inf if end == count else offsets[end] - offsets[word + 1]
            if min(left, right) > context[word]:
                context[word], chosen[word] = min(left, right), number
    kept: list[list[int]] = [[] for _ in bounds]
    for word, number in enumerate(chosen):
        kept[number].append(word)
    return [Window(start, end, tuple(keep)) for (start, end), keep in zip(bounds, kept, strict=True)]
