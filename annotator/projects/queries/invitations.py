"""Reads of invitations."""

from __future__ import annotations

from datetime import datetime

from annotator.models import Invitation, InvitationState, Project

# Of those that cannot be accepted any more; the log has them all.
SHOWN = 20


def invitation_by(secret: str) -> Invitation | None:
    """The invitation whose link has this secret; None where there is none, or its project is being deleted."""
    rows = Invitation.objects.select_related("project", "invited_by", "accepted_by")
    return rows.filter(secret_hash=Invitation.hashed(secret), project__deleting_at=None).first()


def listed(project: Project, now: datetime) -> list[tuple[Invitation, InvitationState]]:
    """The project's open invitations and the newest of the others, newest first, each with what became of it."""
    rows = project.invitations.select_related("invited_by", "accepted_by")
    open_ = rows.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)
    over = rows.exclude(pk__in=open_.values("pk"))[:SHOWN]
    found = sorted([*open_, *over], key=lambda row: -row.pk)
    return [(row, row.state(now)) for row in found]
