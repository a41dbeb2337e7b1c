"""Worker processes: who is alive, and waiting for a job from a command."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from django.db import DatabaseError, connection
from django.db.models.functions import Now

from annotator.jobs.running import free, run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.models import ChunkState, Job, JobChunk, Worker

logger = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
# Seconds that a message may take to come again to the worker whose rows are held for it.
LOST_SECONDS = 20.0


class Heart:
    """Says every few seconds, in a thread of its own, that this process is there and which queues it listens to.

    `name` is that of the process in all rows. Processes that are forked from it have the same: they are its hands.
    `messages`: ids of those that the process has, being done or next; None where it works without messages.
    """

    def __init__(
        self,
        queues: Callable[[], Sequence[str]] = tuple,
        messages: Callable[[], Collection[str]] | None = None,
    ) -> None:
        self.name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._queues = queues
        self._messages = messages
        # When rows were first found to be held for a message that is not here, by its id.
        self._missing: dict[str, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heart", daemon=True)

    def start(self) -> None:
        """Raises DatabaseError when the database does not answer."""
        self._say_so()
        # In a transaction nobody sees what it is about, and on SQLite nobody else may write.
        if not connection.in_atomic_block:
            self._thread.start()

    def stop(self) -> None:
        """Say that it is gone: what it has in hand is free at once."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        Worker.objects.filter(name=self.name).delete()
        free(JobChunk.objects.filter(worker=self.name))
        Job.objects.filter(worker=self.name).update(worker="", task="")

    def _beat(self) -> None:
        answered = True
        while not self._stop.wait(BEAT_SECONDS):
            try:
                self._say_so()
                self.free_lost(time.monotonic())
                answered = True
            except DatabaseError:
                if answered:
                    logger.exception("The database did not answer; trying again.")
                answered = False
            finally:
                connection.close()

    def free_lost(self, now: float) -> int:
        """Free rows held for messages that this worker has not had for `LOST_SECONDS`. `now` in seconds. Returns how
        many rows.

        A process of its pool was killed, and the broker lost the message before it came again. One that comes after all
        finds its row free, or in somebody's hands.
        """
        if self._messages is None:
            return 0
        chunks = JobChunk.objects.filter(worker=self.name, state=ChunkState.RUNNING)
        jobs = Job.objects.filter(worker=self.name)
        held = {*chunks.values_list("task", flat=True), *jobs.values_list("task", flat=True)}
        here = set(self._messages())
        self._missing = {task: self._missing.get(task, now) for task in held - here}
        lost = [task for task, since in self._missing.items() if now - since >= LOST_SECONDS]
        if not lost:
            return 0
        logger.warning("Messages were lost: %s. Their work is done again.", ", ".join(lost))
        return free(chunks.filter(task__in=lost)) + jobs.filter(task__in=lost).update(worker="", task="")

    def _say_so(self) -> None:
        fields = {"host": socket.gethostname(), "pid": os.getpid(), "queues": list(self._queues()), "seen_at": Now()}
        Worker.objects.update_or_create(
            name=self.name, defaults=fields, create_defaults={**fields, "started_at": Now()}
        )


@contextmanager
def alive() -> Iterator[str]:
    """This process among the workers while the block lasts, though it listens to no queue; gives its name."""
    heart = Heart()
    heart.start()
    try:
        yield heart.name
    finally:
        heart.stop()


def wait_for(job: Job, *, report: Callable[[str], None], poll: float = 0.2) -> Job:
    """Wait until `job` is finished, reporting its progress; runs it in this process when no worker is alive.

    Returns the job as it then stands: done, failed or cancelled.
    """
    reported = ""

    def look() -> bool:
        nonlocal reported
        job.refresh_from_db()
        progress = f"{job}: {job.done} of {job.total}"
        if job.planned and progress != reported:
            report(progress)
            reported = progress
        return False

    alone = False
    while not job.finished:
        free_dead_workers()
        if not Worker.objects.listening(job.queue):
            if not alone:
                report(f'No worker listens to the queue "{job.queue}": running {job} in this process.')
                alone = True
            with alive() as name:
                # Asked between chunks.
                run_job(job.pk, worker=name, stop=look)
        look()
        if not job.finished:
            time.sleep(poll)
    return job
