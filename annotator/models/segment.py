from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project


class SegmentRole(models.TextChoices):
    PREMISE = "prem", _("Premise")
    HYPOTHESIS = "hyp", _("Hypothesis")


class Segment(models.Model):
    """A language-independent slot, one premise or hypothesis. `uid` is its identity for ever."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="segments")
    uid = models.CharField(max_length=200)
    role = models.CharField(max_length=10, choices=SegmentRole.choices)
    dataset = models.CharField(max_length=100)
    genre = models.CharField(max_length=100, blank=True)
    # The premise's published id: premise and hypotheses that share it are read together.
    group = models.CharField(max_length=200)
    # Reading order in the project; never identity.
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "uid"], name="segment_uid_once"),
            models.CheckConstraint(condition=models.Q(role__in=SegmentRole.values), name="segment_role_known"),
        ]
        indexes = [models.Index(fields=["project", "position"]), models.Index(fields=["project", "group"])]

    def __str__(self) -> str:
        return self.uid
