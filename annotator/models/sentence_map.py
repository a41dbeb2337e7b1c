from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project


class SentenceMap(models.Model):
    """The newest map of a project's sentences. How it came about is told by its job: settings and result."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="sentence_map")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="sentence_map")
    # Of each point the id of its unit, its place and, where the unit has several sentences, which line of the text it
    # is (`domain/sentence_map.py`).
    points = models.JSONField()

    def __str__(self) -> str:
        return f"{self.project.slug} map of job {self.job_id}"
