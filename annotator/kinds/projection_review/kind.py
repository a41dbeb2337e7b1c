from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import pgettext_lazy

from annotator.core.kind import Holds, Json, Kind
from annotator.kinds.projection_review.texts import messages
from annotator.models import Layer, Project, Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.answering.queries.contexts import item_contexts, stage_contexts
from annotator.work.answering.queries.workspace import WorkspaceItem

if TYPE_CHECKING:
    from rest_framework.serializers import Serializer


@dataclass(frozen=True, slots=True)
class Source:
    """The sentence that labels were carried over from: `spans` as they were then, word links to the target, and
    what became of every span (`Suggestion.detail`)."""

    unit: Unit
    spans: Sequence[Json]
    links: Sequence[Sequence[float]]
    outcomes: Sequence[Json]


class ProjectionReview(Kind):
    """The sentences that a current projection reached."""

    slug = "project-review"
    title = pgettext_lazy("stage", "Review projections")
    suggests = (SuggestionKind.EARLIER_GOLD.value, SuggestionKind.PROJECTION.value)
    template = "kinds/projection_review.html"

    def layer(self, project: Project) -> Layer:
        return project.label_layer

    def holds(self, stage: Stage) -> Holds:
        return Holds.PROJECTED

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        around = item_contexts([row.assignment for row in shown], user)
        found = {}
        for row in shown:
            sources = [source_of(one) for one in row.suggestions if one.kind == SuggestionKind.PROJECTION]
            found[row.assignment.pk] = {
                "context": around[row.unit.pk],
                "source": sources[0] if sources else None,
                "sources": sources,
            }
        return found

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.projection_review.serializers import ReviewPart

        return ReviewPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        around = stage_contexts(stage, units, user)
        return {unit.pk: {"context": around[unit.pk]} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.projection_review.serializers import ReviewAdjudicationPart

        return ReviewAdjudicationPart

    def page(self, stage: Stage) -> Json:
        return {
            "dictionaries": stage.project.dictionaries_for(stage.language),
            "marks_content": stage.project.tells_content_words(stage.language),
            "messages": messages(),
        }


def source_of(suggestion: Suggestion) -> Source:
    """Where a projection comes from. The suggestion comes with its source and alignment."""
    if suggestion.source is None:
        raise ValueError(f"Suggestion {suggestion.pk} was carried over from nowhere.")
    return Source(
        unit=suggestion.source,
        spans=suggestion.detail.get("source_spans", []),
        links=suggestion.alignment.links if suggestion.alignment is not None else [],
        outcomes=suggestion.detail.get("outcomes", []),
    )
