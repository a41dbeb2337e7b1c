"""Measure the speed-up of a job by more processes, if the engine takes all the time.

    DATABASE_URL=postgres://… CELERY_BROKER_URL=redis://… DATA_DIR=/tmp/workers python bench/workers.py

A pre-labelling of so many chunks, each of which sleeps, by `celery -A annotator worker` with 1, 2 and 4 processes: the
seconds from the first chunk's begin to the job's end, by the database's clock.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from django.core.management import call_command
from django.db.models import Min

from annotator.celery import app
from annotator.jobs.actions import start_job
from annotator.models import Job, JobKind, JobState, Project, Worker
from annotator.projects.actions.projects import create_project
from bench.million import fill
from mlworkers.tasks import Predict


def work(seconds: float, processes: int) -> None:
    """Be a worker whose chunks take so long, and nothing of the processor."""

    def sleep(self: Predict, job: Job, items: list[int], engine: Any, report: Any) -> None:
        time.sleep(seconds)

    Predict.prepare = lambda self, job: None  # type: ignore[method-assign, assignment, return-value]
    Predict.work = sleep  # type: ignore[method-assign, assignment]
    Predict.store = lambda self, job, items, outcome, engine: {}  # type: ignore[method-assign]
    app.worker_main(["worker", "-Q", "ml", "--concurrency", str(processes), "--loglevel", "WARNING"])


def measure(project: Project, options: argparse.Namespace, processes: int) -> float:
    """Seconds of one job."""
    command = [sys.executable, __file__, "--work", str(processes), "--seconds", str(options.seconds)]
    worker = subprocess.Popen(command)
    try:
        while not Worker.objects.listening("ml"):
            time.sleep(0.1)
        size = options.sentences // options.chunks
        job = start_job(
            project=project, kind=JobKind.PREDICT, params={"language": "es", "detector": "crf", "chunk": size}, by=None
        )
        while not job.finished:
            time.sleep(0.1)
            job.refresh_from_db()
        if job.state != JobState.DONE or job.finished_at is None:
            raise SystemExit(f"The job ended otherwise: {job.error}")
        began = job.chunks.aggregate(first=Min("begun_at"))["first"]
        return float((job.finished_at - began).total_seconds())
    finally:
        worker.terminate()
        worker.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--chunks", type=int, default=80)
    parser.add_argument("--seconds", type=float, default=0.25, help="that each chunk sleeps (0.25)")
    parser.add_argument("--work", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.seconds, options.work)
        return
    call_command("migrate", verbosity=0, interactive=False)
    project = Project.objects.filter(slug="workers").first()
    if project is None:
        project = create_project(slug="workers", preset="meta4xnli-es-en", by=None)
        fill(project, options.sentences)
        project.suggestions.all().delete()
    seconds = {processes: measure(project, options, processes) for processes in (1, 2, 4)}
    print("| processes | seconds | times as fast |\n|---:|---:|---:|")
    for processes, taken in seconds.items():
        print(f"| {processes} | {taken:.1f} | {seconds[1] / taken:.2f} |")


if __name__ == "__main__":
    main()
