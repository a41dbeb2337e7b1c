"""Background work on `Job` rows, whatever its kind.

The rows are the truth: a job is cut into chunks once, a worker holds a chunk by lease, and stores a chunk's results,
the chunk's end and the job's progress in one transaction, only while it still holds the lease. So any number of
workers can share a job, each may be killed at any moment, and nothing is done twice.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, partial
from typing import Any, Protocol

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from annotator.core.errors import ActionError
from annotator.domain.messages import Sentence, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.domain.states import JOB_STATES, may_precede
from annotator.models import ChunkState, Job, JobChunk, JobKind, JobState
from annotator.models.stored_error import error_columns

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=15)
# A chunk whose worker died this often is what kills the workers.
MAX_ATTEMPTS = 5
# Seconds between two looks at the row while a chunk reports how far it is.
REPORT_SECONDS = 1.0

Counts = Mapping[str, Any]
Items = list[Any]


@dataclass(frozen=True)
class Plan:
    """The work of a job: lists of items (JSON), and counts that go into the result, e.g. of what is left out.

    Progress counts items, or what `sizes` says of each chunk: a training is one item of many steps.
    """

    chunks: Sequence[Items]
    counts: Counts = field(default_factory=dict)
    sizes: Sequence[int] | None = None


# Says how much of a chunk is done, in the job's unit, while it is worked on. Raises when it is to be left, so
# whatever calls it must let exceptions through.
Progress = Callable[[int], None]


class Handler(Protocol):
    """How one kind of job is done. A handler that is derived from it says only what is its own."""

    @property
    def user_errors(self) -> tuple[type[Exception], ...]:
        """Exceptions whose message is a sentence for the person who started the job."""
        return (ActionError,)

    def plan(self, job: Job) -> Plan:
        """Cut the job into chunks. May run more than once; only one result is taken."""

    def prepare(self, job: Job) -> Any:
        """Load what every chunk needs (a model). Once for all chunks that a worker takes in a row, while it holds the
        first of them."""
        return None

    def work(self, job: Job, items: Items, engine: Any, report: Progress) -> Any:
        """Do the long part of one chunk, outside any transaction; `report` is for chunks that take minutes.

        Writes nothing to the database, with one exception: what would hold others up inside the transaction of `store`
        may be written here in short transactions. Nobody may see it before it is whole, or each of its rows must be
        whole in itself, and the next try must find, by the job's id, what a killed one left (an import, a
        pre-labelling). Any chunk may be begun again, even after its last write.
        """

    def store(self, job: Job, items: Items, outcome: Any, engine: Any) -> Counts:
        """Write a chunk's outcome, inside the transaction that marks it done; counts are added to the result."""

    def finish(self, job: Job) -> Counts:
        """After the last chunk, inside the transaction that marks the job done."""
        return {}


# Who does a kind of job: the capability that it serves, which only workers load.
_HANDLERS: dict[str, str] = {
    JobKind.ARCHIVE: "annotator.backup.jobs.WriteArchive",
    JobKind.RESTORE: "annotator.backup.jobs.Restore",
    JobKind.COPY: "annotator.imports.jobs.CopyTexts",
    JobKind.IMPORT: "annotator.imports.jobs.Import",
    JobKind.DELETE: "annotator.projects.jobs.DeleteProject",
    JobKind.FILL: "annotator.projects.jobs.FillStage",
    JobKind.RELABEL: "annotator.projects.jobs.Relabel",
    JobKind.EXPORT: "annotator.releases.jobs.WriteExport",
    JobKind.RELEASE: "annotator.releases.jobs.MakeRelease",
    JobKind.COUNT: "annotator.reports.jobs.CountFigures",
    JobKind.WORDS: "annotator.work.lexicon.jobs.RecomputeWords",
    JobKind.MAP: "mlworkers.sentence_map.DrawMap",
    JobKind.PREDICT: "mlworkers.tasks.Predict",
    JobKind.PROJECT: "mlworkers.tasks.ProjectLabels",
    JobKind.REVISE: "mlworkers.revision.Revise",
    JobKind.TRAIN: "mlworkers.training.Train",
}


def handler_of(kind: str) -> Handler:
    """How jobs of a kind are done. Raises KeyError for a kind that a later version brought."""
    handler: Handler = import_string(_HANDLERS[kind])()
    return handler


