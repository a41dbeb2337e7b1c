from __future__ import annotations

from django.conf import settings
from django.db import models

from annotator.models.corpus_import import PUBLISHED, Import
from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.unit import Unit


class GoldSource(models.TextChoices):
    IMPORTED = "imported"
    AGREED = "agreed"
    ADJUDICATED = "adjudicated"


class DecidedManager(models.Manager["Gold"]):
    """What stands: reopened decisions and those of unfinished imports left out."""

    def get_queryset(self) -> models.QuerySet[Gold]:
        return super().get_queryset().filter(PUBLISHED, reopened=False)


class Gold(models.Model):
    """The decided content of a unit in a layer. "No label" is a decision too.

    A reopened row stays, so that versions continue counting and an old window never fits a new decision.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="golds")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, db_index=False, related_name="golds")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, related_name="golds")
    content = models.JSONField()
    # What it was chosen from (`domain/choosing.py`); null for what came with files, and from before this was kept.
    chosen = models.JSONField(null=True)
    reopened = models.BooleanField(default=False)
    source = models.CharField(max_length=20, choices=GoldSource.choices)
    reason = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="golds")
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="golds")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = DecidedManager()
    all_rows: models.Manager[Gold] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["unit", "layer"], name="gold_once"),
            models.CheckConstraint(condition=models.Q(source__in=GoldSource.values), name="gold_source_known"),
        ]
        indexes = [models.Index(fields=["project", "layer", "reopened"], name="gold_in_layer")]

    def __str__(self) -> str:
        return f"gold of {self.unit}"
