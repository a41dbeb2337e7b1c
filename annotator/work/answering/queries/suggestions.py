"""Which suggestions of a unit are shown, and in what order. The one home of that rule
(guarded by tests/work/test_suggestions_queries.py).

A kind of work names the kinds of suggestions it shows, the most important first. Of projections the better-scored one
comes first (`domain/projection/several_sources.py`); of others of one kind, those from the project's earlier
languages. The first of all is what an answer begins from.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from django.db.models import QuerySet

from annotator.core.kind import Kind
from annotator.core.prepared import Prepared
from annotator.domain.projection.several_sources import better_first
from annotator.models import Layer, Project, Suggestion


def shown(
    project: Project, layer: Layer, units: Collection[int], kinds: Collection[str]
) -> dict[int, list[Suggestion]]:
    """The current suggestions of the units that may be shown, in order, by unit. One query; none without kinds."""
    if not units or not kinds:
        return {}
    rows = _current(tuple(kinds)).rows(units=units, layer=layer.pk)
    found: dict[int, list[Suggestion]] = {}
    for row in sorted(rows, key=lambda row: rank(project, kinds, row)):
        found.setdefault(row.unit_id, []).append(row)
    return found


@cache
def _current(kinds: tuple[str, ...]) -> Prepared[Suggestion]:
    def build(units: list[int], layer: int) -> QuerySet[Suggestion]:
        rows = Suggestion.objects.filter(unit__in=units, layer=layer, kind__in=kinds, is_current=True)
        return rows.select_related("alignment", "source")

    return Prepared(build, units=list, layer=int)


def rank(project: Project, kinds: Collection[str], row: Suggestion) -> tuple[int, float, int, int]:
    """The place of a suggestion among those of its unit."""
    return (list(kinds).index(row.kind), *better_first(row.score, row.source_language, project.languages), row.pk)


def shown_in(project: Project, layer: Layer, kind: Kind, units: Collection[int]) -> dict[int, list[Suggestion]]:
    """What a stage of this kind shows."""
    return shown(project, layer, units, kind.suggestions)
