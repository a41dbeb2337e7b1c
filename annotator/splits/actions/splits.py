"""Storing splits and deleting them.

A split may have a million rows: they are written in short transactions, under a split that nobody sees, before it is
published in one moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from annotator.core.database.bulk import prepared
from annotator.core.database.locks import lock_project
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.states import JobState
from annotator.domain.verbs import Verb
from annotator.models import Job, Project, Split, SplitRow, User
from annotator.splits.actions.job_settings import check_name

if TYPE_CHECKING:
    # It needs NumPy, and web processes have no use for it.
    from annotator.splits.queries.computed import Computed

# Rows that one transaction writes.
WRITTEN = 5000


def write_split(*, job: Job, computed: Computed) -> int:
    """Write the rows of a split that nobody sees yet; its id. Call it outside of a transaction.

    What an earlier try of the job left is deleted, and so is what cancelled and failed jobs of the project left.
    """
    _sweep(job)
    params: Mapping[str, Any] = job.params
    split = Split.objects.create(
        project_id=job.project_id,
        name=params["name"],
        layer=computed.layer,
        method=params["method"],
        parts=list(computed.parts),
        params={name: value for name, value in params.items() if name not in ("name", "layer", "method", "upload")},
        last_event=computed.last_event,
        scheme_version=computed.layer.scheme_version,
        sha256=computed.sha256,
        size=computed.size,
        left_out=computed.left_out,
        results=computed.results,
        job=job,
        created_by=job.created_by,
    )
    for begin in range(0, len(computed.segments), WRITTEN):
        columns = (one[begin : begin + WRITTEN].tolist() for one in (
            computed.segments, computed.of_segment, computed.positions
        ))  # fmt: skip
        rows = [
            SplitRow(split_id=split.pk, segment_id=segment, part=part if part >= 0 else None, position=position)
            for segment, part, position in zip(*columns, strict=True)
        ]
        with transaction.atomic():
            prepared(SplitRow, rows).run()
    return split.pk


@transaction.atomic
def publish_split(*, pk: int, by: User | None) -> Split:
    """Let everybody see a split whose rows are written. Raises ActionError where another one has its name by now."""
    split = Split.objects.select_related("project").get(pk=pk)
    lock_project(split.project)
    check_name(split.project, split.name)
    split.published_at = timezone.now()
    split.save(update_fields=["published_at"])
    about = {"name": split.name, "method": split.method, "sha256": split.sha256}
    log(project=split.project, actor=by, verb=Verb.SPLIT_CREATE, subject=split, after=about)
    return split


@transaction.atomic
def delete_split(*, split: Split, by: User | None) -> None:
    """Delete a split as a whole; the log keeps that it was there. Releases keep their files."""
    project: Project = split.project
    check_open(project)
    lock_project(project)
    about = {"name": split.name, "method": split.method, "sha256": split.sha256}
    log(project=project, actor=by, verb=Verb.SPLIT_DELETE, subject=split, before=about)
    _delete(split)


def _sweep(job: Job) -> None:
    left = Split.objects.filter(project=job.project_id, published_at=None)
    active = (JobState.QUEUED, JobState.RUNNING)
    for split in [*left.filter(job=job), *left.exclude(job__state__in=active)]:
        with transaction.atomic():
            _delete(split)


def _delete(split: Split) -> None:
    rows = SplitRow.objects.filter(split=split)
    rows._raw_delete(rows.db)
    Split.objects.filter(pk=split.pk).delete()
