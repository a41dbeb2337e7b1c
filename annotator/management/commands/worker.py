"""Starts a worker that does background jobs."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from celery.exceptions import SecurityWarning
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.celery import TASKS, app
from annotator.core.database.sqlite import base as sqlite
from annotator.core.processes.threads import switch_often
from annotator.jobs import workers
from annotator.machines.actions.training import TrainingWatch
from annotator.management.database import database_trouble
from annotator.management.hourly import HourlySweep
from mlworkers.engines.words import forget

# Between two times that a worker shortens SQLite's log.
CHECKPOINT_SECONDS = 0.3


class Command(BaseCommand):
    # It serves no pages.
    requires_system_checks = []
    help = "Works on background jobs until it is stopped (Ctrl-C or SIGTERM). Start as many as there is work for."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues",
            default=",".join(TASKS),
            help='what to work on, separated by commas: "default" (import, release), "ml" (pre-label, project)',
        )
        parser.add_argument(
            "--nice",
            type=int,
            default=0,
            help="how far to step back for other processes, 0 to 19 (0): on a machine that serves pages, too, give 10",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        queues = options["queues"].split(",")
        if unknown := [queue for queue in queues if queue not in TASKS]:
            raise CommandError(f"There is no queue {', '.join(map(repr, unknown))}; there are: {', '.join(TASKS)}.")
        if trouble := database_trouble():
            raise CommandError(trouble)
        os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # see above
        os.nice(options["nice"])
        switch_often()
        sqlite.checkpoint_every = CHECKPOINT_SECONDS
        # It warns of root because of pickled messages; ours are JSON and hold a number.
        warnings.simplefilter("ignore", SecurityWarning)
        with workers.named_worker() as name:
            presence = workers.presence = workers.WorkerRuntime(name, queues, duty=_duties(), rest=forget)
            # Asked from Celery's handler, so that a long job stops after its current chunk.
            worker_shutting_down.connect(lambda **_: presence.ask_to_stop(), weak=False)
            worker_ready.connect(
                lambda **_: self.stdout.write(f"Worker {name} listens to: {', '.join(queues)}"), weak=False
            )
            presence.start()
            try:
                worker = app.Worker(
                    hostname=f"translatio@{name.replace(':', '.')}",
                    queues=queues,
                    # Threads of one process: killed together, they leave no orphan behind that works on.
                    pool="threads",
                    concurrency=len(queues),
                    without_gossip=True,
                    without_mingle=True,
                    without_heartbeat=True,
                    loglevel=settings.LOGGING["root"]["level"],
                    quiet=True,
                    redirect_stdouts=False,
                )
                worker.start()
            finally:
                presence.stop()
        raise SystemExit(worker.exitcode)


def _duties() -> Callable[[], None]:
    """What a worker looks at now and then."""
    train, sweep = TrainingWatch(), HourlySweep()

    def look() -> None:
        train()
        sweep()

    return look
