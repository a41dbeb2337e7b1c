"""The places of items in their stage's order, where a kind of work has an order of its own."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.core.kind import Kind, kinds
from annotator.models import Project, Unit

BATCH = 500


def refresh_order(project: Project, units: Iterable[Unit], *, kind: Kind | None = None) -> None:
    """Bring orders in line after something changed on the units: an item or a suggestion is new, or an answer or gold
    now stands or no longer does. `kind`: only its items are concerned.

    Each kind places its own items of these units, and of the units that hang on them. At most one statement a kind
    and batch; none for kinds without an order of their own.
    """
    rows = list(units)
    for start in range(0, len(rows), BATCH):
        for each in kinds() if kind is None else (kind,):
            each.place(project, rows[start : start + BATCH])
