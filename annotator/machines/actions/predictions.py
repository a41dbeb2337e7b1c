"""Storing what detectors say of sentences: not of those that people began to label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotator.core.database.bulk import prepared
from annotator.core.prepared import PreparedRows
from annotator.domain.labels.spans import Span
from annotator.domain.leaving_out import Skipped
from annotator.domain.projection.several_sources import PLACES
from annotator.machines.queries.prelabel import without_person
from annotator.models import Job, Sentence, Suggestion, SuggestionKind
from annotator.work.answering.actions.suggestions import locked, refresh_items


@dataclass(frozen=True, slots=True)
class Found:
    """A detector's answer on one sentence: its spans, and per token the probability of being labelled."""

    sentence: int
    spans: Sequence[Span]
    probabilities: Sequence[float]


@transaction.atomic
def store_predictions(
    *,
    job: Job,
    found: Sequence[Found],
    detector: str,
    revision: str,
    threshold: float,
    mapping: str = "",
    beside_people: bool = False,
) -> dict[str, Any]:
    """Store predictions as the current ones of their sentences; those before them stay on record.

    Left out and counted: sentences that a person began to label, that a newer job labelled or whose text changed
    meanwhile, and answers that do not cover every token. What the same job stored before stays, and is counted. Returns
    counts for the job. `mapping`: the scheme's, by which the detector's label is one of the project's. `beside_people`:
    what people carried over to a fixed text does not count as begun.
    """
    layer = job.project.label_layer
    units = [answer.sentence for answer in found]
    lengths = {unit.pk: unit.token_count for unit in locked(job.project, layer, units)}
    is_free = beside_people or not units
    free = set(lengths) if is_free else {pk for (pk,) in _WITHOUT_PERSON.rows(units=units, layer=layer.pk)}
    earlier = _PREDICTED.rows(units=units, layer=layer.pk) if units else []
    newer = {unit for unit, by, is_current in earlier if is_current and (by or 0) > job.pk}
    stored_before = {unit for unit, by, _is_current in earlier if by == job.pk}
    skipped: dict[str, int] = {}
    new: list[Found] = []
    for answer in found:
        if answer.sentence in stored_before:
            continue
        # A better detector may have begun to serve while an older job was still under way.
        reason = Skipped.NEWER_JOB if answer.sentence in newer else _why_not(answer, lengths, free)
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
        else:
            new.append(answer)
    replaced = {unit for unit, _by, is_current in earlier if is_current} & {answer.sentence for answer in new}
    if replaced:
        said = Suggestion.objects.filter(unit__in=replaced, layer=layer, kind=SuggestionKind.PREDICTION)
        said.filter(is_current=True).update(is_current=False)
    rows = [
        Suggestion(
            project_id=job.project_id,
            unit_id=answer.sentence,
            layer=layer,
            kind=SuggestionKind.PREDICTION,
            job=job,
            name=detector,
            revision=revision,
            threshold=threshold,
            content={"spans": [span.to_json() for span in answer.spans]},
            probabilities=[round(float(number), PLACES) for number in answer.probabilities],
            detail={"mapping": mapping} if mapping else {},
        )
        for answer in new
    ]
    prepared(Suggestion, rows).run()
    refresh_items(job.project, layer, [answer.sentence for answer in new])
    return _counts([*new, *(answer for answer in found if answer.sentence in stored_before)], skipped)


def _counts(stored: Sequence[Found], skipped: dict[str, int]) -> dict[str, Any]:
    return {
        "sentences": len(stored),
        "tokens": sum(len(answer.probabilities) for answer in stored),
        "labelled_sentences": sum(bool(answer.spans) for answer in stored),
        "labelled_tokens": sum(len(span.tokens) for answer in stored for span in answer.spans),
        "skipped": skipped,
    }


def _without_person(units: list[int], layer: int) -> QuerySet[Any, Any]:
    return without_person(Sentence.objects.filter(pk__in=units), layer).values_list("pk")


def _predicted(units: list[int], layer: int) -> QuerySet[Any, Any]:
    rows = Suggestion.objects.filter(unit__in=units, layer=layer, kind=SuggestionKind.PREDICTION)
    return rows.values_list("unit_id", "job_id", "is_current")


# Made once: they belong to transactions that whoever saves waits for.
_WITHOUT_PERSON = PreparedRows(_without_person, units=list, layer=int)
_PREDICTED = PreparedRows(_predicted, units=list, layer=int)


def _why_not(answer: Found, lengths: dict[int, int], free: set[int]) -> Skipped | None:
    if answer.sentence not in lengths:
        return Skipped.REPLACED
    if answer.sentence not in free:
        return Skipped.PERSON
    if len(answer.probabilities) != lengths[answer.sentence]:
        return Skipped.NOT_COVERED
    return None
