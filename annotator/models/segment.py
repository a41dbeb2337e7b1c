from __future__ import annotations

from django.conf import settings
from django.db import models

from annotator.models.corpus_import import PUBLISHED, Import
from annotator.models.project import Project


class SegmentQuerySet(models.QuerySet["Segment"]):
    def published(self) -> SegmentQuerySet:
        """Those that no unfinished import hides."""
        return self.filter(PUBLISHED)


class Segment(models.Model):
    """A language-independent slot: one premise, one hypothesis, one pair, one written text. `uid` is its identity
    for ever; its texts, by language and revision, are its units."""

    SENTENCE = "sentence"
    PAIR = "pair"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="slots")
    kind = models.CharField(max_length=20, default=SENTENCE)
    uid = models.CharField(max_length=200)
    # One of the project's roles; empty where the kind has none.
    role = models.CharField(max_length=20, blank=True)
    dataset = models.CharField(max_length=100)
    genre = models.CharField(max_length=100, blank=True)
    # The document or group that it is read in: of premise and hypotheses, the premise's published id.
    group = models.CharField(max_length=200, blank=True)
    # Reading order in the project; never identity.
    position = models.PositiveIntegerField()
    # Why it should not be in the corpus, and who said so (`revisions/set_aside.py`); empty: it is.
    set_aside_reason = models.CharField(max_length=200, blank=True)
    set_aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, db_index=False, related_name="+"
    )
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="segments")

    objects = SegmentQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "uid"], name="segment_uid_once")]
        indexes = [
            models.Index(fields=["project", "kind", "position"]),
            models.Index(fields=["project", "dataset", "group"]),
            models.Index(
                fields=["project", "position"], condition=~models.Q(set_aside_reason=""), name="segment_aside"
            ),
        ]

    def __str__(self) -> str:
        return self.uid
