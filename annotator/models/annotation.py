from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.assignment import Mode
from annotator.models.prediction import Prediction
from annotator.models.project import Project
from annotator.models.projection import Projection
from annotator.models.sentence import Sentence


class AnnotationState(models.TextChoices):
    """*Unseen* is the absence of a row."""

    OPEN = "open", _("Open")
    DONE = "done", _("Done")


class Annotation(models.Model):
    """One person's labels on one sentence. Done asserts every token; every write raises `version`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="annotations")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="annotations")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annotations")
    mode = models.CharField(max_length=10, choices=Mode.choices)
    state = models.CharField(max_length=10, choices=AnnotationState.choices, default=AnnotationState.OPEN)
    version = models.PositiveIntegerField(default=1)
    spans = models.JSONField(default=list)
    # What the machine had suggested when the annotation was opened; origins are computed from it.
    suggested = models.JSONField(default=list)
    prediction = models.ForeignKey(Prediction, null=True, on_delete=models.PROTECT, related_name="annotations")
    projection = models.ForeignKey(Projection, null=True, on_delete=models.PROTECT, related_name="annotations")
    doubt = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sentence", "annotator"], name="annotation_once_per_person"),
            models.CheckConstraint(
                condition=models.Q(mode=Mode.REVIEW) | models.Q(prediction=None, projection=None),
                name="annotation_blind_has_no_suggestion",
            ),
        ]
        indexes = [models.Index(fields=["project", "state"])]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.sentence}"
