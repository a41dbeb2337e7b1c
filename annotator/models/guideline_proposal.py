from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.unit import Unit


class GuidelineProposal(models.Model):
    """A sentence that an adjudicator proposes for the guidelines, from a decision.

    A project backup holds none; what was proposed is in its events.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="guideline_proposals")
    # What was decided as it came up.
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="+")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, db_index=False, related_name="+")
    # Of the guidelines that it is for.
    language = models.CharField(max_length=20)
    text = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # When a manager put it into the guidelines, or dismissed it.
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["project", "language", "id"],
                condition=Q(closed_at__isnull=True),
                name="guideline_proposal_open",
            )
        ]

    def __str__(self) -> str:
        return self.text
