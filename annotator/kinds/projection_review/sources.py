"""The sources of a sentence whose projections are reviewed: all of them, also those without a label."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress

from annotator.core.kind_parts import Json
from annotator.domain.content import Content
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.several_sources import span_scores
from annotator.domain.text.revision import moved_tokens
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
class OtherProjection:
    """The last projection of the same source spans by another aligner: the target of each, or None."""

    aligner: str
    targets: Sequence[Json | None]


@dataclass(frozen=True, slots=True)
class Source:
    """A source sentence: `spans` as they were when they were carried over, word links to the target, and what became of
    every span (`Suggestion.detail`) with the score of its links. `suggestion`: the projection, if there is one, by
    `aligner`; `others`: those of other aligners.

    Where its text was edited since, all of it is on the tokens of the text that stands.
    """

    unit: Unit
    spans: Sequence[Json] = ()
    links: Sequence[Sequence[float]] = ()
    outcomes: Sequence[Json] = ()
    suggestion: int | None = None
    state: SourceState = SourceState.PROJECTED
    edited: bool = False
    aligner: str = ""
    others: Sequence[OtherProjection] = ()


def sources_of(items: Sequence[WorkspaceItem], user: User) -> dict[int, list[Source]]:
    """By assignment id, every source of the sentence: those with a projection as they are ranked, then the others in
    the project's order. None where suggestions are hidden.

    One query for what other aligners made of them, where there is a projection; one for the others, one for who is
    blind on them, and two per source language, where there are any; one where the text of a source was edited.
    """
    projections = {row.assignment.pk: _projections(row) for row in items}
    others = _of_other_aligners([one for rows in projections.values() for one in rows])
    found = _as_they_read(
        {
            key: [replace(source_of(one), others=others.get(one.pk, ())) for one in rows]
            for key, rows in projections.items()
        }
    )
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
        aligner=suggestion.name,
    )


def _as_they_read(found: dict[int, list[Source]]) -> dict[int, list[Source]]:
    """The sources on the texts that stand. A text that is set aside is shown as it was."""
    edited = [source.unit for sources in found.values() for source in sources if not source.unit.is_current]
    if not edited:
        return found
    rows = Unit.objects.published().filter(
        segment__in={unit.segment_id for unit in edited},
        language__in={unit.language for unit in edited},
        kind=edited[0].kind,
        is_current=True,
    )
    now = {(unit.segment_id, unit.language): unit for unit in rows}
    return {
        key: [_moved(one, now.get((one.unit.segment_id, one.unit.language), one.unit)) for one in sources]
        for key, sources in found.items()
    }


def _moved(source: Source, now: Unit) -> Source:
    """The source on another text: without the spans whose words are gone."""
    if now.pk == source.unit.pk:
        return source
    moved = moved_tokens(source.unit.tokens, now.tokens)
    outcomes = [(one, _on(one["source"], moved)) for one in source.outcomes]
    stays = [span is not None for _one, span in outcomes]
    return replace(
        source,
        unit=now,
        spans=[span for one in source.spans if (span := _on(one, moved)) is not None],
        links=[[moved[int(link[0])], *link[1:]] for link in source.links if link[0] in moved],
        outcomes=[{**one, "source": span} for one, span in outcomes if span is not None],
        others=[replace(one, targets=list(compress(one.targets, stays))) for one in source.others],
    )


def _on(span: Json, moved: Mapping[int, int]) -> Json | None:
    """A span on the tokens that stayed; None where none did."""
    tokens = sorted(moved[token] for token in span["tokens"] if token in moved)
    return {**span, "tokens": tokens} if tokens or not span["tokens"] else None


def _of_other_aligners(shown: Sequence[Suggestion]) -> dict[int, list[OtherProjection]]:
    """By projection (id) that an aligner made, the last ones of other aligners from the same spans of the same source.
    They stay on record when another run takes their place. One query; none without projections."""
    aligned = {(one.unit_id, one.source_id): one for one in shown if one.name != EDITED_BY_PERSON}
    if not aligned:
        return {}
    rows = Suggestion.objects.filter(
        unit__in={unit for unit, _source in aligned},
        layer=shown[0].layer_id,
        kind=SuggestionKind.PROJECTION,
        source__in={source for _unit, source in aligned},
    ).exclude(name=EDITED_BY_PERSON)
    found: dict[int, dict[str, OtherProjection | None]] = {}
    for row in rows.order_by("-pk").only("unit", "source", "name", "detail"):
        here = aligned.get((row.unit_id, row.source_id))
        if here is None or row.name == here.name or row.name in found.setdefault(here.pk, {}):
            continue
        same = row.detail.get("source_spans") == here.detail.get("source_spans")
        targets = [one["target"] for one in row.detail.get("outcomes", [])]
        found[here.pk][row.name] = OtherProjection(row.name, targets) if same else None
    return {pk: [one for one in by_name.values() if one is not None] for pk, by_name in found.items()}


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
