"""Worker processes: who is alive, what dead ones held, and waiting for a job from a command."""

from __future__ import annotations

import fcntl
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import Q
from django.utils import timezone

from annotator.jobs.running import LEASE, free_chunks, give_back, held, run_job
from annotator.models import ChunkState, Job, JobChunk, JobKind, JobState, Worker

logger = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
LOOK_SECONDS = 2.0
DUTY_SECONDS = 5.0
# How long a message may take before workers look at a waiting job without one.
MESSAGE_GRACE = timedelta(seconds=3)
FORGET_WORKERS_AFTER = timedelta(hours=1)
# A command that works a job off in its own process has no thread that renews its leases.
LONG_LEASE = timedelta(minutes=15)


@contextmanager
def named_worker() -> Iterator[str]:
    """A name for this process, and a locked file as proof of life: the kernel drops the lock however it dies."""
    name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    path = _proofs() / name
    hidden = path.with_name(f".{name}")
    with hidden.open("w") as proof:
        # Locked before it can be found under its name.
        fcntl.flock(proof, fcntl.LOCK_EX)
        hidden.rename(path)
        try:
            yield name
        finally:
            path.unlink(missing_ok=True)
            give_back(JobChunk.objects.filter(worker=name))


def free_dead_workers() -> int:
    """Free at once what workers held that are gone. Returns how many chunks were freed.

    Those of this host are told by their proof of life. A lock on another host is not seen from here, though its file
    may be: its workers are told by their last sign of life, and processes that give none by the end of their lease.
    """
    freed = 0
    for path in _proofs().glob("[!.]*"):
        if not _is_of_this_host(path.name):
            continue
        try:
            proof = path.open()
        except FileNotFoundError:
            continue
        with proof:
            try:
                fcntl.flock(proof, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            freed += give_back(JobChunk.objects.filter(worker=path.name))
            Worker.objects.filter(name=path.name).delete()
            path.unlink(missing_ok=True)
    silent = Worker.objects.exclude(pk__in=Worker.objects.alive()).values_list("name", flat=True)
    if elsewhere := [name for name in silent if not _is_of_this_host(name)]:
        # Their rows stay: whoever was cut off from the database for a while says again that it is there.
        freed += give_back(JobChunk.objects.filter(worker__in=elsewhere))
    return freed


def _is_of_this_host(worker: str) -> bool:
    """Whether a worker was named by a process of this host (`named_worker`)."""
    return worker.rpartition(":")[0].rpartition(":")[0] == socket.gethostname()


def _proofs() -> Path:
    folder = Path(settings.DATA_DIR) / "workers"
    folder.mkdir(exist_ok=True)
    return folder


class WorkerRuntime:
    """A worker's threads beside Celery's: one says that it is alive and renews its leases; one a queue looks for work
    that no message led anyone to (lost messages, dead workers' chunks, jobs of others that can be shared); one calls
    `duty` every few seconds: what is to be started by itself. `rest` is called after each job."""

    def __init__(
        self,
        name: str,
        queues: Sequence[str],
        duty: Callable[[], None] | None = None,
        rest: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self._rest = rest
        self.queues = list(queues)
        self._stop = threading.Event()
        # One job a queue at a time: a long pre-labelling holds no import up, and two models do not share the memory.
        self._busy = {queue: threading.Lock() for queue in queues}
        self._threads = [threading.Thread(target=self._beat, name="heartbeat", daemon=True)]
        self._threads += [
            threading.Thread(target=self._look, args=(queue,), name=f"look-{queue}", daemon=True) for queue in queues
        ]
        if duty is not None:
            self._threads.append(threading.Thread(target=self._run_periodic, args=(duty,), name="duty", daemon=True))

    def start(self) -> None:
        free_dead_workers()
        now = timezone.now()
        Worker.objects.filter(seen_at__lt=now - FORGET_WORKERS_AFTER).delete()
        Worker.objects.create(name=self.name, queues=self.queues, started_at=now, seen_at=now)
        for thread in self._threads:
            thread.start()

    def ask_to_stop(self) -> None:
        """Chunks that are being worked on are brought to their end, no new ones are begun."""
        self._stop.set()

    def stop(self) -> None:
        self.ask_to_stop()
        for thread in self._threads:
            thread.join()
        Worker.objects.filter(name=self.name).delete()

    def take(self, queue: str, job_id: int) -> None:
        """What a message leads to. While the queue's work is going on here, the look that follows finds the job."""
        if self._busy[queue].acquire(blocking=False):
            try:
                self._run_job(job_id)
            finally:
                self._busy[queue].release()

    def _run_job(self, job_id: int) -> None:
        run_job(job_id, worker=self.name, stop=self._stop.is_set)
        if self._rest is not None:
            self._rest()

    def _look(self, queue: str) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            with _patient():
                free_dead_workers()
                for job_id in waiting_jobs(queue):
                    self.take(queue, job_id)

    def _run_periodic(self, duty: Callable[[], None]) -> None:
        while not self._stop.wait(DUTY_SECONDS):
            with _patient():
                try:
                    duty()
                except DatabaseError:
                    raise
                except Exception:
                    logger.exception("What this worker does by itself every few seconds failed; trying again.")

    def _beat(self) -> None:
        while not self._stop.wait(BEAT_SECONDS):
            with _patient():
                now = timezone.now()
                Worker.objects.filter(name=self.name).update(seen_at=now)
                ours = JobChunk.objects.filter(pk__in=list(held), worker=self.name, state=ChunkState.RUNNING)
                ours.update(lease_until=now + LEASE)


# The presence of this process, when it is a worker; set by the command that starts one.
presence: WorkerRuntime | None = None


def take(queue: str, job_id: int) -> None:
    """What a message leads to, in a worker process."""
    if presence is not None:
        presence.take(queue, job_id)


@contextmanager
def _patient() -> Iterator[None]:
    """A database that does not answer is tried again at the next turn."""
    try:
        yield
    except DatabaseError:
        logger.exception("The database did not answer; trying again.")
    finally:
        close_old_connections()


def waiting_jobs(queue: str) -> list[int]:
    """Jobs of `queue` with something to take up: never begun, with free chunks, or with all done but the end."""
    before = timezone.now() - MESSAGE_GRACE
    running = Q(state=JobState.RUNNING)
    unfinished = JobChunk.objects.exclude(state=ChunkState.DONE)
    waiting = (
        Q(state=JobState.QUEUED, created_at__lt=before)
        | running & Q(planned=False, started_at__lt=before)
        | running & Q(pk__in=free_chunks().values("job"))
        | running & Q(planned=True) & ~Q(pk__in=unfinished.values("job"))
    )
    kinds = [kind for kind in JobKind if kind.queue == queue]
    return list(Job.objects.filter(waiting, kind__in=kinds).order_by("pk").values_list("pk", flat=True))


def wait_for(job: Job, *, report: Callable[[str], None], poll: float = 0.2) -> Job:
    """Wait until `job` is finished, reporting its progress; runs it in this process when no worker is alive.

    Returns the job as it then stands: done, failed or cancelled.
    """
    free_dead_workers()
    reported = ""

    def look() -> bool:
        nonlocal reported
        job.refresh_from_db()
        progress = f"{job}: {job.done} of {job.total}"
        if job.planned and progress != reported:
            report(progress)
            reported = progress
        return False

    queue = JobKind(job.kind).queue
    alone = False
    while not job.finished:
        if not Worker.objects.listening(queue):
            if not alone:
                report(f'No worker listens to the queue "{queue}": running {job} in this process.')
                alone = True
            with named_worker() as name:
                # Asked between chunks.
                run_job(job.pk, worker=name, lease=LONG_LEASE, stop=look)
        look()
        if not job.finished:
            time.sleep(poll)
    return job
