from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from annotator.models.layer import Layer
from annotator.models.project import Project


class AgreementRun(models.Model):
    """A stored agreement of two people: settings, inputs and results.

    It never changes. A project backup does not contain it: after a restore it is computed again from the answers.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="agreement_runs")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, db_index=False, related_name="agreement_runs")
    language = models.CharField(max_length=20)
    # Whose answers are compared. The rows of its tables are the first person's, the columns the second's.
    a = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="agreement_runs_as_first")
    b = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="agreement_runs_as_second")
    dimension = models.CharField(max_length=50)
    mapping = models.CharField(max_length=50, blank=True)
    # How many items both had done, of how many of them neither had seen a suggestion, and under which version of the
    # layer's scheme.
    units = models.PositiveIntegerField()
    blind = models.PositiveIntegerField()
    scheme_version = models.PositiveIntegerField()
    # The project's newest event before the answers were read, and SHA-256 of what was compared
    # (`reports/queries/agreement_runs.py`).
    last_event = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    # The rows and the course, in the shape of `reports/queries/stored_agreement.py`.
    results = models.JSONField()
    computed_at = models.DateTimeField()
    computed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["layer", "a", "b", "id"], name="agreement_run_newest")]

    def __str__(self) -> str:
        return f"{self.project.slug} agreement {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it once. Raises RuntimeError for one that is stored."""
        if self.pk is not None:
            raise RuntimeError("A stored agreement cannot be changed.")
        super().save(*args, **kwargs)
