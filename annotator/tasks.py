"""The Celery task of the queue `default`: jobs that load no models. What each does, its capability knows."""

from __future__ import annotations

from annotator.celery import app
from annotator.jobs import workers


@app.task(name="annotator.tasks.work")
def work(job_id: int) -> None:
    """Look at a job, and do what is to be done on it."""
    workers.take("default", job_id)
