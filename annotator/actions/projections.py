"""Storing alignments and the labels that they carry over. Machines never overwrite people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction

from annotator.domain.projection import Outcome, ProjectionResult, ProjectionRules
from annotator.models import Alignment, Annotation, Job, Projection, Sentence


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """The outcome on one pair of sentences; `links` are (source token, target token, score)."""

    source: int
    target: int
    source_spans: list[dict[str, Any]]
    links: Sequence[tuple[int, int, float]]
    result: ProjectionResult


@transaction.atomic
def store_projections(
    *, job: Job, carried: Sequence[CarriedOver], aligner: str, revision: str, rules: ProjectionRules, labels: str
) -> dict[str, Any]:
    """Store alignments and projections as the current ones of their sentence pairs; earlier ones stay on record.

    What a person reviewed stays current, so that their screen keeps showing what they decided on: the new
    projection is then stored beside it, and counted as `kept_for_people`. A source whose labels were all taken
    away voids its earlier projection, counted as `withdrawn`. Stored before by the same job: nothing happens.
    Returns counts for the job.
    """
    # Two jobs on the same sentences take turns here, and so does a person who saves.
    ids = {pk for one in carried for pk in (one.source, one.target)}
    rows = Sentence.objects.select_for_update(no_key=True).filter(project=job.project_id, pk__in=ids).order_by("pk")
    current = {row.pk for row in rows if row.is_current}
    stored_before = set(job.projections.filter(source__in=ids).values_list("source_id", "target_id"))
    earlier = {
        (row.source_id, row.target_id): row
        for row in Projection.objects.filter(source__in=ids, target__in=ids, is_current=True)
    }
    reviewed = set(
        Annotation.objects.filter(projection__in=[row.pk for row in earlier.values()]).values_list(
            "projection_id", flat=True
        )
    )
    counts: dict[str, Any] = {
        "sentences": 0,
        "source_spans": 0,
        "target_spans": 0,
        "outcomes": {outcome.value: 0 for outcome in Outcome},
        "kept_for_people": 0,
        "withdrawn": 0,
        "skipped": {},
    }
    for one in carried:
        pair = (one.source, one.target)
        if pair in stored_before:
            continue
        if not current.issuperset(pair):
            skipped = counts["skipped"]
            skipped["text replaced meanwhile"] = skipped.get("text replaced meanwhile", 0) + 1
            continue
        before = earlier.get(pair)
        keep = before is not None and before.pk in reviewed
        counts["kept_for_people"] += keep
        if before is not None and not keep:
            Projection.objects.filter(pk=before.pk).update(is_current=False)
            Alignment.objects.filter(source=one.source, target=one.target, is_current=True).update(is_current=False)
        if not one.source_spans:
            counts["withdrawn"] += before is not None and not keep
            continue
        _store(job, one, aligner, revision, rules, labels, is_current=not keep)
        counts["sentences"] += 1
        counts["source_spans"] += len(one.source_spans)
        counts["target_spans"] += len(one.result.spans)
        for outcome in one.result.outcomes:
            counts["outcomes"][outcome.outcome.value] += 1
    return counts


def _store(
    job: Job, one: CarriedOver, aligner: str, revision: str, rules: ProjectionRules, labels: str, *, is_current: bool
) -> None:
    alignment = Alignment.objects.create(
        project_id=job.project_id,
        job=job,
        source_id=one.source,
        target_id=one.target,
        aligner=aligner,
        revision=revision,
        links=[[source, target, round(float(score), 4)] for source, target, score in one.links],
        is_current=is_current,
    )
    Projection.objects.create(
        project_id=job.project_id,
        job=job,
        alignment=alignment,
        source_id=one.source,
        target_id=one.target,
        labels=labels,
        rules=asdict(rules),
        source_spans=one.source_spans,
        spans=[span.to_json() for span in one.result.spans],
        outcomes=[outcome.to_json() for outcome in one.result.outcomes],
        is_current=is_current,
    )
