"""What the workspace of projections to review is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.core.kind_parts import Json
from annotator.kinds.projection_review.sources import sources_of
from annotator.kinds.projection_review.texts import messages
from annotator.models import Stage, Unit, User
from annotator.work.answering.queries.contexts import item_contexts, stage_contexts
from annotator.work.answering.queries.workspace import WorkspaceItem


def item_fields(items: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, the context of the sentence, and every source of its labels."""
    around = item_contexts([row.assignment for row in items], user)
    sources = sources_of(items, user)
    return {
        row.assignment.pk: {
            "context": around[row.unit.pk],
            "source": next((one for one in sources[row.assignment.pk] if one.suggestion is not None), None),
            "sources": sources[row.assignment.pk],
        }
        for row in items
    }


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
