from django.db import models

from annotator.models.job import Job


class ChunkState(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


class JobChunk(models.Model):
    """A part of a job that one worker does and stores in one transaction. Held by lease: a dead worker's expires."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, db_index=False, related_name="chunks")
    index = models.PositiveIntegerField()
    items = models.JSONField()
    state = models.CharField(max_length=10, choices=ChunkState.choices, default=ChunkState.PENDING)
    worker = models.CharField(max_length=200, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    # In the job's unit: how much of its total this part is, and how much of that its worker has reported.
    size = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["job", "index"], name="job_chunk_once")]
        indexes = [models.Index(fields=["job", "state"])]

    def __str__(self) -> str:
        return f"{self.job} part {self.index}"
