from __future__ import annotations

from django.db import models

from annotator.domain.tokens import text_of
from annotator.models.project import Project
from annotator.models.segment import Segment


class Sentence(models.Model):
    """A segment in one language. Tokens never change: new text is a new revision, which needs labels anew."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sentences")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="sentences")
    language = models.CharField(max_length=20)
    revision = models.PositiveIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    tokens = models.JSONField()
    token_count = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["segment", "language", "revision"], name="sentence_revision_once"),
            models.UniqueConstraint(
                fields=["segment", "language"],
                condition=models.Q(is_current=True),
                name="sentence_one_current_revision",
            ),
        ]
        indexes = [models.Index(fields=["project", "language", "is_current"])]

    def __str__(self) -> str:
        return f"{self.segment.uid} [{self.language}.{self.revision}]"

    @property
    def text(self) -> str:
        return text_of(self.tokens)
