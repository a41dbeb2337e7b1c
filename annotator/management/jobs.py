"""What the commands share that start background jobs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.core.management.base import CommandError

from annotator.jobs.actions import active_job, start_job
from annotator.jobs.queries import waiting_reason
from annotator.jobs.workers import wait_for
from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named
from annotator.models import Job, JobState


class JobCommand(BaseCommand):
    """Starts a job of `kind` in a project; with --wait stays until its end and prints its numbers."""

    kind: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument(
            "--wait", action="store_true", help="wait until the job has ended (runs it here if no worker is running)"
        )

    def params(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The job's settings, from the command line."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        run_job_command(self, options["slug"], self.kind, self.params(options), wait=options["wait"])


def run_job_command(command: BaseCommand, slug: str, kind: str, params: Mapping[str, Any], *, wait: bool) -> None:
    """Start a job in the project called `slug`; with `wait` stay until its end and print its numbers.

    Raises CommandError when there is no such project, or the job ends otherwise than done.
    """
    project = project_named(slug)
    job = active_job(project=project, kind=kind, params=params) if wait else None
    if job is not None:
        command.note(f"{job} does this already. Continuing with it.")
    else:
        job = start_job(project=project, kind=kind, params=params, by=None)
    if not wait:
        command.say(f"{job} is waiting for a worker.")
        if reason := waiting_reason(job):
            command.note(reason)
        return
    (job,) = run_jobs(command, [job])
    command.say(f"{job} is done: {job.done} of {job.total}")
    for name, value in numbers(job.result):
        command.say(f"  {name}: {value}")


def run_jobs(command: BaseCommand, jobs: Iterable[Job]) -> list[Job]:
    """Stay until the jobs are done, one after the other; the jobs as they are then.

    Raises CommandError when one ends otherwise than done.
    """
    done = [wait_for(job, report=command.note) for job in jobs]
    for job in done:
        if job.state == JobState.FAILED:
            raise CommandError(f"{job} failed: {job.error_shown}")
        if job.state == JobState.CANCELLED:
            raise CommandError(f"{job} was cancelled after {job.done} of {job.total}.")
    return done


def numbers(result: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """A job's result as lines: `skipped, without gold` for what is nested."""
    for name, value in result.items():
        label = f"{prefix}{name.replace('_', ' ')}"
        if isinstance(value, Mapping):
            yield from numbers(value, f"{label}, ")
        else:
            yield label, value
