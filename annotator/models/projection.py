from django.db import models

from annotator.models.alignment import Alignment
from annotator.models.job import Job
from annotator.models.project import Project
from annotator.models.sentence import Sentence


class LabelSource(models.TextChoices):
    """Which labels of the source language were carried over."""

    GOLD = "gold"
    ANNOTATIONS = "annotations"


class Projection(models.Model):
    """The spans an alignment carries over, and for every source span its outcome."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="projections")
    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="projections")
    alignment = models.ForeignKey(Alignment, on_delete=models.CASCADE, related_name="projections")
    source = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="projections_as_source")
    target = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="projections_as_target")
    labels = models.CharField(max_length=20, choices=LabelSource.choices)
    rules = models.JSONField()
    source_spans = models.JSONField()
    spans = models.JSONField()
    # `[{"source": span, "outcome": "projected|unaligned|dropped", "reason": "", "target": span or null}, …]`
    outcomes = models.JSONField()
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "source", "target"], name="projection_once_per_job"),
            models.UniqueConstraint(
                fields=["source", "target"], condition=models.Q(is_current=True), name="projection_one_current"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} ⇒ {self.target}"
