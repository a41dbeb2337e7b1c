"""Comparisons for tests, made at once or by a job."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from annotator.comparisons.actions.comparisons import write_comparison
from annotator.comparisons.queries.collecting import Cell, Collector, Computed
from annotator.comparisons.queries.stored import HEADER, RowFilters, chosen_rows, file_rows
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Comparison, Job, JobKind, JobState, Layer, Project, User

GOLD = {"source": "gold"}


def stored_comparison(project: Project) -> Comparison:
    """A comparison of Spanish and English with a row, stored without a job that ran or an event."""
    collected = Collector()
    side = {"label": "METAPHOR", "tokens": [1], "words": "arde", "lemma": "arder"}
    content = {"uid": "set:prem:gone", "left": side, "right": None, "by": "", "aligned": True}
    collected.add(Cell("source", "lost", "METAPHOR", dataset="set"), content, "arder")
    computed = Computed(collected, 0, {"totals": {"source": 1, "target": 0}})
    params = {
        "kind": "languages",
        "layer": project.label_layer.pk,
        "left": {"language": "es"},
        "right": {"language": "en"},
    }
    job = Job.objects.create(project=project, kind=JobKind.COMPARE, state=JobState.DONE, params=params)
    pk = write_comparison(job=job, computed=computed)
    Comparison.objects.filter(pk=pk).update(published_at=timezone.now())
    return Comparison.objects.get(pk=pk)


def run(
    project: Project, left: Any, right: Any, kind: str = "versions", by: User | None = None, layer: Layer | None = None
) -> Job:
    """A job that has tried to compare."""
    params = {"kind": kind, "layer": (layer or project.label_layer).pk, "left": left, "right": right}
    job = start_job(project=project, kind=JobKind.COMPARE, params=params, by=by)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def compared(project: Project, left: Any, right: Any, **more: Any) -> Comparison:
    """A comparison that a job has made. Languages are named by their codes."""
    if isinstance(left, str):
        left, right, more = {"language": left}, {"language": right}, {"kind": "languages", **more}
    job = run(project, left, right, **more)
    assert job.state == JobState.DONE, job.error
    return Comparison.objects.get(job=job)


def rows_of(comparison: Comparison, **filters: str) -> list[dict[str, str]]:
    """The rows as files have them."""
    chosen = chosen_rows(comparison, RowFilters.from_query(filters))
    return [dict(zip(HEADER, row, strict=True)) for row in file_rows(chosen)]


def counts(comparison: Comparison, **filters: str) -> dict[Any, int]:
    """By state, and outcome where there is one, how many there are."""
    groups = chosen_rows(comparison, RowFilters.from_query(filters)).groups()
    return {(group.state, group.outcome) if group.outcome else group.state: group.count for group in groups}