def change_state(job_id: int, after: JobState, **fields: Any) -> bool:
    """Set a job's state, and other fields, where JOB_STATES has a way there; False where it has none.

    The conditional update decides when several want it at once.
    """
    rows = Job.objects.filter(pk=job_id, state__in=may_precede(JOB_STATES, after))
    return bool(rows.update(state=after, **fields))


# Chunks that this process is working on; the heartbeat renews their leases.
held: set[int] = set()


class Interrupted(Exception):
    """Raised by a report: the chunk is to be left as it is. Whoever tidies up after errors leaves this one alone."""


class _LeaseLost(Interrupted):
    """The chunk is somebody else's now, or the job was cancelled: what was worked out is thrown away."""


class _Stopped(Interrupted):
    """The worker is asked to stop in the middle of a long chunk: another one goes on with it."""


def run_job(job_id: int, *, worker: str, lease: timedelta = LEASE, stop: Callable[[], bool] = bool) -> None:
    """Work on a job, chunk by chunk, until nothing is left to take. Failure becomes the row's state.

    `worker` is a name from `named_worker`; `stop` is asked between chunks. A job that is finished, cancelled or
    entirely in others' hands is left alone.
    """
    change_state(job_id, JobState.RUNNING, started_at=timezone.now())
    job = Job.objects.select_related("project").filter(pk=job_id, state=JobState.RUNNING).first()
    if job is None:
        return
    try:
        handler = handler_of(job.kind)
    except KeyError:
        unknown = _("This worker does not know jobs of this kind. Update it to the version of the web server.")
        _fail(job_id, message(unknown))
        return
    try:
        if not job.planned:
            _plan(job, handler)
        # Once for all chunks, while the first is held: what kills the worker there counts as a try of it.
        prepare = cache(partial(handler.prepare, job))
        while not stop() and _claim_and_work(job, handler, prepare, worker, lease, stop):
            pass
        _finish(job, handler)
    except handler.user_errors as error:
        _fail(job_id, message_of(error))
    except (OperationalError, InterfaceError):
        # The database went away: nothing of the chunk was stored, and it is taken up again when its lease ends.
        raise
    except Exception:
        logger.exception("Job %s failed.", job_id)
        _fail(
            job_id,
            message(
                _(
                    "Something unexpected went wrong; what was stored so far is kept. The worker's log has the details "
                    "under job %(number)s. Retry it, and report the log if it fails again."
                ),
                number=job_id,
            ),
        )


def _plan(job: Job, handler: Handler) -> None:
    plan = handler.plan(job)
    sizes = plan.sizes if plan.sizes is not None else [len(items) for items in plan.chunks]
    with transaction.atomic():
        mine = Job.objects.filter(pk=job.pk, planned=False, state=JobState.RUNNING).update(
            planned=True, total=sum(sizes)
        )
        if mine:
            JobChunk.objects.bulk_create(
                JobChunk(job=job, index=index, items=items, size=size)
                for index, (items, size) in enumerate(zip(plan.chunks, sizes, strict=True))
            )
            _add_to_result(job.pk, plan.counts)


def _claim_and_work(
    job: Job, handler: Handler, prepare: Callable[[], Any], worker: str, lease: timedelta, stop: Callable[[], bool]
) -> bool:
    """Do one chunk; False when there is none to take."""
    chunk = _claim(job, worker, lease)
    if chunk is None:
        return False
    if chunk.attempts > MAX_ATTEMPTS:
        _fail(
            job.pk,
            message(
                _(
                    "Part %(part)s was begun %(times)s times, and each time the worker stopped before its end. The "
                    "worker may be short of memory: its log says more."
                ),
                part=chunk.index + 1,
                times=MAX_ATTEMPTS,
            ),
        )
        return False
    held.add(chunk.pk)
    try:
        engine = prepare()
        outcome = handler.work(job, chunk.items, engine, _reporter(chunk, worker, lease, stop))
        with transaction.atomic():
            _end_chunk(chunk, worker)
            _add_to_result(job.pk, handler.store(job, chunk.items, outcome, engine))
    except _LeaseLost:
        logger.info("Part %s of job %s is not ours any more.", chunk.index, job.pk)
    except _Stopped:
        # It did not kill the worker, so it does not count as a try.
        ours = JobChunk.objects.filter(pk=chunk.pk, state=ChunkState.RUNNING, worker=worker, attempts=chunk.attempts)
        ours.update(state=ChunkState.PENDING, lease_until=None, attempts=F("attempts") - 1)
    finally:
        held.discard(chunk.pk)
    return True


