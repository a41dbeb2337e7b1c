from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.db.models.functions import Now

# A worker says every few seconds that it is there; after this long in silence it counts as gone.
ALIVE_FOR = timedelta(seconds=15)


class WorkerQuerySet(models.QuerySet["Worker"]):
    def alive(self) -> WorkerQuerySet:
        """Those heard of just now, by the database's clock: those of machines differ."""
        return self.filter(seen_at__gt=Now() - ALIVE_FOR)

    def listening(self, queue: str) -> list[Worker]:
        """The living ones that take work from `queue`."""
        return [worker for worker in self.alive() if queue in worker.queues]


class Worker(models.Model):
    """A process that works on jobs and was heard of. Pages tell from `seen_at` whether anyone listens, and what is in
    the hands of one that is gone is free for others."""

    name = models.CharField(max_length=200, unique=True)
    host = models.CharField(max_length=200, blank=True)
    pid = models.PositiveIntegerField(default=0)
    queues = models.JSONField(default=list)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()

    objects = WorkerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
