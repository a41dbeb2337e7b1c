"""What a workspace is given of an assignment, whatever the kind of work; the kind adds its own part. Blind rule applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.content import content_type
from annotator.domain.states import ItemState, Mode
from annotator.models import Annotation, Assignment, Project, Suggestion, User
from annotator.queries.blind import blind_units

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """An assignment as its workspace shows it: `blind` hides `suggestion`; `annotation` is None while unseen."""

    assignment: Assignment
    annotation: Annotation | None
    suggestion: Suggestion | None
    blind: bool

    @property
    def content(self) -> Json:
        """What stands in the person's answer, or what it begins from."""
        kind = content_type(self.assignment.stage.layer.content_type)
        if self.annotation is not None:
            return self.annotation.content
        return kind.begin(self.suggestion.content) if self.suggestion is not None else kind.empty()

    @property
    def origins(self) -> Json:
        """What of the content was kept from the suggestion, added, removed."""
        kind = content_type(self.assignment.stage.layer.content_type)
        if self.blind:
            suggested = None
        elif self.annotation is not None:
            suggested = self.annotation.suggested
        else:
            suggested = self.suggestion.content if self.suggestion is not None else None
        return kind.origins(suggested, self.content)

    @property
    def is_decided(self) -> bool:
        """Whether gold is decided."""
        return self.assignment.item.state == ItemState.DECIDED


def shown_assignments(project: Project, assignments: Sequence[Assignment], user: User) -> list[Shown]:
    """The user's assignments of one stage, with what they may see. Three queries at most, however many.

    Assignments come with item, unit, segment, stage and layer.
    """
    if not assignments:
        return []
    stage = assignments[0].stage
    annotations = {
        row.unit_id: row
        for row in Annotation.objects.filter(
            unit__in=[row.unit_id for row in assignments], layer=stage.layer_id, user=user
        )
    }
    ids = {pk for row in assignments if row.mode == Mode.REVIEW for pk in row.shown[:1]}
    ids |= {row.suggestion_id for row in annotations.values() if row.suggestion_id is not None}
    suggestions = Suggestion.objects.select_related("alignment", "source").in_bulk(ids) if ids else {}
    # Nothing is suggested in blind mode, so there is nothing to hide either.
    hidden = (
        blind_units(user, project, [row.unit for row in assignments], stage.layer)
        if any(row.mode == Mode.REVIEW for row in assignments)
        else set()
    )
    found = []
    for row in assignments:
        blind = row.mode == Mode.BLIND or row.unit_id in hidden
        annotation = annotations.get(row.unit_id)
        main = annotation.suggestion_id if annotation is not None else next(iter(row.shown), None)
        found.append(Shown(row, annotation, None if blind else suggestions.get(main or 0), blind))
    return found
