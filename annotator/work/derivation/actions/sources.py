"""What projections and transfers say of where they come from: kept in step as they, and their sources, change.

Which languages the spans of projections come from; and whether what stands on a source is still what the suggestion was
made from. What a person reviews after a change is reviewed from what stands then (`reviewed_from`), so a suggestion
whose source changed is told until its unit is saved or decided again, or the source is what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotator.domain.content import Content, content_type
from annotator.domain.effective_content import Stands
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.projection.several_sources import span_sources
from annotator.domain.projection.source_change import has_changed
from annotator.domain.states import AnnotationState, Mode
from annotator.models import Annotation, Layer, Project, Suggestion, SuggestionKind, Unit
from annotator.work.derivation.queries.sources import CARRIED, place_of, source_of, sources_of, stands_for

BATCH = 500
# In `reviewed_from`, where no answer was saved: gold was decided.
_DECIDED = 0


def mark_sources(layer: Layer, units: Collection[int]) -> None:
    """Say of the current projections of the units, span by span, which languages agree. One query, and one to write.

    Anyone who makes, supersedes or removes a projection calls it, holding the units.
    """
    rows = Suggestion.objects.filter(
        unit__in=list(units), layer=layer, kind=SuggestionKind.PROJECTION, is_current=True
    ).order_by("unit_id", "pk")
    by_unit: dict[int, list[Suggestion]] = {}
    for row in rows:
        by_unit.setdefault(row.unit_id, []).append(row)
    changed: list[Suggestion] = []
    for together in by_unit.values():
        # In the order of the languages' tags, so that the same projections say the same whatever came first.
        together.sort(key=lambda row: row.source_language)
        found = span_sources({row.source_language: spans_from_json(row.content["spans"]) for row in together})
        for row in together:
            if row.span_sources != found[row.source_language]:
                row.span_sources = found[row.source_language]
                changed.append(row)
    Suggestion.objects.bulk_update(changed, ["span_sources"], batch_size=BATCH)


def follow_sources(layer: Layer, units: Collection[Unit], *, known: Stands | None = None) -> None:
    """Gold was decided on these units or undone, or an answer became another one: say of what was carried over from
    them whether it comes from what stands now. `known`: what stands, of one unit, where the caller has read it.

    Anyone who changes what can stand on a unit calls it after that. One query where nothing was carried over.
    """
    places = {(unit.segment_id, unit.language) for unit in units}
    if not places:
        return
    rows = _held(Q(source__segment__in={segment for segment, _language in places}), layer)
    own = {(unit.segment_id, unit.language): unit for unit in units} if known is not None else {}
    _settle(layer, [row for row in rows if place_of(row) in places], known, own)


def settle_sources(layer: Layer, units: Collection[int]) -> None:
    """The same of what was carried over to these units (ids): it is new, or under other labels."""
    _settle(layer, _held(Q(unit__in=list(units)), layer))


def is_source_changed(unit: Unit, layer: Layer) -> bool:
    """Whether what was carried over to the unit comes from something else than what stands there now."""
    rows = Suggestion.objects.filter(unit=unit.pk, layer=layer, is_current=True, source_changed=True)
    return rows.exists()


def see_sources(layer: Layer, units: Iterable[int], *, version: int = _DECIDED) -> None:
    """Somebody saved or decided again what is on the units (ids): they are reviewed from what stands on their sources
    now. `version`: of the answer that was saved."""
    rows = _held(Q(unit__in=list(units), source_changed=True), layer)
    newest, stands = sources_of(layer, rows)
    for row in rows:
        now = newest[place_of(row)]
        row.reviewed_from = {
            "content": stands_for(row, stands[now.pk]),
            "tokens": now.tokens,
            "version": version,
        }
        row.source_changed = False
    _write(rows)


def unsee_sources(layer: Layer, unit: Unit, *, version: int | None = None) -> None:
    """What a person saved or decided since was undone: it is reviewed as before. `version`: of the answer that came
    back, 0 where it is what somebody begins from; None: gold was undone."""
    seen = _held(Q(unit=unit.pk), layer)
    rows = [row for row in seen if row.reviewed_from and _is_undone(row.reviewed_from["version"], version)]
    for row in rows:
        row.reviewed_from = None
    _write(rows)
    _settle(layer, rows)


def _is_undone(seen_with: int, back_to: int | None) -> bool:
    return seen_with == _DECIDED if back_to is None else seen_with > back_to


def carry_sources(old: Unit, new: Unit) -> None:
    """The text of a unit was fixed, and an answer to it stays finished: what it was reviewed from continues with it, to
    the new text. What machines say of that takes its place, unless the source changed (`store_projections`)."""
    rows = Suggestion.objects.filter(unit=old, kind__in=CARRIED, is_current=True, source__isnull=False)
    finished = Annotation.objects.filter(
        unit=new, layer=OuterRef("layer"), mode=Mode.REVIEW, state=AnnotationState.DONE
    )
    made = []
    for row in rows.filter(Exists(finished)).select_related("layer", "source"):
        content = content_type(row.layer.content_type).carry(row.content, before=old.tokens, after=new.tokens)
        made.append(
            Suggestion(
                project_id=row.project_id,
                unit=new,
                layer=row.layer,
                kind=row.kind,
                source_language=row.source_language,
                source=row.source,
                content=content,
                name=row.name,
                revision=row.revision,
                # Outcomes and links are of the old text.
                detail={**row.detail, "outcomes": []} if row.detail else {},
                score=row.score,
                source_changed=row.source_changed,
                reviewed_from=row.reviewed_from,
            )
        )
    Suggestion.objects.bulk_create(made)
    for layer in {row.layer for row in made}:
        mark_sources(layer, [new.pk])


def rewrite_sources(layer: Layer, rewritten: Callable[[Content], Content]) -> None:
    """Contents of a layer are spelt in another way from now on: so is what suggestions were made from. Nothing changed
    by it."""
    rows = Suggestion.objects.filter(project=layer.project_id, layer=layer, kind__in=CARRIED, is_current=True)
    changed = []
    for row in rows.order_by("pk").iterator(chunk_size=BATCH):
        before = row.detail, row.reviewed_from
        if row.reviewed_from is not None and row.reviewed_from["content"] is not None:
            row.reviewed_from = {**row.reviewed_from, "content": rewritten(row.reviewed_from["content"])}
        if "source_spans" in row.detail:
            row.detail = {**row.detail, "source_spans": rewritten({"spans": row.detail["source_spans"]})["spans"]}
        if before != (row.detail, row.reviewed_from):
            changed.append(row)
    Suggestion.objects.bulk_update(changed, ["detail", "reviewed_from"], batch_size=BATCH)


def recount_sources(project: Project) -> None:
    """All of it anew, from what stands. For what was written without it, such as a project backup; not for requests."""
    for layer in project.layers.all():
        rows = Suggestion.objects.filter(project=project, layer=layer, kind__in=CARRIED, is_current=True)
        ids = sorted(rows.values_list("unit_id", flat=True).distinct())
        for start in range(0, len(ids), BATCH):
            with transaction.atomic():
                settle_sources(layer, ids[start : start + BATCH])


def made_from(row: Suggestion) -> tuple[Content | None, Sequence[str]]:
    """What stood on the source when the suggestion was made, or its unit reviewed since (None: nothing did), and the
    tokens that it is on."""
    if row.reviewed_from is not None:
        return row.reviewed_from["content"], row.reviewed_from["tokens"]
    content = {"spans": row.detail.get("source_spans", [])} if row.kind == SuggestionKind.PROJECTION else row.content
    return content, source_of(row).tokens


def _held(which: Q, layer: Layer) -> list[Suggestion]:
    """Current ones, locked before anybody looks what stands: anyone who comes second sees what the first one wrote."""
    rows = Suggestion.objects.filter(which, layer=layer, kind__in=CARRIED, is_current=True, source__isnull=False)
    rows = rows.select_related("source").defer("probabilities", "source__lemmas", "source__content_words")
    return list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def _settle(
    layer: Layer,
    rows: Sequence[Suggestion],
    known: Stands | None = None,
    own: Mapping[tuple[int, str], Unit] = MappingProxyType({}),
) -> None:
    if known is None:
        newest, stands = sources_of(layer, rows)
    else:
        newest, stands = own, {unit.pk: known for unit in own.values()}
    kind = content_type(layer.content_type)
    changed = []
    for row in rows:
        now = newest[place_of(row)]
        was, tokens = made_from(row)
        is_another = has_changed(kind, was, stands_for(row, stands[now.pk]), before=tokens, after=now.tokens)
        if is_another != row.source_changed:
            row.source_changed = is_another
            changed.append(row)
    if changed:
        Suggestion.objects.bulk_update(changed, ["source_changed"], batch_size=BATCH)


def _write(rows: Sequence[Suggestion]) -> None:
    if rows:
        Suggestion.objects.bulk_update(rows, ["source_changed", "reviewed_from"], batch_size=BATCH)
