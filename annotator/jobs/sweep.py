"""Find steps that a broker or a worker lost, and send them again."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from annotator.jobs.running import fail, free, steps_of, too_long
from annotator.jobs.steps import Action, Step
from annotator.models import ChunkState, Job, JobChunk, JobKind, JobState, Worker

# How long a message may take from the queue to the row.
GRACE = timedelta(seconds=3)
FORGET_WORKERS_AFTER = timedelta(hours=1)


def sweep(waiting: Callable[[str], int]) -> list[Step]:
    """Steps that must be sent again. `waiting`: how many messages a queue holds.

    Steps of dead workers are released, and steps that take too long have failed. Steps of a queue with messages are not
    sent again, because their messages may be among them. Other steps are sent once the queue is empty.
    """
    free_dead_workers()
    fail_late()
    found: list[Step] = []
    holds: dict[str, int] = {}
    for job in _unfinished():
        if job.queue not in holds:
            holds[job.queue] = waiting(job.queue)
        if not holds[job.queue]:
            found += _steps(job)
    return found


def free_dead_workers() -> int:
    """Release steps held by dead workers. Returns the number of chunks.

    On this machine it is seen whether a process is there; others are told by their last sign of life.
    """
    here = Worker.objects.filter(host=socket.gethostname())
    gone = [worker.pk for worker in here if not _is_there(worker.pid)]
    Worker.objects.filter(Q(pk__in=gone) | Q(seen_at__lt=Now() - FORGET_WORKERS_AFTER)).delete()
    alive = Worker.objects.alive().values("name")
    Job.objects.exclude(worker="").exclude(worker__in=alive).update(worker="", task="")
    return free(JobChunk.objects.filter(state=ChunkState.RUNNING).exclude(worker__in=alive))


def fail_late() -> None:
    """End jobs of which a step takes longer than its kind has time for, where its process was not ended."""
    for seconds in {kind.seconds for kind in JobKind}:
        kinds = [kind for kind in JobKind if kind.seconds == seconds]
        begun = Now() - timedelta(seconds=1.1 * seconds)
        late = JobChunk.objects.filter(state=ChunkState.RUNNING, begun_at__lt=begun, job__kind__in=kinds)
        for job in late.values_list("job", flat=True).distinct():
            fail(job, too_long())


def _unfinished() -> Iterator[Job]:
    early = Q(created_at__lt=Now() - GRACE)
    yield from Job.objects.filter(early, state__in=[JobState.QUEUED, JobState.RUNNING]).order_by("pk")


def _steps(job: Job) -> list[Step]:
    if job.worker:
        return []
    if job.state == JobState.QUEUED:
        return [Step.of(job, Action.BEGIN)]
    return steps_of(job)


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
