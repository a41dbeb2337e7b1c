"""Background work on `Job` rows, whatever its kind: the three steps that a message of the broker leads to.

Celery says when and where a job is cut into chunks, a chunk is done, a job is ended (`annotator/tasks.py`). The rows
say what is stored: a worker takes a row by conditional update, and stores a chunk's results, the chunk's end and the
job's progress in one transaction, only while the row is still its own. So a message may come twice, a worker be killed
at any moment, and nothing is done twice.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.db import DatabaseError, transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Now
from django.utils import timezone

from annotator.core.faults import is_full, passes
from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.states import JOB_STATES, may_precede
from annotator.jobs.handlers import Counts, Handler, Interrupted, Progress, added, handler_of
from annotator.jobs.steps import Action, Step
from annotator.models import ChunkState, Job, JobChunk, JobState
from annotator.models.stored_error import error_columns

logger = logging.getLogger(__name__)

# A step whose worker died this often is what kills the workers.
MAX_ATTEMPTS = 5
# Seconds between two looks at the row while a chunk reports how far it is.
REPORT_SECONDS = 1.0


@dataclass(frozen=True)
class Taker:
    """Who does a step: the name of a worker, and the id of the message that led it there, "" where none did.

    `stop` is asked while a chunk reports: True where the worker is asked to stop in the middle of it.
    `retries`: how often the message was sent again after a fault that passes.
    """

    worker: str
    task: str = ""
    stop: Callable[[], bool] = bool
    retries: int = 0

    @property
    def may_take(self) -> Q:
        """Rows that nobody has, and what this very message had before: the process that held it has died."""
        free = Q(worker="")
        return free | Q(task=self.task) if self.task else free

    def columns(self) -> dict[str, Any]:
        """Columns of a row that is taken. A try that ended with a fault that passes doesn't count: its message has been
        sent again. One that comes again without that was in the hands of a process that died."""
        after_fault = When(task=self.task, retries__lt=self.retries, then=F("attempts"))
        attempts = Case(after_fault, default=F("attempts") + 1)
        return {"worker": self.worker, "task": self.task, "retries": self.retries, "attempts": attempts}


class _Lost(Interrupted):
    """The chunk is somebody else's now, or the job was cancelled: what was worked out is thrown away."""


class _Stopped(Interrupted):
    """The worker is asked to stop in the middle of a long chunk: another one continues with it."""


def run_job(job_id: int, *, worker: str, stop: Callable[[], bool] = bool) -> None:
    """Do a job here, as far as nobody else has it in hand. `stop` is asked between its steps."""
    taker = Taker(worker, stop=stop)
    steps = [Step(Action.BEGIN, job_id)]
    while steps and not (steps[0].action == Action.WORK and stop()):
        steps += take(steps.pop(0), taker)


def take(step: Step, taker: Taker) -> list[Step]:
    """Do a step, unless it is done or somebody else has it in hand. Returns those that follow from it.

    Failure becomes the job's state. Raises what passes (`core/faults.py`), when the database went away or the disk is
    full: then nothing was stored, and the step must be run again.
    """
    return _TAKE[step.action](step.pk, taker)


def change_state(job_id: int, after: JobState, **fields: Any) -> bool:
    """Set a job's state, and other fields, where JOB_STATES has a way there; False where it has none.

    The conditional update decides when several want it at once.
    """
    rows = Job.objects.filter(pk=job_id, state__in=may_precede(JOB_STATES, after))
    return bool(rows.update(state=after, **fields))


def steps_of(job: Job) -> list[Step]:
    """The steps that a running job still needs and nobody has in hand."""
    if not job.planned:
        return [Step.of(job, Action.BEGIN)]
    unfinished = job.chunks.exclude(state=ChunkState.DONE)
    pending = unfinished.filter(state=ChunkState.PENDING).order_by("index").values_list("pk", "index")
    steps = [Step.of(job, Action.WORK, pk, index) for pk, index in pending]
    return steps if steps or unfinished.exists() else [Step.of(job, Action.FINISH)]


def free(chunks: QuerySet[JobChunk], **columns: Any) -> int:
    """Make those of `chunks` that somebody has in hand free again, with other columns. Returns how many."""
    nobody: dict[str, Any] = {"state": ChunkState.PENDING, "worker": "", "task": "", "begun_at": None}
    return chunks.filter(state=ChunkState.RUNNING).update(**nobody, **columns)


def fail(job_id: int, why: Sentence) -> None:
    """End a job for a reason that its starter can read. One that has ended is left as it is."""
    with transaction.atomic():
        if change_state(job_id, JobState.FAILED, finished_at=timezone.now(), **FREE, **error_columns(why)):
            free(JobChunk.objects.filter(job=job_id))


# A job's columns when nobody plans or ends it.
FREE: dict[str, Any] = {"worker": "", "task": "", "attempts": 0}


