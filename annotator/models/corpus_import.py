from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotator.models.project import Project


class Import(models.Model):
    """One dataset brought into a project. Its rows carry it; until `published_at` is set nothing sees or claims them.

    A project has one import under way at a time (`imports/writing/leases.py`).
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    # The job that made it, where it was one: a part that is done again finds what it had started.
    job_id = models.BigIntegerField(null=True)
    dataset = models.CharField(max_length=100)
    labels = models.CharField(max_length=20)
    summary = models.JSONField(default=dict)
    # Where it comes from: `{"name", "size", "sha256", "encoding", "language"}` of each file, in order, and
    # `edits` where lines were edited, as in a draft. Units say which.
    files = models.JSONField(default=list)
    licence = models.CharField(max_length=200, blank=True)
    # Whether the text may be given away.
    publishable = models.BooleanField(default=True)
    # The language that the texts were written in, from which the others were translated; empty: not known.
    original_language = models.CharField(max_length=20, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # Who writes or undoes it, and when they last did.
    holder = models.UUIDField(default=uuid.uuid4)
    seen_at = models.DateTimeField(default=timezone.now)
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=Q(published_at__isnull=True), name="import_one_under_way"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dataset} #{self.pk}"


# For rows with an `imported` key: those that people and machines may see.
PUBLISHED = Q(imported__isnull=True) | Q(imported__published_at__isnull=False)
