"""The effect of a split in numbers, before it is made. Nothing here reads a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.models import Gold, Layer
from annotator.work.gold.queries.slots import segments_in

# Items of which groups and gold are counted while somebody waits.
MAX_COUNTED = 50_000


@dataclass(frozen=True, slots=True)
class Preview:
    """`total` items of a kind; `parts` with about so many. `groups` and `undecided`: None where they are not counted,
    or not for the reader."""

    kind: str
    total: int
    parts: Sequence[tuple[str, int]]
    groups: int | None
    undecided: int | None


def preview(layer: Layer, parts: Sequence[str], shares: Sequence[float], *, sees_gold: bool) -> Preview:
    """At most three statements. `sees_gold`: whether the reader may know how much is decided."""
    rows = segments_in(layer)
    total = rows.count()
    counted = total <= MAX_COUNTED
    groups = undecided = None
    if counted:
        grouped = rows.exclude(group="").order_by().values("dataset", "group").distinct().count()
        groups = grouped + rows.filter(group="").count()
    if counted and sees_gold:
        decided = Gold.objects.filter(layer=layer, unit__is_current=True).values("unit__segment")
        undecided = rows.exclude(pk__in=decided).count()
    whole = sum(shares)
    return Preview(
        layer.unit_kind,
        total,
        [(part, round(total * share / whole)) for part, share in zip(parts, shares, strict=True)],
        groups,
        undecided,
    )
