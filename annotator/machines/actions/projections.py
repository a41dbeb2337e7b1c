"""Storing what labels of another language become on a sentence, and withdrawing it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotator.core.database.bulk import prepared, reserved
from annotator.domain.leaving_out import Skipped
from annotator.domain.projection.carry import Outcome, ProjectionResult, ProjectionRules
from annotator.domain.projection.several_sources import PLACES, projection_score
from annotator.domain.states import AnnotationState, Mode
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    Gold,
    Import,
    Job,
    Layer,
    Project,
    Suggestion,
    SuggestionKind,
)
from annotator.models.alignment import EDITED_BY_PERSON
from annotator.work.answering.actions.suggestions import locked, refresh_items, supersede
from annotator.work.derivation.actions.sources import mark_sources, settle_sources
from annotator.work.queue.actions.items import reassign_unstarted


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """The outcome on one pair of sentences; `links` are (source token, target token, score).

    `opinions` and the name of who has them, if there are any: see `projection_score`.
    """

    source: int
    target: int
    source_spans: list[dict[str, Any]]
    links: Sequence[tuple[int, int, float]]
    result: ProjectionResult
    opinions: Sequence[float | None] = ()
    opinions_of: str = ""


@transaction.atomic
def store_projections(
    *, job: Job, carried: Sequence[CarriedOver], aligner: str, revision: str, rules: ProjectionRules, labels: str
) -> dict[str, Any]:
    """Store alignments and projections as the current ones of their target sentences; earlier ones stay on record.

    All come from one source language; what other languages say of the same sentences stays as it is. What a person
    reviewed stays current, so that their screen keeps showing what they decided on, and so does what is told to have
    another source now, and what a person edited the links of: the new projection is then stored
    beside it, and counted as `kept_for_people`. A source whose labels were all taken away voids its earlier
    projection, counted as `withdrawn`. Stored before by the same job: nothing happens.
    Sentences that were reached, or are no longer, go to the stages that now hold them. Returns counts for the job.
    """
    project, layer = job.project, job.project.label_layer
    current = {
        unit.pk: unit for unit in locked(project, layer, {pk for one in carried for pk in (one.source, one.target)})
    }
    source_language = next((current[one.source].language for one in carried if one.source in current), "")
    said = Suggestion.objects.filter(
        unit__in=[one.target for one in carried],
        layer=layer,
        kind=SuggestionKind.PROJECTION,
        source_language=source_language,
    )
    stored_before = set(said.filter(job=job).values_list("unit_id", flat=True))
    earlier = {row.unit_id: row for row in said.filter(is_current=True)}
    reviewed = _seen_by_people(earlier.values(), layer) | _told(earlier.values(), layer)
    reviewed |= {row.pk for row in earlier.values() if row.name == EDITED_BY_PERSON}
    counts = _nothing_counted()
    new: list[tuple[CarriedOver, bool]] = []
    replaced: list[Suggestion] = []
    for one in carried:
        if one.target in stored_before:
            continue
        if not current.keys() >= {one.source, one.target}:
            counts["skipped"][Skipped.REPLACED] = counts["skipped"].get(Skipped.REPLACED, 0) + 1
            continue
        before = earlier.get(one.target)
        keep = before is not None and before.pk in reviewed
        counts["kept_for_people"] += keep
        if before is not None and not keep:
            replaced.append(before)
        if not one.source_spans:
            counts["withdrawn"] += before is not None and not keep
            continue
        new.append((one, not keep))
        _count(counts, one)
    supersede(replaced)
    _write_projections(job, layer, source_language, new, aligner, revision, rules, labels)
    touched = {row.unit_id for row in replaced} | {one.target for one, is_current in new if is_current}
    mark_sources(layer, touched)
    # What stands may have changed while the labels were carried over.
    settle_sources(layer, touched)
    for language in sorted({current[pk].language for pk in touched}):
        reassign_unstarted(project, touched, language=language)
    refresh_items(project, layer, touched)
    return counts


def _nothing_counted() -> dict[str, Any]:
    return {
        "sentences": 0,
        "source_spans": 0,
        "target_spans": 0,
        "outcomes": {outcome.value: 0 for outcome in Outcome},
        "kept_for_people": 0,
        "withdrawn": 0,
        "skipped": {},
    }


def _count(counts: dict[str, Any], one: CarriedOver) -> None:
    """Add a projection that is stored."""
    counts["sentences"] += 1
    counts["source_spans"] += len(one.source_spans)
    counts["target_spans"] += len(one.result.spans)
    for outcome in one.result.outcomes:
        counts["outcomes"][outcome.outcome.value] += 1


def projections_from(imported: Import) -> QuerySet[Suggestion]:
    """Projections, current or not, that carried labels from the import's sentences to those of others."""
    rows = Suggestion.objects.filter(source__imported=imported, kind=SuggestionKind.PROJECTION)
    return rows.exclude(unit__imported=imported)


