from django.db import models

from annotator.models.job import Job


class ChunkState(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


class JobChunk(models.Model):
    """A part of a job that one worker does and stores in one transaction."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, db_index=False, related_name="chunks")
    index = models.PositiveIntegerField()
    items = models.JSONField()
    state = models.CharField(max_length=10, choices=ChunkState.choices, default=ChunkState.PENDING)
    # Who has it in hand, or did it; the message that led there; and since when, by the database's clock.
    worker = models.CharField(max_length=200, blank=True)
    task = models.CharField(max_length=64, blank=True)
    begun_at = models.DateTimeField(null=True)
    # How often it was started, temporary faults apart; and how often the message had been sent again after one.
    attempts = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
    # In the job's unit: how much of its total this part is, and how much of that its worker has reported.
    size = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["job", "index"], name="job_chunk_once")]
        indexes = [models.Index(fields=["job", "state"])]

    def __str__(self) -> str:
        return f"{self.job} part {self.index}"
