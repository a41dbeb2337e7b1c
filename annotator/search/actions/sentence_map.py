"""Storing a map of sentences."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotator.core.database.locks import lock_project
from annotator.models import Job, SentenceMap


@transaction.atomic
def store_map(*, job: Job, points: Sequence[Sequence[int]]) -> None:
    """Make the map of `job` the project's, unless a newer job made one meanwhile. `points`: each as `stored` of
    `domain/sentence_map.py` gives it.

    Who drew it is in the log with the job's start.
    """
    lock_project(job.project)
    if not SentenceMap.objects.filter(project=job.project, job__gt=job.pk).exists():
        SentenceMap.objects.update_or_create(project=job.project, defaults={"job": job, "points": points})