def free_chunks() -> QuerySet[JobChunk]:
    """Chunks that nobody holds, of all jobs."""
    lost = Q(state=ChunkState.RUNNING, lease_until__lt=timezone.now())
    return JobChunk.objects.filter(Q(state=ChunkState.PENDING) | lost)


def _claim(job: Job, worker: str, lease: timedelta) -> JobChunk | None:
    """Take a free chunk. The conditional update decides when several workers want the same one."""
    free = free_chunks().filter(job=job, job__state=JobState.RUNNING)
    while (pk := free.order_by("index").values_list("pk", flat=True).first()) is not None:
        # On the chunk's own columns alone: PostgreSQL looks at them again after waiting for another's update.
        until = timezone.now() + lease
        still_free = free_chunks().filter(pk=pk)
        if still_free.update(state=ChunkState.RUNNING, worker=worker, lease_until=until, attempts=F("attempts") + 1):
            return JobChunk.objects.get(pk=pk)
    return None


def _reporter(chunk: JobChunk, worker: str, lease: timedelta, stop: Callable[[], bool]) -> Progress:
    reported_at = time.monotonic()

    def report(done: int) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at < REPORT_SECONDS:
            return
        reported_at = time.monotonic()
        if stop():
            raise _Stopped
        with transaction.atomic():
            _lock_held(chunk, worker)
            _count_done(chunk, min(done, chunk.size))
            JobChunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now() + lease)

    return report


def _count_done(chunk: JobChunk, done: int) -> None:
    """Count a chunk as done so far, under the job's lock: what was reported of it before counts no more."""
    before = JobChunk.objects.values_list("done", flat=True).get(pk=chunk.pk)
    JobChunk.objects.filter(pk=chunk.pk).update(done=done)
    Job.objects.filter(pk=chunk.job_id).update(done=F("done") + done - before)


def _lock_held(chunk: JobChunk, worker: str) -> None:
    """Lock the job of a chunk that `worker` holds; _LeaseLost when it does not, or the job runs no more."""
    # The job's lock comes first: those who store results of one job queue up here, in one order.
    state = Job.objects.select_for_update().values_list("state", flat=True).get(pk=chunk.job_id)
    ours = JobChunk.objects.filter(pk=chunk.pk, state=ChunkState.RUNNING, worker=worker, attempts=chunk.attempts)
    if state != JobState.RUNNING or not ours.select_for_update().exists():
        raise _LeaseLost


def _end_chunk(chunk: JobChunk, worker: str) -> None:
    _lock_held(chunk, worker)
    _count_done(chunk, chunk.size)
    JobChunk.objects.filter(pk=chunk.pk).update(state=ChunkState.DONE, lease_until=None)


def _finish(job: Job, handler: Handler) -> None:
    with transaction.atomic():
        row = Job.objects.select_for_update().get(pk=job.pk)
        unfinished = row.chunks.exclude(state=ChunkState.DONE).exists()
        if row.state != JobState.RUNNING or not row.planned or unfinished:
            return
        _add_to_result(job.pk, handler.finish(job))
        change_state(job.pk, JobState.DONE, finished_at=timezone.now())


def _fail(job_id: int, said: Sentence) -> None:
    with transaction.atomic():
        if change_state(job_id, JobState.FAILED, finished_at=timezone.now(), **error_columns(said)):
            give_back(JobChunk.objects.filter(job=job_id))


def give_back(chunks: QuerySet[JobChunk]) -> int:
    """Make those of `chunks` that somebody holds free again. Returns how many."""
    return chunks.filter(state=ChunkState.RUNNING).update(state=ChunkState.PENDING, lease_until=None)


def _add_to_result(job_id: int, counts: Counts) -> None:
    if counts:
        job = Job.objects.select_for_update().get(pk=job_id)
        Job.objects.filter(pk=job_id).update(result=added(job.result, counts))


def added(result: Counts, more: Counts) -> dict[str, Any]:
    """`result` with `more`: numbers add up, lists follow each other, dicts are added key by key, the rest replaces."""
    total = dict(result)
    for key, value in more.items():
        before = total.get(key)
        if isinstance(value, Mapping):
            total[key] = added(before if isinstance(before, Mapping) else {}, value)
        elif _adds_up(value) and _adds_up(before) and isinstance(value, list) == isinstance(before, list):
            total[key] = before + value
        else:
            total[key] = value
    return total


def _adds_up(value: Any) -> bool:
    return isinstance(value, int | float | list) and not isinstance(value, bool)
