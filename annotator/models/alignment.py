from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project
from annotator.models.unit import Unit

# In place of an aligner's name, where a person set or removed links; who and when is in the events.
EDITED_BY_PERSON = "person"


class Alignment(models.Model):
    """Word links between two sentences of a segment: `[[source token, target token, score], …]`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="alignments")
    # Null after the project was restored: backups have no jobs.
    job = models.ForeignKey(Job, null=True, on_delete=models.PROTECT, db_index=False, related_name="alignments")
    source = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="alignments_as_source")
    target = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="alignments_as_target")
    aligner = models.CharField(max_length=200)
    revision = models.CharField(max_length=100)
    links = models.JSONField()
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "source", "target"], name="alignment_once_per_job"),
            models.UniqueConstraint(
                fields=["source", "target"], condition=models.Q(is_current=True), name="alignment_one_current"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} → {self.target}"
