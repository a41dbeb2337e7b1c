"""The sources of a sentence whose projections are reviewed: all of them, also those without a label."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotator.core.kind_parts import Json
from annotator.domain.content import Content
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.several_sources import span_scores
from annotator.models import Suggestion, SuggestionKind, Unit, User
from annotator.models.alignment import EDITED_BY_PERSON
from annotator.work.answering.queries.workspace import WorkspaceItem
from annotator.work.blind.queries.blind import blind_units
from annotator.work.gold.queries.effective_content import effective_content


class SourceState(StrEnum):
    """The state of a source. Without a projection: it has no label, is not decided, or has labels that were not
    projected."""

    PROJECTED = "projected"
    NO_LABEL = "no label"
    OPEN = "open"
    LABELLED = "labelled"


@dataclass(frozen=True, slots=True)
class Source:
    """A source sentence: `spans` as they were when they were carried over, word links to the target, and what became of
    every span (`Suggestion.detail`) with the score of its links. `suggestion`: the projection, if there is one."""

    unit: Unit
    spans: Sequence[Json] = ()
    links: Sequence[Sequence[float]] = ()
    outcomes: Sequence[Json] = ()
    suggestion: int | None = None
    state: SourceState = SourceState.PROJECTED
    edited: bool = False


def sources_of(items: Sequence[WorkspaceItem], user: User) -> dict[int, list[Source]]:
    """By assignment id, every source of the sentence: those with a projection as they are ranked, then the others in
    the project's order. None where suggestions are hidden.

    One query for the others, one for who is blind on them, and two per source language, where there are any.
    """
    found = {row.assignment.pk: [source_of(one) for one in _projections(row)] for row in items}
    wanted: dict[tuple[int, str], int] = {}
    for row in items:
        there = {source.unit.language for source in found[row.assignment.pk]}
        languages = () if row.blind else row.stage.project.sources_of(row.unit.language)
        wanted |= {(row.unit.segment_id, code): row.assignment.pk for code in languages if code not in there}
    for source in _unprojected(items, user, wanted):
        found[wanted[source.unit.segment_id, source.unit.language]].append(source)
    return found


def source_of(suggestion: Suggestion) -> Source:
    """Where a projection comes from. The suggestion comes with its source and alignment."""
    if suggestion.source is None:
        raise ValueError(f"Suggestion {suggestion.pk} was carried over from nowhere.")
    links = suggestion.alignment.links if suggestion.alignment is not None else []
    outcomes = suggestion.detail.get("outcomes", [])
    scores = span_scores([SourceOutcome.from_json(one) for one in outcomes], [(a, b, score) for a, b, score in links])
    return Source(
        unit=suggestion.source,
        spans=suggestion.detail.get("source_spans", []),
        links=links,
        outcomes=[{**one, "score": score} for one, score in zip(outcomes, scores, strict=True)],
        suggestion=suggestion.pk,
        edited=suggestion.name == EDITED_BY_PERSON,
    )


def _projections(row: WorkspaceItem) -> list[Suggestion]:
    return [one for one in row.suggestions if one.kind == SuggestionKind.PROJECTION]


def _unprojected(items: Sequence[WorkspaceItem], user: User, wanted: Collection[tuple[int, str]]) -> Iterable[Source]:
    """The sources without a projection, in the project's order."""
    if not wanted:
        return
    project = items[0].stage.project
    rows = Unit.objects.published().filter(
        project=project,
        segment__in={segment for segment, _language in wanted},
        language__in={language for _segment, language in wanted},
        kind=items[0].unit.kind,
        is_current=True,
    )
    units = [unit for unit in rows if (unit.segment_id, unit.language) in wanted]
    hidden = blind_units(user, project, units)
    for language in project.languages:
        here = [unit for unit in units if unit.language == language and unit.pk not in hidden]
        if not here:
            continue
        stands = effective_content(project, items[0].stage.layer, language=language, units=[unit.pk for unit in here])
        for unit in here:
            yield Source(unit=unit, state=_state(stands.get(unit.pk)))


def _state(content: Content | None) -> SourceState:
    if content is None:
        return SourceState.OPEN
    return SourceState.LABELLED if content["spans"] else SourceState.NO_LABEL
