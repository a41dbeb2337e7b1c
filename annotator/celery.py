"""The Celery application. Tasks are sent by name, so that whoever sends need not import what does the work."""

from __future__ import annotations

import logging
import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")

logger = logging.getLogger(__name__)

app = Celery("translatio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["annotator", "mlworkers"])

TASKS = {"default": "annotator.tasks.work", "ml": "mlworkers.tasks.work"}


def send(job_id: int, queue: str) -> None:
    """Tell the workers of `queue` to look at a job.

    A broker that cannot be reached is logged and no more: workers look at the rows themselves every few seconds.
    """
    try:
        app.send_task(TASKS[queue], args=[job_id], retry=False)
    except Exception:
        logger.exception("No message could be sent for job %s; a worker will find it by itself.", job_id)
