"""The order of published ids: by the numbers in them, as a reader expects, not digit by digit."""

from __future__ import annotations

import re

_DIGITS = re.compile("([0-9]+)")

NaturalKey = tuple[tuple[tuple[int, int, str], ...], str]


def natural_key(identifier: str) -> NaturalKey:
    """A sort key: `2_a` before `10_a`, `10_a` before `10_b`, numbers before words.

    Ids that begin with a number are ordered by it first; the text after it decides between equals,
    and the id itself between spellings of one number (`1`, `01`). Any text is an id.
    """
    parts: list[tuple[int, int, str]] = []
    for part in _DIGITS.split(identifier):
        if not part:
            continue
        if part[0] in "0123456789":
            # Compared by length and then digit by digit: numbers of any size, without converting them.
            number = part.lstrip("0")
            parts.append((0, len(number), number))
        else:
            parts.append((1, 0, part))
    return tuple(parts), identifier
