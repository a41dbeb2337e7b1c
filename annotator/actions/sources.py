"""Which languages the spans of projections come from: kept in step as projections come and go."""

from __future__ import annotations

from collections.abc import Collection

from annotator.domain.several_sources import span_sources
from annotator.domain.spans import spans_from_json
from annotator.models import Layer, Suggestion, SuggestionKind

BATCH = 500


def mark_sources(layer: Layer, units: Collection[int]) -> None:
    """Say of the current projections of the units, span by span, which languages agree. One query, and one to write.

    Whoever makes, supersedes or removes a projection calls it, holding the units.
    """
    rows = Suggestion.objects.filter(
        unit__in=list(units), layer=layer, kind=SuggestionKind.PROJECTION, is_current=True
    ).order_by("unit_id", "pk")
    by_unit: dict[int, list[Suggestion]] = {}
    for row in rows:
        by_unit.setdefault(row.unit_id, []).append(row)
    changed: list[Suggestion] = []
    for together in by_unit.values():
        # In the order of the languages' tags, so that the same projections say the same whatever came first.
        together.sort(key=lambda row: row.source_language)
        found = span_sources({row.source_language: spans_from_json(row.content["spans"]) for row in together})
        for row in together:
            if row.span_sources != found[row.source_language]:
                row.span_sources = found[row.source_language]
                changed.append(row)
    Suggestion.objects.bulk_update(changed, ["span_sources"], batch_size=BATCH)
