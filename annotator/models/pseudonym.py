from django.conf import settings
from django.db import models

from annotator.models.project import Project


class Pseudonym(models.Model):
    """The number under which releases of a project name a person. Once given, it stays theirs."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="pseudonyms")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="pseudonyms")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="pseudonym_once_per_person"),
            models.UniqueConstraint(fields=["project", "number"], name="pseudonym_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.project.slug}: {self.number}"
