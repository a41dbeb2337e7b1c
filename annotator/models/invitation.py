from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.models.membership import Role
from annotator.models.project import Project


class InvitationState(StrEnum):
    """What became of an invitation; only an open one can be accepted."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REVOKED = "revoked"
    EXPIRED = "expired"


class Invitation(models.Model):
    """A link by which one person, with an account or without, becomes a member of a project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    # Of the secret in the link, which is kept nowhere.
    secret_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20, choices=Role.choices, default=Role.ANNOTATOR)
    # In which the person is to work; none: in all of the project's.
    languages = models.JSONField(default=list)
    email = models.EmailField(blank=True)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False, revoked_at__isnull=True),
                name="invitation_accepted_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"to {self.project}: {self.role}"

    @staticmethod
    def hashed(secret: str) -> str:
        """How the secret of a link is kept. It is as random as a key, so nothing slower is needed."""
        return hashlib.sha256(secret.encode()).hexdigest()

    def state(self, now: datetime) -> InvitationState:
        """What became of it by `now`."""
        if self.accepted_at is not None:
            return InvitationState.ACCEPTED
        if self.revoked_at is not None:
            return InvitationState.REVOKED
        return InvitationState.EXPIRED if self.expires_at <= now else InvitationState.OPEN
