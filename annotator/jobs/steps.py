"""The steps of a job, and sending them to workers."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from annotator.core.processes.threads import within
from annotator.models import Job, JobKind

logger = logging.getLogger(__name__)

TASK = "annotator.tasks.take_step"
# Seconds that a broker has to take a message: somebody waits for a page.
SEND_SECONDS = 2.0
# Seconds between asking a step that takes too long to end, and ending its process.
HARD_AFTER = 60


class Action(StrEnum):
    """Cut a job into chunks, do one of its chunks, end the job after the last one."""

    BEGIN = "begin"
    WORK = "work"
    FINISH = "finish"


@dataclass(frozen=True, slots=True)
class Step:
    """The work that one message asks for. `pk` is the chunk's for WORK, otherwise the job's.

    `queue` and `seconds` (that it may take) are for the broker; `before`: chunks of the job that come before it.
    """

    action: Action
    pk: int
    queue: str = ""
    seconds: int = 0
    before: int = 0

    @classmethod
    def of(cls, job: Job, action: Action, chunk: int = 0, before: int = 0) -> Step:
        """A step of a job, or of one of its chunks (its id)."""
        return cls(action, chunk or job.pk, job.queue, JobKind(job.kind).seconds, before)

    @property
    def lateness(self) -> int:
        """0 for what goes first, up to 9: a job's first chunk does not wait for the tenth of another.

        >>> [Step(Action.WORK, 1, before=number).lateness for number in (0, 1, 10, 100, 5000)]
        [0, 3, 6, 9, 9]
        """
        return min(9, 3 * len(str(self.before))) if self.before else 0


def send(steps: Iterable[Step]) -> None:
    """Send steps to the workers of their queues.

    A broker that cannot be reached is logged and no more: the next sweep sends them (`annotator/jobs/sweep.py`).
    """
    for step in steps:
        try:
            # The library for RabbitMQ waits without an end for one that hangs.
            within(SEND_SECONDS, partial(_send, step))
        except Exception:  # each broker's library raises its own
            logger.exception("No message could be sent for a job; it is sent again when the broker is there.")
            return


def _send(step: Step) -> None:
    from annotator.celery import app, priority

    app.send_task(
        TASK,
        args=[step.action, step.pk],
        queue=step.queue,
        priority=priority(step.lateness),
        soft_time_limit=step.seconds,
        time_limit=step.seconds + HARD_AFTER,
        retry=False,
    )