def _begin(job_id: int, taker: Taker) -> list[Step]:
    """Cut a job into chunks, unless it is."""
    change_state(job_id, JobState.RUNNING, started_at=timezone.now())
    job = Job.objects.select_related("project").filter(pk=job_id, state=JobState.RUNNING).first()
    if job is None:
        return []
    if not job.planned:
        if not _take_job(job, taker):
            return []
        with _failing(job) as handler:
            _plan(job, handler)
    job = Job.objects.get(pk=job_id)
    return steps_of(job) if job.state == JobState.RUNNING else []


def _finish(job_id: int, taker: Taker) -> list[Step]:
    """End a job whose chunks are all done."""
    job = Job.objects.select_related("project").filter(pk=job_id, state=JobState.RUNNING, planned=True).first()
    if job is None or job.chunks.exclude(state=ChunkState.DONE).exists() or not _take_job(job, taker):
        return []
    with _failing(job) as handler, transaction.atomic():
        row = Job.objects.select_for_update().get(pk=job.pk)
        if row.state == JobState.RUNNING:
            _add_to_result(job.pk, handler.finish(job))
            change_state(job.pk, JobState.DONE, finished_at=timezone.now(), **FREE, **error_columns())
    return []


def _work(chunk_id: int, taker: Taker) -> list[Step]:
    """Do one chunk."""
    chunk = _take_chunk(chunk_id, taker)
    if chunk is None:
        return []
    job = chunk.job
    last = False
    with _failing(job) as handler:
        try:
            engine = _engine(job, handler)
            outcome = handler.work(job, chunk.items, engine, _reporter(chunk, taker))
            with transaction.atomic():
                last = _end_chunk(chunk, taker)
                _add_to_result(job.pk, handler.store(job, chunk.items, outcome, engine))
        except _Lost:
            logger.info("Part %s of job %s is not ours any more.", chunk.index, job.pk)
            free(_ours(chunk, taker))
        except _Stopped:
            # It did not kill the worker, so it does not count as a try.
            if free(_ours(chunk, taker), attempts=F("attempts") - 1):
                return [Step.of(job, Action.WORK, chunk.pk, chunk.index)]
    return [Step.of(job, Action.FINISH)] if last else []


_TAKE = {Action.BEGIN: _begin, Action.WORK: _work, Action.FINISH: _finish}


@contextmanager
def _failing(job: Job) -> Iterator[Handler]:
    """How jobs of this kind are done; what goes wrong meanwhile becomes the job's state.

    A fault that passes is raised. What is held (a row of the job or of a chunk) stays so for the same message, which
    comes again.
    """
    user_errors: tuple[type[Exception], ...] = ()
    try:
        handler = handler_of(job.kind)
        user_errors = handler.user_errors
        yield handler
    except user_errors as error:
        fail(job.pk, message_of(error))
    except SoftTimeLimitExceeded:
        fail(job.pk, too_long())
    except Exception as error:  # of any kind: a handler's fault ends its job with a reason, and not the worker
        if passes(error):
            if is_full(error):
                with suppress(DatabaseError):
                    Job.objects.filter(pk=job.pk, state=JobState.RUNNING).update(**error_columns(_disk_full()))
            raise
        if isinstance(error, KeyError) and not user_errors:
            why = message(_("This worker does not know jobs of this kind. Update it to the version of the web server."))
        else:
            logger.exception("Job %s failed.", job.pk)
            why = message(
                _(
                    "Something unexpected went wrong, but everything stored so far is kept. Retry it, and if "
                    "it fails again, report what the worker's log has under job %(number)s."
                ),
                number=job.pk,
            )
        fail(job.pk, why)


def _disk_full() -> Sentence:
    return message(_("The disk is full, so this waits. It will continue when there is room."))


def too_long() -> Sentence:
    """Why a job failed whose step took longer than its kind has time for."""
    return message(
        _(
            "Part of this work took too long, but everything stored so far is kept. Retry it when the "
            "machine is less busy, or ask the person who runs the workers for a longer time limit."
        )
    )


def _take_job(job: Job, taker: Taker) -> bool:
    """Whether planning or ending it is ours now."""
    # Only if `planned` has not changed: a worker that planned the job meanwhile has sent the next steps.
    rows = Job.objects.filter(taker.may_take, pk=job.pk, state=JobState.RUNNING, planned=job.planned)
    if not rows.update(**taker.columns()):
        return False
    if Job.objects.values_list("attempts", flat=True).get(pk=job.pk) <= MAX_ATTEMPTS:
        return True
    why = _(
        "The worker stopped %(times)s times while it started or finished this work. It may be "
        "short of memory: see its log."
    )
    fail(job.pk, message(why, times=MAX_ATTEMPTS))
    return False


