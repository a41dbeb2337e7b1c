"""The Celery application. Tasks are sent by name, so that whoever sends need not import what does the work."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from celery import Celery
from celery.signals import celeryd_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

logger = logging.getLogger(__name__)

app = Celery("translatio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["annotator", "mlworkers"])

TASKS = {"default": "annotator.tasks.work", "ml": "mlworkers.tasks.work"}


@celeryd_init.connect
def refuse_without_presence(**_about: Any) -> None:
    """End a worker that `manage.py worker` did not start: it would take messages, and do no job."""
    # Not imported here: what starts a worker otherwise has not set Django up yet.
    workers = sys.modules.get("annotator.jobs.workers")
    if getattr(workers, "presence", None) is None:
        raise SystemExit(
            "Celery alone does no jobs of Translatio. Start each worker with: python manage.py worker "
            "(--queues default,ml)"
        )


def send(job_id: int, queue: str) -> None:
    """Tell the workers of `queue` to look at a job.

    A broker that cannot be reached is logged and no more: workers look at the rows themselves every few seconds.
    """
    try:
        app.send_task(TASKS[queue], args=[job_id], retry=False)
    except Exception:
        logger.exception("No message could be sent for job %s; a worker will find it by itself.", job_id)
