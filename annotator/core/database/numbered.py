"""Rows by number, counted from 1 in the order in which they were made: ids differ from server to server."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence


class Ids:
    """The ids of one table, sorted: eight bytes a row."""

    def __init__(self, ids: Sequence[int]) -> None:
        self._ids = array("q", ids)

    def __len__(self) -> int:
        return len(self._ids)

    def number(self, pk: int) -> int | None:
        """The number of a row; None where it is not among them."""
        place = bisect_left(self._ids, pk)
        return place + 1 if place < len(self._ids) and self._ids[place] == pk else None

    def id(self, number: int) -> int | None:
        """The id of a row; None where there is no such number."""
        return self._ids[number - 1] if 1 <= number <= len(self._ids) else None
