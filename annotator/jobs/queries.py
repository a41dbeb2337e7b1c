"""Jobs as people want to see them: progress, speed, time left, and whether anybody is working."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.models import Job, JobKind, JobState, Project, Worker

ALL_QUEUES = frozenset(kind.queue for kind in JobKind)


@dataclass(frozen=True, slots=True)
class JobProgress:
    """`per_second` and `seconds_left` are None while nothing can be said; `waiting` is "" or why nothing happens.
    `withheld`: whether the reader is not told the result."""

    job: Job
    percent: int
    per_second: float | None
    seconds_left: int | None
    waiting: str
    withheld: bool = False

    @property
    def result(self) -> dict[str, Any]:
        """What of the result the reader is told."""
        return {} if self.withheld else self.job.shown_result


def jobs_of(project: Project) -> QuerySet[Job]:
    """The project's jobs, newest first."""
    return project.jobs.select_related("created_by").order_by("-pk")


def listed_jobs(project: Project) -> QuerySet[Job]:
    """The project's jobs for a list, newest first: without what they were given and gave, which may be long."""
    return jobs_of(project).defer("params", "result")


def active_jobs(project: Project) -> QuerySet[Job]:
    """Those that wait or run."""
    return listed_jobs(project).filter(state__in=[JobState.QUEUED, JobState.RUNNING])


def progress_of(
    job: Job,
    *,
    now: datetime | None = None,
    listening: Collection[str] | None = None,
    withheld: Collection[str] = (),
) -> JobProgress:
    """How far `job` is, computed from its start to now (or to its end).

    `listening`: the queues that workers take from, where the caller has asked already. `withheld`: the kinds of job
    whose results the reader is not told.
    """
    percent = 100 if job.state == JobState.DONE else 100 * job.done // job.total if job.total else 0
    per_second = None
    seconds_left = None
    if job.started_at is not None and job.done:
        elapsed = ((job.finished_at or now or timezone.now()) - job.started_at).total_seconds()
        per_second = job.done / elapsed if elapsed > 0 else None
    if per_second and job.state == JobState.RUNNING:
        seconds_left = round((job.total - job.done) / per_second)
    waiting = waiting_reason(job, listening)
    return JobProgress(job, percent, per_second, seconds_left, waiting, job.kind in withheld)


def progress_of_all(jobs: Iterable[Job], *, withheld: Collection[str] = ()) -> list[JobProgress]:
    """How far each job is, as `progress_of` says. One query beside that of the jobs, however many."""
    listening = queues_listening()
    return [progress_of(job, listening=listening, withheld=withheld) for job in jobs]


def waiting_reason(job: Job, listening: Collection[str] | None = None) -> str:
    """Why nothing happens with a job that is not finished: a sentence when no worker listens or it is held up, else
    ""."""
    queue = job.queue
    if job.error and not job.finished:
        return job.error_shown
    if job.finished or queue in (queues_listening() if listening is None else listening):
        return ""
    return _("No worker listens to the queue “%(queue)s”, so this waits. Start one with: translatio worker") % {
        "queue": queue
    }


def worker_listening(queue: str) -> bool:
    """Whether a living worker takes work from `queue` ("default": import, release; "ml": predict, project, train)."""
    return queue in queues_listening()


def queues_listening() -> set[str]:
    """The queues from which living workers take work. One query."""
    return {queue for worker in Worker.objects.alive() for queue in worker.queues}
