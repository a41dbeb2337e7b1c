from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from annotator.models.job import Job
from annotator.models.layer import Layer
from annotator.models.project import Project


class ComparisonKind(models.TextChoices):
    LANGUAGES = "languages"  # gold of a language and of its translation
    VERSIONS = "versions"  # two of: gold now, gold at a time, a release, a person's answers


class ComparisonQuerySet(models.QuerySet["Comparison"]):
    def published(self) -> ComparisonQuerySet:
        """Those whose rows are all there."""
        return self.filter(published_at__isnull=False)


class Comparison(models.Model):
    """Labels side by side, as they were compared once: a table whose rows can be looked through.

    It never changes once it is published. The next one of the same settings takes its place. A project backup holds
    none: it is made again.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="comparisons")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, related_name="comparisons")
    kind = models.CharField(max_length=20, choices=ComparisonKind.choices)
    # As the job had them: languages, or what stands left and right.
    params = models.JSONField()
    # `cells` and `totals` or `units`, in the shape of `comparisons/queries/collecting.py`.
    results = models.JSONField()
    size = models.PositiveIntegerField()
    # The project's newest event before labels were read.
    last_event = models.BigIntegerField()
    # By which a later try finds what an earlier one left.
    job = models.OneToOneField(Job, null=True, on_delete=models.SET_NULL, related_name="comparison")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # Null while its rows are written: nobody sees it then.
    published_at = models.DateTimeField(null=True)

    objects = ComparisonQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=ComparisonKind.values), name="comparison_kind_known"),
        ]
        indexes = [models.Index(fields=["project", "id"], name="comparison_newest")]

    def __str__(self) -> str:
        return f"{self.kind} #{self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it once. Raises RuntimeError for one that is published."""
        if self.pk is not None and Comparison.objects.published().filter(pk=self.pk).exists():
            raise RuntimeError("A stored comparison cannot be changed.")
        super().save(*args, **kwargs)


class ComparisonRow(models.Model):
    """An expression of a comparison. Rows of one cell have consecutive numbers, so that any page of any filter is read
    by numbers alone. Texts are named by their uid: they may be gone since, or never have been here."""

    id = models.BigAutoField(primary_key=True)
    comparison = models.ForeignKey(Comparison, on_delete=models.CASCADE, db_index=False, related_name="rows")
    number = models.PositiveIntegerField()
    # Of the expression on each side, in lower case; empty where there is none.
    lemma = models.CharField(max_length=200)
    other_lemma = models.CharField(max_length=200)
    content = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["comparison", "number"], name="comparison_row_once")]
        indexes = [
            models.Index(fields=["comparison", "lemma", "number"], name="comparison_lemma"),
            models.Index(fields=["comparison", "other_lemma", "number"], name="comparison_other_lemma"),
        ]

    def __str__(self) -> str:
        return f"{self.comparison_id}: {self.number}"
