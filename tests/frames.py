"""Room for the frames of deep calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_SLOTS = 66_000  # of eight bytes: a little more than half a megabyte


def with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the function with room for the frames of all calls in it.

    CPython 3.11 gets memory for frames from the system 16 kB at a time, and gives it back as soon as the call that
    needed it returns. Where a loop stands at such an edge, each call in it takes two system calls and a page fault: in
    tests/protocols/mabl that was 14,000 times a second, and a sixth of the time. A frame of this size is given a whole
    megabyte, half of which is left for those in it.
    """
    return function(*arguments)


with_room.__code__ = with_room.__code__.replace(co_stacksize=_SLOTS)
