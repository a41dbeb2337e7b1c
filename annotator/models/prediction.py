from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project
from annotator.models.sentence import Sentence


class Prediction(models.Model):
    """A detector's spans on a sentence. Never changed afterwards, only superseded."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="predictions")
    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="predictions")
    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="predictions")
    detector = models.CharField(max_length=200)
    revision = models.CharField(max_length=100)
    threshold = models.FloatField()
    spans = models.JSONField()
    # One number per token, P(labelled), rounded to four places.
    probabilities = models.JSONField()
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "sentence"], name="prediction_once_per_job"),
            models.UniqueConstraint(
                fields=["sentence"], condition=models.Q(is_current=True), name="prediction_one_current"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.detector} on {self.sentence}"