def _planned_by(job: Job, taker: Taker) -> QuerySet[Job]:
    """The job, as long as planning or ending it is ours."""
    return Job.objects.filter(pk=job.pk, worker=taker.worker, task=taker.task)


def _take_chunk(chunk_id: int, taker: Taker) -> JobChunk | None:
    """Take a chunk of a running job. The conditional update decides when several workers want the same one."""
    if not JobChunk.objects.filter(pk=chunk_id, job__state=JobState.RUNNING).exists():
        return None
    # On the chunk's own columns alone: PostgreSQL looks at them again after waiting for another's update.
    rows = JobChunk.objects.filter(taker.may_take, pk=chunk_id).exclude(state=ChunkState.DONE)
    if not rows.update(state=ChunkState.RUNNING, begun_at=Now(), **taker.columns()):
        return None
    chunk = JobChunk.objects.select_related("job__project").get(pk=chunk_id)
    if chunk.attempts <= MAX_ATTEMPTS:
        return chunk
    why = _(
        "Part %(part)s was started %(times)s times, and the worker stopped each time before "
        "finishing it. The worker may be short of memory: see its log."
    )
    fail(chunk.job_id, message(why, part=chunk.index + 1, times=MAX_ATTEMPTS))
    return None


def _plan(job: Job, handler: Handler) -> None:
    plan = handler.plan(job)
    sizes = plan.sizes if plan.sizes is not None else [len(items) for items in plan.chunks]
    with transaction.atomic():
        rows = Job.objects.filter(pk=job.pk, planned=False, state=JobState.RUNNING)
        if rows.update(planned=True, total=sum(sizes), **FREE):
            JobChunk.objects.bulk_create(
                JobChunk(job=job, index=index, items=items, size=size)
                for index, (items, size) in enumerate(zip(plan.chunks, sizes, strict=True))
            )
            _add_to_result(job.pk, plan.counts)


class _Kept(threading.local):
    """The engine of this thread's last chunk: a model stays loaded for the next chunk of the same job."""

    key: tuple[int, datetime | None] | None = None
    engine: Any = None


_kept = _Kept()


def _engine(job: Job, handler: Handler) -> Any:
    """The engine for a chunk, loaded while the chunk is held, so that a load that kills the worker counts as a try."""
    key = (job.pk, job.started_at)
    if _kept.key != key:
        let_go()
        _kept.engine = handler.prepare(job)
        _kept.key = key
    return _kept.engine


def let_go() -> None:
    """Let go of the model that this thread keeps: two need not share the memory."""
    _kept.key = _kept.engine = None


def _reporter(chunk: JobChunk, taker: Taker) -> Progress:
    reported_at = time.monotonic()

    def report(done: int) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at < REPORT_SECONDS:
            return
        reported_at = time.monotonic()
        if taker.stop():
            raise _Stopped
        with transaction.atomic():
            _lock_held(chunk, taker)
            _count_done(chunk, min(done, chunk.size))

    return report


def _count_done(chunk: JobChunk, done: int) -> None:
    """Count a chunk as done so far, under the job's lock: what was reported of it before counts no more."""
    before = JobChunk.objects.values_list("done", flat=True).get(pk=chunk.pk)
    JobChunk.objects.filter(pk=chunk.pk).update(done=done)
    # Whatever held it up is over.
    Job.objects.filter(pk=chunk.job_id).update(done=F("done") + done - before, **error_columns())


def _ours(chunk: JobChunk, taker: Taker) -> QuerySet[JobChunk]:
    own = {"worker": taker.worker, "task": taker.task, "attempts": chunk.attempts}
    return JobChunk.objects.filter(pk=chunk.pk, state=ChunkState.RUNNING, **own)


def _lock_held(chunk: JobChunk, taker: Taker) -> None:
    """Lock the job of a chunk that is ours; _Lost when it is not, or the job runs no more."""
    # The job's lock comes first: those who store results of one job queue up here, in one order.
    state = Job.objects.select_for_update().values_list("state", flat=True).get(pk=chunk.job_id)
    if state != JobState.RUNNING or not _ours(chunk, taker).select_for_update().exists():
        raise _Lost


def _end_chunk(chunk: JobChunk, taker: Taker) -> bool:
    """Mark a chunk as done; whether it was the job's last one, which the job's lock tells one worker alone."""
    _lock_held(chunk, taker)
    _count_done(chunk, chunk.size)
    JobChunk.objects.filter(pk=chunk.pk).update(state=ChunkState.DONE)
    return not JobChunk.objects.filter(job=chunk.job_id).exclude(state=ChunkState.DONE).exists()


def _add_to_result(job_id: int, counts: Counts) -> None:
    if counts:
        job = Job.objects.select_for_update().get(pk=job_id)
        Job.objects.filter(pk=job_id).update(result=added(job.result, counts))
