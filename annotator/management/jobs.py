"""What the commands share that start background jobs."""

from __future__ import annotations

import importlib
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError

from annotator.actions.jobs import active_job, start_job
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named
from annotator.models import JobState
from annotator.queries.jobs import waiting_reason
from annotator.workers import wait_for


class JobCommand(BaseCommand):
    """Starts a job of `kind` in a project; with --wait stays until its end and prints its numbers."""

    kind: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "--wait", action="store_true", help="stay until the job has ended (works it off here when no worker runs)"
        )

    def params(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The job's settings, from the command line."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        project, params = project_named(options["slug"]), self.params(options)
        job = active_job(project=project, kind=self.kind, params=params) if options["wait"] else None
        if job is not None:
            self.note(f"{job} does this already; going on with it.")
        else:
            job = start_job(project=project, kind=self.kind, params=params, by=None)
        if not options["wait"]:
            self.say(f"{job} is waiting for a worker.")
            if reason := waiting_reason(job):
                self.note(reason)
            return
        # Without a worker the job is done here, by what a worker would have loaded.
        importlib.import_module("annotator.tasks")
        importlib.import_module("mlworkers.tasks")
        job = wait_for(job, tell=self.note)
        if job.state == JobState.FAILED:
            raise CommandError(f"{job} failed: {job.error}")
        if job.state == JobState.CANCELLED:
            raise CommandError(f"{job} was cancelled after {job.done} of {job.total}.")
        self.say(f"{job} is done: {job.done} of {job.total}")
        for name, value in numbers(job.result):
            self.say(f"  {name}: {value}")


def numbers(result: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A job's result as lines: `skipped, without gold` for what is nested."""
    for name, value in result.items():
        label = f"{prefix}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from numbers(value, f"{label}, ")
        else:
            yield label, value
