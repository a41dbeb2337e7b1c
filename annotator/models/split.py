from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from annotator.models.job import Job
from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.segment import Segment


class SplitMethod(models.TextChoices):
    RATIO = "ratio"
    FOLDS = "folds"
    LEXICAL = "lexical"
    IMPORTED = "imported"


class SplitQuerySet(models.QuerySet["Split"]):
    def published(self) -> SplitQuerySet:
        """Those whose rows are all there."""
        return self.filter(published_at__isnull=False)


class Split(models.Model):
    """Which part of a corpus each of its items is in: how that came about, and what came of it.

    It never changes once it is published, and it is deleted as a whole.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="splits")
    name = models.CharField(max_length=100)
    # What is split are the items of this layer, and its gold says which are labelled.
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, related_name="splits")
    method = models.CharField(max_length=20, choices=SplitMethod.choices)
    # Names of the parts, in their order. Rows name them by their places.
    parts = models.JSONField()
    # As the job had them: seed, shares, strata, what stays together, names of files.
    params = models.JSONField()
    # The project's newest event before gold was read, the version of the layer's scheme, and SHA-256 of the lines
    # "uid<TAB>part", each ended by a line feed, in reading order.
    last_event = models.BigIntegerField()
    scheme_version = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    # Number of items in parts, and in none.
    size = models.PositiveIntegerField()
    left_out = models.PositiveIntegerField()
    # Tables and leakage, in the shape of `splits/queries/computed.py`. They name items by uid.
    results = models.JSONField()
    # By which a later try finds what an earlier one left.
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="split")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # Null while its rows are written: nobody sees it then.
    published_at = models.DateTimeField(null=True)

    objects = SplitQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "name"],
                condition=models.Q(published_at__isnull=False),
                name="split_name_once",
            ),
            models.CheckConstraint(condition=models.Q(method__in=SplitMethod.values), name="split_method_known"),
        ]
        indexes = [models.Index(fields=["project", "id"], name="split_newest")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it once. Raises RuntimeError for one that is published."""
        if self.pk is not None and Split.objects.published().filter(pk=self.pk).exists():
            raise RuntimeError("A stored split cannot be changed.")
        super().save(*args, **kwargs)


class SplitRow(models.Model):
    """The part of an item in a split, and its place in the files of that part. `part`: null for what is in none."""

    id = models.BigAutoField(primary_key=True)
    split = models.ForeignKey(Split, on_delete=models.CASCADE, db_index=False, related_name="rows")
    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="+")
    part = models.PositiveSmallIntegerField(null=True)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["split", "segment"], name="split_segment_once")]
        indexes = [models.Index(fields=["split", "part", "position"], name="split_in_order")]

    def __str__(self) -> str:
        return f"{self.split_id}: {self.segment_id} in {self.part}"


def splits_of(project: int) -> str:
    """The folder in the storage of files that splits are read from."""
    return f"splits/{project}"
