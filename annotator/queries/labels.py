"""The labels of the source language that are carried over to another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotator.models import AnnotationState, LabelSource, Mode, Project, Projection


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
        Projection.objects.filter(
            project=project, source__language=source, target__language=target, is_current=True
        ).values_list("source_id", flat=True)
    )
    sources: list[int] = []
    skipped: dict[str, int] = {}
    for pk, segment in current.values_list("pk", "segment_id"):
        reason = ""
        if pk not in decided:
            reason = "without gold" if labels == LabelSource.GOLD else "without a finished annotation"
        elif segment not in targets:
            reason = "without a parallel sentence"
        elif not decided[pk] and pk not in projected:
            reason = "without labels"
        if reason:
            skipped[reason] = skipped.get(reason, 0) + 1
        else:
            sources.append(pk)
    return ToProject(sources, skipped)


def labels_of(project: Project, language: str, labels: str, sentences: list[int] | None = None) -> dict[int, list[Any]]:
    """Decided labels (span JSON) by sentence; sentences without a decision are not in it.

    "gold": the gold. "annotations": the gold where it is decided, else the reviewer's finished annotation, else
    the only finished blind one. Where several people labelled blind and nobody decided, there is no decision.
    """
    current = project.sentences.filter(language=language, is_current=True)
    if sentences is not None:
        current = current.filter(pk__in=sentences)
    decided: dict[int, list[Any]] = {}
    if labels == LabelSource.ANNOTATIONS:
        done = project.annotations.filter(sentence__in=current, state=AnnotationState.DONE)
        blind: dict[int, list[list[Any]]] = {}
        for pk, mode, spans in done.order_by("pk").values_list("sentence_id", "mode", "spans"):
            if mode == Mode.REVIEW:
                decided.setdefault(pk, spans)
            else:
                blind.setdefault(pk, []).append(spans)
        for pk, opinions in blind.items():
            if len(opinions) == 1:
                decided.setdefault(pk, opinions[0])
    decided.update(project.golds.filter(sentence__in=current).values_list("sentence_id", "spans"))
    return decided


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