def withdraw_projections(project: Project, imported: Import) -> None:
    """The import's sentences are about to go: nothing is suggested from them any more, and items go where they belong.

    Nobody's answer began from them (`imports/undo/undo_import.py` asks before).
    """
    rows = projections_from(imported)
    layer = project.label_layer
    touched = sorted(set(rows.filter(is_current=True).values_list("unit_id", flat=True)))
    if not touched:
        return
    current = locked(project, layer, touched)
    Assignment.objects.filter(suggestion__in=rows).update(suggestion=None, shown=[])
    rows.update(is_current=False)
    mark_sources(layer, touched)
    for language in sorted({unit.language for unit in current}):
        reassign_unstarted(project, touched, language=language)
    refresh_items(project, layer, touched)


def _seen_by_people(suggestions: Iterable[Suggestion], layer: Layer) -> set[int]:
    """The ids of those suggestions that somebody's answer began from, or that were shown with it."""
    units = {row.unit_id for row in suggestions}
    seen: set[int] = set()
    answers = Annotation.objects.filter(unit__in=units, layer=layer).values_list("suggestion_id", "shown")
    for suggestion, shown in answers:
        seen |= {suggestion or 0, *shown}
    return seen


def _told(suggestions: Iterable[Suggestion], layer: Layer) -> set[int]:
    """The ids of those whose source changed after their unit was reviewed or decided: somebody is to look at it."""
    changed = {row.unit_id: row.pk for row in suggestions if row.source_changed}
    if not changed:
        return set()
    of_layer = {"unit__in": list(changed), "layer": layer}
    answered = Annotation.objects.filter(**of_layer, mode=Mode.REVIEW, state=AnnotationState.DONE)
    decided = Gold.all_rows.filter(**of_layer, reopened=False)
    return {changed[unit] for rows in (answered, decided) for unit in rows.values_list("unit_id", flat=True)}


def _write_projections(
    job: Job,
    layer: Layer,
    source_language: str,
    carried: Sequence[tuple[CarriedOver, bool]],
    aligner: str,
    revision: str,
    rules: ProjectionRules,
    labels: str,
) -> None:
    ids = reserved(Alignment, len(carried))
    alignments = [
        Alignment(
            pk=pk,
            project_id=job.project_id,
            job=job,
            source_id=one.source,
            target_id=one.target,
            aligner=aligner,
            revision=revision,
            links=[[source, target, round(float(score), PLACES)] for source, target, score in one.links],
            is_current=is_current,
        )
        for pk, (one, is_current) in zip(ids, carried, strict=True)
    ]
    prepared(Alignment, alignments).run()
    suggestions = [
        Suggestion(
            project_id=job.project_id,
            unit_id=one.target,
            layer=layer,
            kind=SuggestionKind.PROJECTION,
            source_language=source_language,
            source_id=one.source,
            job=job,
            alignment=alignment,
            name=aligner,
            revision=revision,
            content={"spans": [span.to_json() for span in one.result.spans]},
            detail={
                "labels": labels,
                "rules": asdict(rules),
                "source_spans": one.source_spans,
                "outcomes": [outcome.to_json() for outcome in one.result.outcomes],
                **_second_opinion(one),
            },
            score=projection_score(one.result.outcomes, one.links),
            span_sources=[[source_language] for _span in one.result.spans],
            is_current=is_current,
        )
        for (one, is_current), alignment in zip(carried, alignments, strict=True)
    ]
    prepared(Suggestion, suggestions).run()


def _second_opinion(one: CarriedOver) -> dict[str, Any]:
    """Whose it is, and how sure the projection is with it. Not part of the score: other languages' may have none."""
    if all(opinion is None for opinion in one.opinions):
        return {}
    return {
        "second_opinion": {
            "of": one.opinions_of,
            "score": projection_score(one.result.outcomes, one.links, one.opinions),
        }
    }
