from __future__ import annotations

from django.db import models

from annotator.models.corpus_import import PUBLISHED, Import
from annotator.models.project import Project
from annotator.models.segment import Segment


class PairQuerySet(models.QuerySet["Pair"]):
    def published(self) -> PairQuerySet:
        """Those that no unfinished import hides."""
        return self.filter(PUBLISHED)


class Pair(models.Model):
    """Premise + hypothesis + inference label, under its published id. What is answered are its units by language."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="pairs")
    segment = models.OneToOneField(Segment, on_delete=models.CASCADE, related_name="pair")
    pair_id = models.CharField(max_length=200)
    dataset = models.CharField(max_length=100)
    # What the published files write in their `source_dataset` column.
    source_dataset = models.CharField(max_length=100, blank=True)
    genre = models.CharField(max_length=100, blank=True)
    premise = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="pairs_as_premise")
    hypothesis = models.ForeignKey(Segment, on_delete=models.PROTECT, related_name="pairs_as_hypothesis")
    # One of the project's inference labels; empty where the files had none and nobody gave it one yet.
    inference = models.CharField(max_length=20)
    position = models.PositiveIntegerField()
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="pairs")

    objects = PairQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["project", "dataset", "pair_id"], name="pair_id_once")]
        indexes = [models.Index(fields=["project", "position"])]

    def __str__(self) -> str:
        return self.pair_id
