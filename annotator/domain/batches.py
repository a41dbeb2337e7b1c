"""Rows some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

_T = TypeVar("_T")


def batches(rows: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The rows, so many at a time."""
    left = iter(rows)
    while batch := list(islice(left, size)):
        yield batch
