"""What stands on the sources of projections and transfers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from annotator.core.kind import Kind
from annotator.domain.content import Content, content_type
from annotator.domain.effective_content import Stands
from annotator.domain.projection.carry import LabelSource
from annotator.models import Layer, Suggestion, SuggestionKind, Unit
from annotator.work.gold.queries.effective_content import stands_on

CARRIED = (SuggestionKind.PROJECTION.value, SuggestionKind.TRANSFER.value)

Place = tuple[int, str]
"""Segment (id) and language."""


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What stands now on a source that changed: `labels` as a person reads them; `decided`: whether anything stands."""

    language: str
    decided: bool
    labels: Sequence[str]


def shows_carried(kind: Kind) -> bool:
    """Whether a kind of work shows what was carried over from another language."""
    return not set(CARRIED).isdisjoint(kind.suggestions)


def source_of(row: Suggestion) -> Unit:
    """The text that a projection or transfer was made from; it may have been replaced since."""
    if row.source is None:
        raise ValueError(f"Suggestion {row.pk} was carried over from nowhere.")
    return row.source


def place_of(row: Suggestion) -> Place:
    """Where a projection or transfer comes from."""
    return source_of(row).segment_id, source_of(row).language


def sources_of(layer: Layer, rows: Sequence[Suggestion]) -> tuple[Mapping[Place, Unit], Mapping[int, Stands]]:
    """By place the newest text that the rows come from, current or set aside; and what stands on it. Three queries."""
    if not rows:
        return {}, {}
    units = Unit.objects.filter(segment__in={source_of(row).segment_id for row in rows}).order_by("revision")
    newest = {(unit.segment_id, unit.language): unit for unit in units.only("segment", "language", "tokens")}
    return newest, stands_on(layer, sorted({newest[place_of(row)].pk for row in rows}))


def stands_for(row: Suggestion, stands: Stands) -> Content | None:
    """What of all that stands on its source a projection or transfer is made from; None where nothing is."""
    if row.kind == SuggestionKind.TRANSFER:
        return stands.content(reviewed_only=True)
    return stands.content(gold_only=row.detail.get("labels") == LabelSource.GOLD)


def source_changes(layer: Layer, units: Collection[int]) -> dict[int, list[SourceChange]]:
    """By unit (of these ids), what stands now on its sources that changed. One query, and three where there are any.

    For anyone who may see suggestions there.
    """
    rows = Suggestion.objects.filter(
        project=layer.project_id, layer=layer, unit__in=list(units), is_current=True, source_changed=True
    )
    found = list(rows.select_related("source").order_by("unit", "source_language"))
    if not found:
        return {}
    newest, stands = sources_of(layer, found)
    kind = content_type(layer.content_type)
    changes: dict[int, list[SourceChange]] = {}
    for row in found:
        now = newest[place_of(row)]
        content = stands_for(row, stands[now.pk])
        # Where no token is left, all of it is told.
        labels = [] if content is None else kind.lost(content, before=now.tokens or [""], after=[])
        changes.setdefault(row.unit_id, []).append(SourceChange(row.source_language, content is not None, labels))
    return changes
