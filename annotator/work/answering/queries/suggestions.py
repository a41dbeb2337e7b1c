"""Which suggestions of a unit are shown, and in what order. The one home of that rule
(guarded by tests/work/test_suggestions_queries.py).

A kind of work names the kinds of suggestions it shows, the most important first. Of projections the better-scored one
comes first (`domain/projection/several_sources.py`); of others of one kind, those from the project's earlier
languages. The first of all is what an answer begins from.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from django.db.models import QuerySet

from annotator.core.kind import Kind
from annotator.core.prepared import Prepared
from annotator.domain.projection.several_sources import better_first
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Layer, Project, Suggestion, SuggestionKind


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


def late_proposals(layer: Layer, answers: Mapping[int, Annotation]) -> dict[int, list[Suggestion]]:
    """What people suggested on units after their answers (by unit) were begun, in order: each is one label on words
    that is to come, or to go. It is over once the answer was finished after it. One query."""
    rows = Suggestion.objects.filter(unit__in=list(answers), layer=layer, kind=SuggestionKind.PROPOSAL).order_by("pk")
    current = {row.unit_id: row for row in rows if row.is_current}
    found: dict[int, list[Suggestion]] = {}
    for row in rows:
        answer, now = answers[row.unit_id], current.get(row.unit_id)
        finished = answer.state == AnnotationState.DONE and answer.updated_at > row.created_at
        begun_from = row.pk == answer.suggestion_id or row.pk in answer.shown
        # One that was withdrawn, or followed by its contrary, is in the content of the current one no more.
        if now is not None and row.pk <= now.pk and not finished and not begun_from and _stands(row, now):
            found.setdefault(row.unit_id, []).append(row)
    return found


def _stands(proposal: Suggestion, now: Suggestion) -> bool:
    detail = proposal.detail
    labelled = {token for one in now.content["spans"] if one["label"] == detail["label"] for token in one["tokens"]}
    words = set(detail["words"])
    return labelled.isdisjoint(words) if detail["remove"] else words <= labelled
