"""The proposals for the guidelines, as a reader may see them: none about what they are still to answer blind, since it
tells of the decision."""

from __future__ import annotations

from annotator.domain.batches import batches
from annotator.models import GuidelineProposal, Project, User
from annotator.work.blind.queries.blind import blind_units, is_blind

MAX_LISTED = 50


def open_proposals(project: Project, language: str, user: User) -> list[GuidelineProposal]:
    """The open ones for the guidelines in a language that the user may see, the oldest first, at most `MAX_LISTED`."""
    rows = GuidelineProposal.objects.filter(project=project, language=language, closed_at=None)
    rows = rows.select_related("unit__segment", "layer", "created_by").order_by("pk")
    shown: list[GuidelineProposal] = []
    for batch in batches(rows.iterator(chunk_size=MAX_LISTED), MAX_LISTED):
        hidden = blind_units(user, project, [row.unit for row in batch])
        shown += [row for row in batch if row.unit_id not in hidden]
        if len(shown) >= MAX_LISTED:
            break
    return shown[:MAX_LISTED]


def shown_proposal(project: Project, proposal: int, user: User) -> GuidelineProposal | None:
    """The proposal with this id, open or not; None where the project has none that the user may see."""
    row = GuidelineProposal.objects.filter(project=project, pk=proposal).select_related("unit").first()
    return None if row is None or is_blind(user, row.unit) else row
