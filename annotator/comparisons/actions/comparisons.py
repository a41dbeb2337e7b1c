"""Storing comparisons. Their rows are written in short transactions, under a comparison that nobody sees yet."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotator.comparisons.queries.collecting import Computed
from annotator.core.database.bulk import prepared
from annotator.core.database.locks import lock_project
from annotator.core.events import log
from annotator.domain.batches import batches
from annotator.domain.states import JobState
from annotator.domain.verbs import Verb
from annotator.models import Comparison, ComparisonRow, Job, User

# Rows that one transaction writes.
WRITTEN = 5000
# Comparisons that a project keeps.
KEPT = 20


def write_comparison(*, job: Job, computed: Computed) -> int:
    """Write a comparison with its rows; its id. Call it outside of a transaction.

    What an earlier try of the job left is deleted, and so is what cancelled and failed jobs of the project left.
    """
    _sweep(job)
    collected = computed.collected
    comparison = Comparison.objects.create(
        project_id=job.project_id,
        layer_id=job.params["layer"],
        kind=job.params["kind"],
        params={"left": job.params["left"], "right": job.params["right"]},
        results={"cells": collected.cells(), **computed.results},
        size=collected.size,
        last_event=computed.last_event,
        job=job,
        created_by=job.created_by,
    )
    for rows in batches(collected.rows(comparison), WRITTEN):
        with transaction.atomic():
            prepared(ComparisonRow, rows).run()
    return comparison.pk


@transaction.atomic
def publish_comparison(*, pk: int, by: User | None) -> None:
    """Show a comparison whose rows are written, in place of an earlier one of the same settings. Those beyond KEPT are
    deleted, the oldest first."""
    comparison = Comparison.objects.select_related("project").get(pk=pk)
    lock_project(comparison.project)
    comparison.published_at = timezone.now()
    comparison.save(update_fields=["published_at"])
    published = Comparison.objects.published().filter(project=comparison.project).exclude(pk=pk).defer("results")
    others = [old for old in published if not _is_same(old, comparison)]
    for old in {*published, *others[KEPT - 1 :]} - {*others[: KEPT - 1]}:
        _delete(old)
    about = {"kind": comparison.kind, **comparison.params}
    log(project=None, actor=by, verb=Verb.COMPARISON_STORED, subject=comparison, after=about)


def _is_same(one: Comparison, other: Comparison) -> bool:
    return (one.layer_id, one.kind, one.params) == (other.layer_id, other.kind, other.params)


def _sweep(job: Job) -> None:
    left = Comparison.objects.filter(project=job.project_id, published_at=None)
    active = (JobState.QUEUED, JobState.RUNNING)
    for comparison in [*left.filter(job=job), *left.exclude(job__state__in=active)]:
        with transaction.atomic():
            _delete(comparison)


def _delete(comparison: Comparison) -> None:
    rows = ComparisonRow.objects.filter(comparison=comparison)
    rows._raw_delete(rows.db)
    Comparison.objects.filter(pk=comparison.pk).delete()
