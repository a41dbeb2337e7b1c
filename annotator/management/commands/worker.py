"""Starts Celery's worker as one machine needs it: threads of one process, and the clock for what is looked after."""

from __future__ import annotations

import os
import warnings
from typing import Any

from celery.beat import EmbeddedService
from celery.exceptions import SecurityWarning
from celery.signals import worker_ready
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotator.celery import app
from annotator.core.database.trouble import database_trouble
from annotator.environment import FILES_BROKER
from annotator.models.job import QUEUES

# An import, a pre-labelling and a training do not hold each other up.
THREADS = 3


class Command(BaseCommand):
    # It serves no pages.
    requires_system_checks = []
    help = (
        "Run background jobs until it is stopped (Ctrl-C or SIGTERM): Celery's worker with "
        "threads and a clock. For processes, and everything else that Celery has: celery -A "
        "annotator worker, and once: celery -A annotator beat"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues",
            default=",".join(QUEUES),
            help='what to work on, separated by commas: "default" (import, release), "ml" (pre-label, project), '
            '"ml-gpu" (the same with models on torch)',
        )
        parser.add_argument("--concurrency", type=int, default=THREADS, help=f"threads ({THREADS})")
        parser.add_argument(
            "--nice",
            type=int,
            default=0,
            help="niceness towards other processes, 0 to 19 (0): give 10 on a machine that also serves pages",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        queues = options["queues"].split(",")
        if unknown := [queue for queue in queues if queue not in QUEUES]:
            raise CommandError(f"Unknown queue {', '.join(map(repr, unknown))}. Available: {', '.join(QUEUES)}.")
        if trouble := database_trouble():
            raise CommandError(trouble)
        os.nice(options["nice"])
        # It warns of root because of pickled messages; ours are JSON and hold a word and a number.
        warnings.simplefilter("ignore", SecurityWarning)
        # The embedded broker's files carry no news of other workers.
        alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        threads = ["--pool", "threads", "--concurrency", str(options["concurrency"])]
        # Celery's own --beat would be a process, which outlives a worker that is killed.
        clock = EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler)
        worker_ready.connect(lambda **_: clock.start(), weak=False)
        level = settings.LOGGING["root"]["level"]
        app.worker_main(
            ["--quiet", "worker", *threads, "--queues", options["queues"], "--loglevel", level]
            + (alone if settings.CELERY_BROKER_URL == FILES_BROKER else [])
        )
