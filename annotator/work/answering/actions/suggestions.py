"""What all that stores suggestions shares: the order of locks, and what items know of suggestions.

Machines and other languages (`predictions.py`, `projections.py`, `transfers.py`) never overwrite people, and what was
said before stays on record. Whoever stores first locks the units, then their items: so jobs take turns, and so does a
person who saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import connection

from annotator.core.database.bulk import update_rows
from annotator.core.kind import kind_of
from annotator.domain.content import content_type
from annotator.domain.states import ItemState
from annotator.models import Alignment, Item, Layer, Project, Stage, Suggestion, Unit
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.queue.actions.order import refresh_order


def locked(project: Project, layer: Layer, units: Iterable[int]) -> list[Unit]:
    """Those of the units whose text stands, locked with their items in the layer until the transaction ends."""
    ids = list(units)
    # Without their texts: anyone who saves waits for this transaction.
    rows = Unit.objects.only("language", "token_count", "is_current").filter(project=project, pk__in=ids)
    rows = rows.select_for_update(no_key=True).order_by("pk")
    current = [row for row in rows if row.is_current]
    if connection.features.has_select_for_update:
        items = Item.objects.filter(unit__in=ids, stage__layer=layer).order_by("pk")
        list(items.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    return current


def supersede(rows: Collection[Suggestion]) -> None:
    """The suggestions, and the alignments they were made by, stay on record but are not current any more."""
    Suggestion.objects.filter(pk__in=[row.pk for row in rows]).update(is_current=False)
    Alignment.objects.filter(pk__in=[row.alignment_id for row in rows if row.alignment_id]).update(is_current=False)


def refresh_items(project: Project, layer: Layer, units: Collection[int]) -> None:
    """Bring what the units' items in the layer know of suggestions in line with what their stages now show.

    That is: whether something is suggested, and the keys of the orders "most uncertain first" and "labelled first".
    """
    if not units:
        return
    of_content = content_type(layer.content_type)
    items = (
        Item.objects.filter(unit__in=list(units), stage__layer=layer)
        .exclude(state=ItemState.VOID)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .select_related("stage")
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    by_stage: dict[Stage, list[Item]] = {}
    for item in items:
        by_stage.setdefault(item.stage, []).append(item)
    for stage, rows in by_stage.items():
        kind = kind_of(stage)
        shown = shown_in(project, layer, kind, [row.unit_id for row in rows])
        changed: list[Item] = []
        for row in rows:
            suggestions = shown.get(row.unit_id, [])
            suggested = any(of_content.is_labelled(suggestion.content) for suggestion in suggestions)
            new = (suggested, uncertainty(suggestions[0] if suggestions else None), int(not suggested))
            if new != (row.suggested, row.uncertainty, row.unlabelled):
                row.suggested, row.uncertainty, row.unlabelled = new
                changed.append(row)
        update_rows(Item, changed, ["suggested", "uncertainty", "unlabelled"])
        if stage.order == Stage.Order.LABELLED:
            refresh_order(project, Unit.objects.filter(pk__in=[row.unit_id for row in rows]), kind=kind)


def uncertainty(suggestion: Suggestion | None) -> float:
    """The place in the order "most uncertain first", 0 to 1.

    Of a detector's suggestion, how far from an even chance the closest token is; of a projection, its score, with the
    second opinion where there is one. 1.0 where nothing is known.
    """
    if suggestion is None:
        return 1.0
    if suggestion.probabilities:
        return min(abs(number - 0.5) * 2 for number in suggestion.probabilities)
    known = suggestion.detail.get("second_opinion", {}).get("score", suggestion.score)
    return 1.0 if known is None else float(known)
