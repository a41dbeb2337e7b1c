from django.db import models


class Worker(models.Model):
    """A worker process that was heard of. Pages tell from `seen_at` whether anyone listens."""

    name = models.CharField(max_length=200, unique=True)
    queues = models.JSONField(default=list)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
