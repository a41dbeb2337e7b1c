from django.db import models
from django.utils.translation import gettext_lazy as _

from annotator.models.project import Project
from annotator.models.segment import Segment


class Inference(models.TextChoices):
    ENTAILMENT = "entailment", _("Entailment")
    NEUTRAL = "neutral", _("Neutral")
    CONTRADICTION = "contradiction", _("Contradiction")


class Pair(models.Model):
    """Premise + hypothesis + inference label, under its published id."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pairs")
    pair_id = models.CharField(max_length=200)
    dataset = models.CharField(max_length=100)
    # What the published files write in their `source_dataset` column.
    source_dataset = models.CharField(max_length=100, blank=True)
    genre = models.CharField(max_length=100, blank=True)
    premise = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="pairs_as_premise")
    hypothesis = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="pairs_as_hypothesis")
    inference = models.CharField(max_length=20, choices=Inference.choices)
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "dataset", "pair_id"], name="pair_id_once"),
            models.CheckConstraint(condition=models.Q(inference__in=Inference.values), name="pair_inference_known"),
        ]
        indexes = [models.Index(fields=["project", "position"])]

    def __str__(self) -> str:
        return self.pair_id
