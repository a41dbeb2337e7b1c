from __future__ import annotations

import hashlib
from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project


class Scope(models.TextChoices):
    """The calls that a token permits, within what the person may do (`core/permissions.py`)."""

    READ = "read", _("Read")
    ANNOTATE = "annotate", _("Read, annotate and adjudicate")
    MANAGE = "manage", _("Everything you can do")


class ApiToken(models.Model):
    """A secret by which a person's script calls the API. The secret is not stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    secret_hash = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=10, choices=Scope.choices)
    # The only project that it opens; none: all of the person's.
    project = models.ForeignKey(Project, null=True, on_delete=models.CASCADE, related_name="api_tokens")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    # To the hour: a write per call would slow down saves.
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(scope__in=Scope.values), name="api_token_scope_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def hashed(secret: str) -> str:
        """How a secret is stored. It is as random as a key, so nothing slower is needed."""
        return hashlib.sha256(secret.encode()).hexdigest()

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now
