from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from annotator.models.layer import Layer
from annotator.models.project import Project


class AgreementStudy(models.Model):
    """Agreement of a set of people with its intervals, as it was computed once. It never changes.

    Beside `AgreementRun`, which is of two people in their order, with the table of what each gave and the words behind
    its cells. A project backup holds none: after a restore the answers are there, and it is computed again.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="agreement_studies")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, related_name="agreement_studies")
    language = models.CharField(max_length=20)
    dimension = models.CharField(max_length=50)
    mapping = models.CharField(max_length=50, blank=True)
    # What is drawn as a whole: `units` or `documents`; and how.
    cluster = models.CharField(max_length=20)
    seed = models.PositiveIntegerField()
    resamples = models.PositiveIntegerField()
    # How many items two of the people or more had done, and under which version of the layer's scheme.
    units = models.PositiveIntegerField()
    scheme_version = models.PositiveIntegerField()
    # The project's newest event before the answers were read, and SHA-256 of settings and answers
    # (`reports/queries/studies/computing.py`).
    last_event = models.BigIntegerField()
    sha256 = models.CharField(max_length=64)
    # Rows, strata and the rest, in the shape of `reports/queries/studies/computing.py`; people as their numbers.
    results = models.JSONField()
    computed_at = models.DateTimeField()
    computed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["project", "sha256"], name="agreement_study_same")]

    def __str__(self) -> str:
        return f"{self.project.slug} agreement study {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store it once. Raises RuntimeError for one that is stored."""
        if self.pk is not None:
            raise RuntimeError("A stored agreement cannot be changed.")
        super().save(*args, **kwargs)


class AgreementPerson(models.Model):
    """A person of a study; `number` (from 0) is what its results call them."""

    study = models.ForeignKey(AgreementStudy, on_delete=models.CASCADE, db_index=False, related_name="people")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="agreement_studies")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="agreement_person_number_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.study_id}"
