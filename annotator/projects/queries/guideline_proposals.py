"""The open proposals for the guidelines, as a reader may see them."""

from __future__ import annotations

from annotator.models import GuidelineProposal, Project, User
from annotator.work.blind.queries.blind import blind_units

MAX_LISTED = 50


def open_proposals(project: Project, language: str, user: User) -> list[GuidelineProposal]:
    """Those for the guidelines in a language, the oldest first, at most `MAX_LISTED`; none about what the user is still
    to answer blind, since it tells of the decision."""
    rows = GuidelineProposal.objects.filter(project=project, language=language, closed_at=None)
    found = list(rows.select_related("unit__segment", "layer", "created_by").order_by("pk")[:MAX_LISTED])
    hidden = blind_units(user, project, [row.unit for row in found])
    return [row for row in found if row.unit_id not in hidden]
