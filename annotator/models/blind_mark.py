from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.models.assignment import Assignment
from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.segment import Segment


class BlindMark(models.Model):
    """A person must not see labels on this segment: they answer blind on one of its units, or on one that touches it.

    Made and deleted with the assignment; live until gold is decided on the assignment's unit
    (`work/blind/queries/blind.py`).
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="blind_marks")
    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, db_index=False, related_name="blind_marks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blind_marks")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="blind_marks")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, related_name="blind_marks")
    live = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "segment"], name="blind_mark_once")]
        indexes = [
            models.Index(fields=["project", "user", "segment"], condition=Q(live=True), name="blind_mark_live"),
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.segment}"
