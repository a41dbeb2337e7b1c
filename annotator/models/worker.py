from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

# A worker says every few seconds that it is there; after this long in silence it counts as gone.
ALIVE_FOR = timedelta(seconds=15)


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> WorkerQuerySet:
        """Those heard of just now."""
        return self.filter(seen_at__gt=timezone.now() - ALIVE_FOR)

    def listening(self, queue: str) -> list[Worker]:
        """The living ones that take work from `queue`."""
        return [worker for worker in self.alive() if queue in worker.queues]


class Worker(models.Model):
    """A worker process that was heard of. Pages tell from `seen_at` whether anyone listens."""

    name = models.CharField(max_length=200, unique=True)
    queues = models.JSONField(default=list)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
