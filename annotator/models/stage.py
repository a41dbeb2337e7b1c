from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project


class StageKind(models.TextChoices):
    CORRECT = "correct", _("Correct")
    PROJECT_REVIEW = "project-review", _("Review projections")
    PAIR_TAG = "pair-tag", _("Tag pairs")
    ADJUDICATE = "adjudicate", _("Adjudicate")


class Stage(models.Model):
    """A step of the workflow in one language."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="stages")
    kind = models.CharField(max_length=20, choices=StageKind.choices)
    language = models.CharField(max_length=20)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "language"], name="stage_once_per_language"),
            models.CheckConstraint(condition=models.Q(kind__in=StageKind.values), name="stage_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.language})"
