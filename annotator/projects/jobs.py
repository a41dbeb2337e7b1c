"""The jobs that change a whole project: filling a stage, relabelling, deleting."""

from __future__ import annotations

import time
from typing import Any

from annotator.core.errors import ActionError
from annotator.domain.labels.relabel import Relabelling
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.jobs import handlers as jobs
from annotator.models import ChunkState, Job, JobChunk, Layer, Stage, Worker
from annotator.projects.actions.delete_project import delete_last, delete_rows, rows_of
from annotator.projects.actions.relabel import CHUNK, finish_relabelling, relabel_units, units_with_contents
from annotator.projects.actions.stages import fill_stage, missing_units, wait_for_saves

# Units whose items one transaction makes.
FILL_CHUNK = 500
# The same where units are made from their answers, which takes several statements each.
MAKE_CHUNK = 50


class FillStage(jobs.Handler):
    """Make the items of a stage that was added to a project with many sentences."""

    user_errors = (ActionError, LookupError)

    def plan(self, job: Job) -> jobs.Plan:
        stage = _stage(job)
        wait_for_saves(stage)
        units = list(missing_units(stage).values_list("pk", flat=True).iterator())
        size = FILL_CHUNK if stage.made_from_id is None else MAKE_CHUNK
        return jobs.Plan([units[start : start + size] for start in range(0, len(units), size)])

    def prepare(self, job: Job) -> Stage:
        return _stage(job)

    def work(self, job: Job, items: list[int], engine: Stage, report: jobs.Progress) -> None:
        return None

    def store(self, job: Job, items: list[int], outcome: None, engine: Stage) -> dict[str, int]:
        return {"total": fill_stage(engine, items)}


class Relabel(jobs.Handler):
    """Bring annotations, gold and suggestions in line with labels that were changed."""

    def plan(self, job: Job) -> jobs.Plan:
        units = units_with_contents(_layer(job))
        return jobs.Plan([units[start : start + CHUNK] for start in range(0, len(units), CHUNK)])

    def prepare(self, job: Job) -> Layer:
        return _layer(job)

    def work(self, job: Job, items: list[int], engine: Layer, report: jobs.Progress) -> None:
        return None

    def store(self, job: Job, items: list[int], outcome: None, engine: Layer) -> dict[str, int]:
        change = Relabelling.from_json(job.params["change"])
        return relabel_units(layer=engine, change=change, units=items, by=job.created_by)

    def finish(self, job: Job) -> dict[str, int]:
        change = Relabelling.from_json(job.params["change"])
        return finish_relabelling(layer=_layer(job), change=change, since=job.created_at, by=job.created_by)


class DeleteProject(jobs.Handler):
    """Delete everything of a project. One chunk, which may be started again at any point."""

    def plan(self, job: Job) -> jobs.Plan:
        return jobs.Plan([["project"]], sizes=[rows_of(job.project)])

    def work(self, job: Job, items: list[str], engine: None, report: jobs.Progress) -> None:
        """In short transactions, so that nobody else waits: nobody sees the project any more."""
        others = JobChunk.objects.filter(job__project=job.project_id, state=ChunkState.RUNNING).exclude(job=job)
        # A worker on a job that was cancelled finds out when it reports or stores, and has its chunk in hand till then.
        while others.filter(worker__in=Worker.objects.alive().values("name")).exists():
            report(0)
            time.sleep(1)
        delete_rows(job.project, report)

    def store(self, job: Job, items: list[str], outcome: None, engine: None) -> dict[str, Any]:
        return {}

    def finish(self, job: Job) -> dict[str, Any]:
        delete_last(job.project, job)
        return {}


def _stage(job: Job) -> Stage:
    stage = Stage.objects.filter(project=job.project_id, pk=job.params["stage"]).select_related("layer").first()
    if stage is None:
        raise ActionError(message(_("The stage was removed in the meantime, so there is nothing to fill.")))
    stage.project = job.project
    return stage


def _layer(job: Job) -> Layer:
    return Layer.objects.select_related("project").get(project=job.project_id, pk=job.params["layer"])
