"""Counts as the language of a page groups them: "1,450", in Spanish "1 450". In templates, `intcomma` does it."""

from __future__ import annotations

import re

from django.utils.formats import number_format

_COUNT = re.compile(r"%\((\w+)\)d")


def grouped(number: int) -> str:
    """A count as pages show it."""
    return str(number_format(number, force_grouping=True))


def with_counts(message: str, **gaps: object) -> str:
    """A message with its gaps filled; those that hold a count (`%(number)d`) show it grouped."""
    counts = set(_COUNT.findall(message))
    shown = {name: grouped(gap) if name in counts and isinstance(gap, int) else gap for name, gap in gaps.items()}
    return _COUNT.sub(r"%(\1)s", message) % shown
