"""The Celery tasks: a step of a job, and periodic upkeep. Each makes one call."""

from __future__ import annotations

import logging
import sqlite3
import threading
from typing import Any

from celery import Task
from celery.exceptions import Reject
from celery.signals import worker_init, worker_process_init, worker_ready, worker_shutdown, worker_shutting_down
from celery.utils.time import get_exponential_backoff_interval
from celery.worker import state
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.utils import timezone

from annotator.backup.actions.keeping import sweep_archives
from annotator.backup.actions.uploads import sweep_uploads
from annotator.celery import app, messages_in
from annotator.core.database.sqlite import base as sqlite
from annotator.core.database.statistics import refresh_statistics
from annotator.core.database.trouble import database_trouble
from annotator.core.files.part_file import sweep_parts
from annotator.core.files.site_mark import mark_storage, storage_trouble
from annotator.core.processes.child_process import allow_children
from annotator.core.processes.threads import switch_often
from annotator.imports.drafts.drafts import sweep_drafts
from annotator.jobs.running import Taker, let_go, take
from annotator.jobs.steps import TASK, Action, Step, send
from annotator.jobs.sweep import sweep
from annotator.jobs.workers import Heart
from annotator.machines.actions.training import TrainingWatch
from annotator.web.repeats import sweep_calls
from annotator.webhooks.actions import site_reach
from annotator.webhooks.delivering import LEASE, collect, deliver, due, sweep_deliveries
from mlworkers.engines.words import forget

logger = logging.getLogger(__name__)

# Between two times that a worker shortens SQLite's log.
CHECKPOINT_SECONDS = 0.3
# A database that went away comes back, and a full disk gets room. All other errors are the job's state.
_PASSING = (OperationalError, InterfaceError, ProgrammingError, OSError, sqlite3.OperationalError)
# Seconds at most until a step is tried again; between two tries of one that can be sent to nobody.
LONGEST_WAIT = 60
WAIT_SECONDS = 2.0

_stopping = threading.Event()
_watch = TrainingWatch()


def _queues() -> list[str]:
    return sorted(app.amqp.queues.consume_from)


def _messages() -> list[str]:
    """Ids of the messages that this worker has: being done, next, or waiting to be tried again."""
    return list(state.requests)


# This process among the workers; what is forked from it has its name.
heart = Heart(_queues, _messages)


@app.task(name=TASK, bind=True, max_retries=None)
def take_step(self: Task[Any, Any], action: str, pk: int) -> None:
    """Do a step of a job, and send those that follow."""
    send(_taken(self, Step(Action(action), pk)))
    if action == Action.FINISH:
        let_go()
        forget()


def _taken(task: Task[Any, Any], step: Step) -> list[Step]:
    """Do a step. One that meets a fault that passes is sent again; as long as the broker does not take it, it stays
    here: the row is in hand for this very message, and no sweep sends another."""
    while True:
        try:
            return take(step, Taker(heart.name, task.request.id, _stopping.is_set, task.request.retries))
        except _PASSING as error:
            wait = get_exponential_backoff_interval(1, task.request.retries, LONGEST_WAIT, full_jitter=True)
            try:
                raise task.retry(exc=error, countdown=wait)
            except Reject:
                if _stopping.wait(WAIT_SECONDS):
                    raise


@app.task(name="annotator.tasks.sweep_jobs")
def sweep_jobs() -> None:
    """Send again what a broker or a worker lost."""
    send(sweep(messages_in))


@app.task(name="annotator.tasks.send_webhooks")
def send_webhooks() -> None:
    """Make deliveries of what happened, and hand those that are due to workers."""
    now = timezone.now()
    collect(now)
    for pk in due(now):
        deliver_webhook.apply_async([pk], expires=LEASE.total_seconds())


@app.task(name="annotator.tasks.deliver_webhook")
def deliver_webhook(pk: int) -> None:
    """Try a delivery."""
    deliver(pk, reach=site_reach())


@app.task(name="annotator.tasks.watch_trainings")
def watch_trainings() -> None:
    """Start trainings that are due."""
    _watch()


@app.task(name="annotator.tasks.sweep_files")
def sweep_files() -> None:
    """Delete drafts, uploads and stored answers that are over, and files that killed jobs left."""
    now = timezone.now()
    sweep_drafts(now=now)
    sweep_uploads(now=now)
    sweep_archives(now=now)
    sweep_parts(now=now)
    sweep_deliveries(now)
    sweep_calls(now=now)


@app.task(name="annotator.tasks.look_at_tables")
def look_at_tables() -> None:
    """See how the tables have grown. PostgreSQL does so by itself."""
    if connection.vendor == "sqlite":
        refresh_statistics()


@worker_init.connect
def prepare(**_about: Any) -> None:
    """Before a worker's processes are forked: refuse a database that is not there or not migrated, and a storage that
    is not the site's."""
    if trouble := database_trouble() or _storage_trouble():
        raise SystemExit(trouble)
    switch_often()
    sqlite.checkpoint_every = CHECKPOINT_SECONDS


@worker_process_init.connect
def let_compute(**_about: Any) -> None:
    """A process of the pool starts others for trainings and imports."""
    allow_children()


def _storage_trouble() -> str | None:
    try:
        mark_storage()
    except OSError as error:
        return str(error)
    return storage_trouble()


@worker_ready.connect
def appear(**_about: Any) -> None:
    """Say that this worker is there, and what it listens to."""
    heart.start()
    logger.info("Worker %s listens to: %s", heart.name, ", ".join(_queues()))


@worker_shutting_down.connect
def ask_to_stop(**_about: Any) -> None:
    """Chunks that report are left where they are; others are brought to their end, or are a child process's."""
    _stopping.set()


@worker_shutdown.connect
def disappear(**_about: Any) -> None:
    """Say that this worker is gone."""
    heart.stop()
