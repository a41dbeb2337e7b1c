"""The places of items in the reading order of a stage. `ORDERS` in `queue/queries/free.py`: the orders of claims."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.core.kind import Kind
from annotator.core.unit_kinds import UNIT_KINDS, unit_kind
from annotator.models import Project, Unit

BATCH = 500


def refresh_order(project: Project, units: Iterable[Unit], *, kind: Kind | None = None) -> None:
    """Bring orders in line after something changed on the units: an item or a suggestion is new, or an answer or gold
    now stands or no longer does. `kind`: only its items are concerned.

    Each kind of units places items of its own among these units, and of the units that hang on them. At most one
    statement a kind and batch; none for kinds without an order of their own.
    """
    rows = list(units)
    ordered = [one.order for one in (UNIT_KINDS.values() if kind is None else [unit_kind(kind.unit)])]
    for start in range(0, len(rows), BATCH):
        for order in filter(None, ordered):
            order(project, rows[start : start + BATCH])
