"""Ended jobs: all chunks done, counted once, not held by a worker."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Now

from annotator.domain.states import JobState
from annotator.integrity.findings import Finding
from annotator.models import ChunkState, Job, JobChunk, Worker

_SWEEP = "Start a process that cleans up: translatio worker, or celery -A annotator beat."
# A chunk that no worker holds is sent again within seconds, where something sweeps.
SWEPT_AFTER = timedelta(minutes=10)


def check_jobs() -> Iterator[Finding]:
    """Ended jobs have no open chunks, and nothing was done or stored twice."""
    done = Job.objects.filter(state=JobState.DONE)
    yield from _jobs(done.exclude(done=F("total")), "is done, but its progress is not.")
    unfinished = JobChunk.objects.exclude(state=ChunkState.DONE)
    yield from _jobs(done.filter(pk__in=unfinished.values("job")), "is done, but has parts that are not.")
    counted = Job.objects.filter(planned=True).annotate(counted=Coalesce(Sum("chunks__done"), 0))
    yield from _jobs(counted.exclude(done=F("counted")), "has a different progress from its parts.")
    yield from _in_hand()
    yield from _lost()


def _in_hand() -> Iterator[Finding]:
    """Steps of ended jobs that a worker holds. A living worker may not know yet that the job was cancelled."""
    over = [state for state in JobState if state not in (JobState.QUEUED, JobState.RUNNING)]
    alive = Worker.objects.alive().values("name")
    held = JobChunk.objects.filter(state=ChunkState.RUNNING, job__state__in=over).exclude(worker__in=alive)
    for pk, job, worker in held.order_by("pk").values_list("pk", "job", "worker"):
        yield Finding(f"part {pk} of job {job}", f'is held by "{worker}", but the job has ended.', _SWEEP)
    jobs = Job.objects.filter(state__in=over).exclude(worker="").exclude(worker__in=alive)
    yield from _jobs(jobs, "has ended, but a worker still holds it.", _SWEEP)


def _lost() -> Iterator[Finding]:
    """Steps that a dead worker has held for long."""
    alive = Worker.objects.alive().values("name")
    late = Q(begun_at__lt=Now() - SWEPT_AFTER)
    held = JobChunk.objects.filter(late, state=ChunkState.RUNNING, job__state=JobState.RUNNING)
    for pk, job, worker in held.exclude(worker__in=alive).order_by("pk").values_list("pk", "job", "worker"):
        problem = f'is held by "{worker}", which has not reported.'
        yield Finding(f"part {pk} of job {job}", problem, _SWEEP, is_warning=True)


def _jobs(jobs: QuerySet[Any], problem: str, remedy: str = "") -> Iterator[Finding]:
    for job in jobs.order_by("pk").iterator(chunk_size=1000):
        yield Finding(f"job {job.pk} ({job.kind})", problem, remedy or "Retry it, or report this line.")
