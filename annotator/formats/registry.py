"""All formats by their slugs: those that ship, and those that packages bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from annotator.formats.common.protocol import Format

_brought: dict[str, Format] = {}


def is_parallel(slug: str) -> bool:
    """Whether lines of files in several languages go together: they do, unless a format has `parallel = False`, since
    each of its files has texts of its own."""
    return bool(getattr(formats().get(slug), "parallel", True))


def brings_units(slug: str) -> bool:
    """Whether the records of a format are not sentences but units of its own: they come in as they stand, so that
    nothing splits their text, and have no labels on words."""
    return bool(getattr(formats().get(slug), "brings", ""))


def reads_lines(slug: str) -> bool:
    """Whether each line of a format's files is a sentence, so that lines can be dropped, inserted, merged, swapped."""
    return bool(getattr(formats().get(slug), "line_by_line", False))


def install(new: Iterable[Format]) -> None:
    """Make these formats known beside those that ship, in place of what was installed before."""
    _brought.clear()
    _brought.update({one.slug: one for one in new})
    formats.cache_clear()


@cache
def formats() -> Mapping[str, Format]:
    """All formats by slug: those that packages bring, then those that ship, which are in `shipped`."""
    # Only where formats are asked for: they are many modules.
    from annotator.formats import shipped

    return {**_brought, **{one.slug: one for one in shipped.SHIPPED if one.slug not in _brought}}
