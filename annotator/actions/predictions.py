"""Storing what a detector said. Machines never overwrite people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotator.domain.spans import Span
from annotator.models import Job, Prediction, Sentence
from annotator.queries.prelabel import without_person

PLACES = 4
# A better detector may have become active while an older job was still under way.
NEWER = "labelled by a newer job meanwhile"


@dataclass(frozen=True, slots=True)
class Found:
    """A detector's answer on one sentence: its spans, and per token the probability of being labelled."""

    sentence: int
    spans: Sequence[Span]
    probabilities: Sequence[float]


@transaction.atomic
def store_predictions(
    *, job: Job, found: Sequence[Found], detector: str, revision: str, threshold: float
) -> dict[str, Any]:
    """Store predictions as the current ones of their sentences; those before them stay on record.

    Left out and counted: sentences that a person began to label, that a newer job labelled or whose text changed
    meanwhile, and answers that do not cover every token. Stored before by the same job: nothing happens. Returns
    counts for the job.
    """
    asked = {answer.sentence: answer for answer in found}
    # Two jobs on the same sentences take turns here, and so does a person who saves.
    locked = Sentence.objects.select_for_update(no_key=True).filter(project=job.project_id, pk__in=asked).order_by("pk")
    lengths = {row.pk: row.token_count for row in locked if row.is_current}
    free = set(without_person(Sentence.objects.filter(pk__in=lengths)).values_list("pk", flat=True))
    current = Prediction.objects.filter(sentence__in=asked, is_current=True)
    newer = set(current.filter(job__gt=job.pk).values_list("sentence_id", flat=True))
    stored_before = set(job.predictions.filter(sentence__in=asked).values_list("sentence_id", flat=True))
    skipped: dict[str, int] = {}
    new: list[Found] = []
    for answer in found:
        if answer.sentence in stored_before:
            continue
        reason = NEWER if answer.sentence in newer else _why_not(answer, lengths, free)
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
        else:
            new.append(answer)
    current.filter(sentence__in=[answer.sentence for answer in new]).update(is_current=False)
    Prediction.objects.bulk_create(
        Prediction(
            project_id=job.project_id,
            sentence_id=answer.sentence,
            job=job,
            detector=detector,
            revision=revision,
            threshold=threshold,
            spans=[span.to_json() for span in answer.spans],
            probabilities=[round(float(number), PLACES) for number in answer.probabilities],
        )
        for answer in new
    )
    return {
        "sentences": len(new),
        "tokens": sum(len(answer.probabilities) for answer in new),
        "labelled_sentences": sum(bool(answer.spans) for answer in new),
        "labelled_tokens": sum(len(span.tokens) for answer in new for span in answer.spans),
        "skipped": skipped,
    }


def _why_not(answer: Found, lengths: dict[int, int], free: set[int]) -> str:
    if answer.sentence not in lengths:
        return "text replaced meanwhile"
    if answer.sentence not in free:
        return "with a person's labels"
    if len(answer.probabilities) != lengths[answer.sentence]:
        return "not covered to the last token by the detector"
    return ""
