"""Whether what stands on a source is still what something was carried over from. Positions may have moved since."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content import Content, ContentType


def has_changed(
    kind: ContentType, was: Content | None, now: Content | None, *, before: Sequence[str], after: Sequence[str]
) -> bool:
    """Whether a content differs from another one; None where nothing stands. `before` are the tokens that `was` is on,
    `after` those of `now`: labels on words that stayed are the same."""
    if was is None or now is None:
        return was is not now
    if list(before) != list(after):
        if kind.lost(was, before=before, after=after):
            return True
        was = kind.carry(was, before=before, after=after)
    return bool(kind.key(was) != kind.key(now))
