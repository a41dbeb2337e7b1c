"""The labels of the source language that are carried over to another one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from annotator.domain.leaving_out import Skipped
from annotator.domain.projection.carry import LabelSource
from annotator.models import Project, Suggestion, SuggestionKind
from annotator.work.gold.queries.effective_content import effective_content


@dataclass(frozen=True, slots=True)
class Carried:
    """A source sentence, its parallel one, and the source's labels (span JSON; may be empty)."""

    source: int
    target: int
    source_tokens: list[str]
    target_tokens: list[str]
    spans: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ToProject:
    """`sources` are ids of source sentences in reading order; `skipped` counts the others by reason."""

    sources: list[int]
    skipped: dict[str, int]


def to_project(project: Project, source: str, target: str, labels: str) -> ToProject:
    """Source sentences with labels to carry over, and those without any whose earlier projection is now void."""
    decided = labels_of(project, source, labels)
    current = project.sentences.filter(language=source, is_current=True).order_by("segment__position", "pk")
    targets = dict(project.sentences.filter(language=target, is_current=True).values_list("segment_id", "pk"))
    projected = set(
        Suggestion.objects.filter(
            project=project,
            layer=project.label_layer,
            kind=SuggestionKind.PROJECTION,
            source_language=source,
            unit__language=target,
            is_current=True,
        ).values_list("unit_id", flat=True)
    )
    sources: list[int] = []
    skipped: dict[str, int] = {}
    for pk, segment in current.values_list("pk", "segment_id"):
        reason: Skipped | None = None
        if pk not in decided:
            reason = Skipped.WITHOUT_GOLD if labels == LabelSource.GOLD else Skipped.WITHOUT_ANNOTATION
        elif segment not in targets:
            reason = Skipped.WITHOUT_PARALLEL
        elif not decided[pk] and targets[segment] not in projected:
            reason = Skipped.WITHOUT_LABELS
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
        else:
            sources.append(pk)
    return ToProject(sources, skipped)


def labels_of(
    project: Project, language: str, labels: str, sentences: Collection[int] | None = None
) -> dict[int, list[Any]]:
    """Decided labels (span JSON) by sentence; sentences without a decision are not in it.

    "gold": the gold. "annotations": whatever stands (`work/gold/queries/effective_content.py`).
    """
    found = effective_content(
        project, project.label_layer, language=language, units=sentences, gold_only=labels == LabelSource.GOLD
    )
    return {pk: content["spans"] for pk, content in found.items()}


def carried(project: Project, target: str, labels: str, sources: list[int]) -> list[Carried]:
    """What is carried over from `sources` (ids), with tokens on both sides, in reading order."""
    rows = project.sentences.filter(pk__in=sources, is_current=True).order_by("segment__position", "pk")
    if not rows:
        return []
    decided = labels_of(project, rows[0].language, labels, sources)
    targets = {
        row.segment_id: row
        for row in project.sentences.filter(
            language=target, is_current=True, segment__in=[row.segment_id for row in rows]
        )
    }
    return [
        Carried(row.pk, targets[row.segment_id].pk, row.tokens, targets[row.segment_id].tokens, decided[row.pk])
        for row in rows
        if row.pk in decided and row.segment_id in targets
    ]


def parallel_tokens(project: Project, source: str, target: str) -> list[tuple[list[str], list[str]]]:
    """The tokens of all current parallel sentences of the project, in reading order."""
    targets = dict(project.sentences.filter(language=target, is_current=True).values_list("segment_id", "tokens"))
    sources = project.sentences.filter(language=source, is_current=True).order_by("segment__position", "pk")
    return [
        (tokens, targets[segment])
        for segment, tokens in sources.values_list("segment_id", "tokens")
        if segment in targets
    ]
