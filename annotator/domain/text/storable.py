"""What every database can store and be asked for: whole numbers of 64 bits, and text without what no text has."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

LARGEST = 2**63 - 1
SMALLEST = -(2**63)
# Half of a pair of UTF-16 is not a character.
_ODD = re.compile("[\x00\ud800-\udfff]")


def whole_number(text: str) -> int | None:
    """The number that somebody typed into an address or a form; None for what is none from 0 to `LARGEST`."""
    number = int(text) if text.isdecimal() and len(text) < 20 else -1
    return number if 0 <= number <= LARGEST else None


def is_one_line(text: str) -> bool:
    """Whether a name has neither line breaks nor other characters that control something."""
    return not any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in text)


def is_storable(value: Any) -> bool:
    """Whether a value as JSON has them, or a part of an address, can be stored with all that it holds."""
    return next(unstorable(value), None) is None


def unstorable(value: Any) -> Iterator[str]:
    """Where inside a value something cannot be stored, as "spans.0.label"; "" where it is the value itself."""
    left = [("", value)]
    while left:
        where, one = left.pop()
        if isinstance(one, dict):
            left += [(where, name) for name in one]
            names = {name: _ODD.sub("?", str(name)) for name in one}
            left += [(f"{where}.{names[name]}" if where else names[name], part) for name, part in one.items()]
        elif isinstance(one, list | tuple):
            left += [(f"{where}.{number}" if where else str(number), part) for number, part in enumerate(one)]
        elif isinstance(one, str):
            if _ODD.search(one):
                yield where
        elif isinstance(one, float):
            if not math.isfinite(one):
                yield where
        elif isinstance(one, int) and not SMALLEST <= one <= LARGEST:
            yield where
