"""Texts that a spreadsheet program would calculate: they go out with an apostrophe before them, which is taken away as
they are read."""

from __future__ import annotations

import re

# What begins a formula. An apostrophe before it is part of some texts, and gets another one.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guarded(cell: str) -> str:
    """A cell that no spreadsheet program calculates."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The inverse of `guarded`."""
    return cell[1:] if _GUARDED.match(cell) else cell
