"""What the workspace of projections to review is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.core.kind_parts import Json
from annotator.kinds.projection_review.texts import messages
from annotator.models import Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.answering.queries.contexts import item_contexts, stage_contexts
from annotator.work.answering.queries.workspace import WorkspaceItem


@dataclass(frozen=True, slots=True)
class Source:
    """The sentence that labels were carried over from: `spans` as they were then, word links to the target, and
    what became of every span (`Suggestion.detail`)."""

    unit: Unit
    spans: Sequence[Json]
    links: Sequence[Sequence[float]]
    outcomes: Sequence[Json]


def item_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, the context of the sentence, and what labels were projected from."""
    around = item_contexts([row.assignment for row in items], user)
    found = {}
    for row in items:
        sources = [source_of(one) for one in row.suggestions if one.kind == SuggestionKind.PROJECTION]
        found[row.assignment.pk] = {
            "context": around[row.unit.pk],
            "source": sources[0] if sources else None,
            "sources": sources,
        }
    return found


def adjudication_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the context of the sentence."""
    around = stage_contexts(stage, units, user)
    return {unit.pk: {"context": around[unit.pk]} for unit in units}


def page(stage: Stage) -> Json:
    """What its scripts are configured with."""
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
