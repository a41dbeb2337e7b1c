"""What words look like to somebody who does not know what they mean: how frequent and long they are, how they end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

_Item = TypeVar("_Item")

# Letters of an ending that count.
ENDING = 4
# What one unit of the Zipf scale, one letter of length and one letter of a common ending are worth. With these a
# classifier tells literal uses and metaphors apart worst, by letters as by frequency and length
# (bench/literal_sampling.py, on xnli_dev in Spanish and English).
_ZIPF, _LETTER, _END = 1.0, 0.5, 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """An expression's words, and the frequency of the rarest of them on the Zipf scale."""

    words: str
    zipf: float


class Looks(Generic[_Item]):
    """Things with their looks, each to be taken once, by what they look like."""

    def __init__(self, items: Iterable[tuple[Look, _Item]]) -> None:
        grouped: defaultdict[Look, list[_Item]] = defaultdict(list)
        for look, item in items:
            grouped[look].append(item)
        self._items = list(grouped.values())
        self._zipf = np.array([look.zipf for look in grouped])
        self._lengths = np.array([len(look.words) for look in grouped])
        self._endings = np.array([_ending(look.words) for look in grouped]).reshape(-1, ENDING)
        self._used_up = np.zeros(len(grouped), dtype=bool)

    def taken_like(self, look: Look) -> Iterator[_Item]:
        """Take one after the other, what looks most like `look` first; of equal ones that whose look came first."""
        common = np.cumprod(self._endings == _ending(look.words), axis=1).sum(axis=1)
        frequency, length = np.abs(self._zipf - look.zipf), np.abs(self._lengths - len(look.words))
        apart = _ZIPF * frequency + _LETTER * length - _END * common
        while not self._used_up.all():
            at = int(np.argmin(np.where(self._used_up, np.inf, apart)))
            item = self._items[at].pop()
            self._used_up[at] = not self._items[at]
            yield item


def _ending(words: str) -> npt.NDArray[np.str_]:
    """The last letters, the last one first; shorter words are filled up."""
    return np.array(list(words[::-1][:ENDING].ljust(ENDING, "\0")))
