"""Every person's answer to units with gold, with what it began from, and the links between words: what agreement and
the tables of corrections and projections can be counted from again."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from annotator.domain.batches import batches
from annotator.domain.labels.origins import origins
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.models import Alignment, Annotation, Gold, Layer, Project, Segment, Suggestion, SuggestionKind, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.queries.gold_records import TOGETHER, beside, finished, in_order, seen
from annotator.releases.queries.pseudonyms import proposers
from annotator.work.gold.queries.withheld import repeats_withheld, withheld

ANNOTATIONS = "annotations/{slug}.jsonl"
SUGGESTIONS = "suggestions/{slug}.jsonl"
ALIGNMENTS = "alignments/{source}-{target}.jsonl"


@dataclass(frozen=True)
class Individual:
    """One layer's files of individual answers. `names`: of people, by id. `answers_stand`: nobody decides there, so
    units need no gold. `without`: units (ids) that stay out. `words`: the release holds texts, so it is without those
    that may not be published."""

    layer: Layer
    names: Mapping[int, str]
    answers_stand: bool = False
    without: Collection[int] = ()
    words: bool = True

    def read(self) -> Iterator[Answered]:
        """The current units whose answers are released, in reading order, so many at a time that a large project needs
        no more memory than a small one."""
        project = self.layer.project
        kept_back, by = withheld(project) if self.words else (), proposers(project)
        gold = Gold.objects.filter(layer=self.layer, project=project)
        answered: QuerySet[Any] = finished(self.layer) if self.answers_stand else gold
        units = Unit.objects.published().filter(project=project, is_current=True)
        rows = units.filter(pk__in=answered.order_by().values("unit")).order_by("segment__position", "language", "pk")
        places = array("q", (pk for pk in rows.values_list("pk", flat=True).iterator() if pk not in self.without))
        for some in batches(places, TOGETHER):
            found = Unit.objects.select_related("segment").in_bulk(some)
            here = [found[pk] for pk in some]
            yield Answered(
                self.layer,
                {one.pk: one for one in here if one.kind == Segment.PAIR or not repeats_withheld(one, kept_back)},
                self.names,
                by,
            )


@dataclass(frozen=True)
class Answered:
    """Units of a layer in reading order, with their answers and what was suggested. `by`: who made a proposal."""

    layer: Layer
    units: Mapping[int, Unit]
    names: Mapping[int, str]
    by: Mapping[int, int]

    @property
    def released(self) -> set[tuple[str, str]]:
        """Uid and language of the units."""
        return {(unit.segment.uid, unit.language) for unit in self.units.values()}

    @cached_property
    def _places(self) -> dict[int, int]:
        return {pk: place for place, pk in enumerate(self.units)}

    @cached_property
    def _answers(self) -> list[Annotation]:
        """In reading order, on each unit by name."""
        rows = finished(self.layer).filter(unit__in=list(self.units))
        return sorted(rows, key=lambda row: (self._places[row.unit_id], self.names[row.user_id]))

    @cached_property
    def _suggestions(self) -> dict[int, Suggestion]:
        """Those that were shown, and those that stand, in reading order."""
        used = {pk for row in self._answers for pk in (*row.shown, row.suggestion_id)}
        rows = Suggestion.objects.filter(PUBLISHED, layer=self.layer, unit__in=list(self.units)).order_by("pk")
        found = [row for row in rows if row.is_current or row.pk in used]
        return {row.pk: row for row in sorted(found, key=lambda row: (self._places[row.unit_id], row.pk))}

    @cached_property
    def _ids(self) -> dict[int, str]:
        """What the files call each suggestion: by its unit, kind, and number there."""
        often: Counter[tuple[int, str]] = Counter()
        found = {}
        for pk, row in self._suggestions.items():
            often[row.unit_id, row.kind] += 1
            unit = self.units[row.unit_id]
            number = often[row.unit_id, row.kind]
            found[pk] = f"{unit.segment.uid}/{unit.language}/{unit.revision}/{row.kind}/{number}"
        return found

    def annotations(self, *, comments: bool) -> Iterator[dict[str, Any]]:
        """An answer a line. `shown` and `suggestion` are ids of the file of suggestions."""
        for row in self._answers:
            unit = self.units[row.unit_id]
            yield {
                **_which(unit),
                "annotator": self.names[row.user_id],
                **seen(row.mode, row.context),
                "version": row.version,
                "scheme_version": row.scheme_version,
                "guidelines_version": row.guidelines_version,
                "imported": row.imported_id is not None,
                "created_at": row.created_at.isoformat(),
                "done_at": row.done_at.isoformat() if row.done_at else None,
                "seconds": row.seconds,
                **beside(row.doubt, row.comment, comments),
                "content": in_order(row.content),
                "suggested": in_order(row.suggested),
                "suggestion": self._ids.get(row.suggestion_id or 0),
                "shown": [self._ids[pk] for pk in row.shown if pk in self._ids],
                **self._origins(row),
            }

    def suggestions(self) -> Iterator[dict[str, Any]]:
        """A suggestion a line: a prediction, projection, transfer, earlier gold or proposal, and who made it."""
        for pk, row in self._suggestions.items():
            proposal = row.kind == SuggestionKind.PROPOSAL
            yield {
                "id": self._ids[pk],
                **_which(self.units[row.unit_id]),
                "suggestion": row.kind,
                "from_language": row.source_language,
                "from_languages": in_order(row.span_sources),
                "by": self.names.get(self.by.get(pk, 0)) if proposal else row.name,
                "by_revision": row.revision,
                "threshold": row.threshold,
                "score": row.score,
                "current": row.is_current,
                "created_at": row.created_at.isoformat(),
                "content": in_order(row.content),
                "probabilities": row.probabilities,
                "detail": in_order(row.detail),
            }

    def _origins(self, row: Annotation) -> dict[str, Any]:
        """How each span got there, in a layer of spans."""
        if self.layer.content_type != Layer.SPANS:
            return {}
        suggestion = self._suggestions.get(row.suggestion_id or 0)
        before = spans_from_json(row.suggested["spans"]) if row.suggested else ()
        return {"origins": span_origins(before, spans_from_json(row.content["spans"]), _source(suggestion))}


def span_origins(before: Sequence[Span], after: Sequence[Span], source: str) -> list[dict[str, Any]]:
    """For each span that stands or was removed, its origin: `accepted` as suggested, `shifted` from a suggested span
    that shares words with it, `added`, or `removed`. `from`: where what was suggested came from."""
    found = origins(before, after)
    left = list(found.removed)
    rows = [_origin(span, "accepted", source) for span in found.kept]
    for span in found.added:
        moved = next((one for one in left if set(one.tokens) & set(span.tokens)), None)
        if moved is None:
            rows.append(_origin(span, "added", ""))
        else:
            left.remove(moved)
            rows.append(
                _origin(span, "shifted", source) | {"was": {"tokens": list(moved.tokens), "label": moved.label}}
            )
    return [*rows, *(_origin(span, "removed", source) for span in left)]


def alignment_records(
    project: Project, source: str, target: str, released: Collection[tuple[str, str]], *, words: bool = True
) -> Iterator[dict[str, Any]]:
    """The current links between words of two languages, for sentences that are `released` (uid and language) in one of
    them."""
    rows = Alignment.objects.filter(
        project=project, is_current=True, source__language=source, target__language=target,
        source__is_current=True, target__is_current=True,
    )  # fmt: skip
    kept_back = withheld(project) if words else frozenset()
    for row in rows.select_related("source__segment", "target").order_by("source__segment__position", "pk"):
        uid = row.source.segment.uid
        if {(source, row.source.segment_id), (target, row.source.segment_id)} & kept_back:
            continue
        if (uid, source) in released or (uid, target) in released:
            yield {
                "uid": uid,
                "source": {"language": source, "revision": row.source.revision},
                "target": {"language": target, "revision": row.target.revision},
                "aligner": row.aligner,
                "aligner_revision": row.revision,
                "links": row.links,
            }


def aligned_languages(project: Project) -> list[tuple[str, str]]:
    """Source and target of the links that there are."""
    rows = Alignment.objects.filter(project=project, is_current=True).order_by().distinct()
    return sorted(set(rows.values_list("source__language", "target__language")))


def _which(unit: Unit) -> dict[str, Any]:
    segment = unit.segment
    return {
        "uid": segment.uid,
        "kind": unit.kind,
        "language": unit.language,
        "revision": unit.revision,
        "dataset": segment.dataset,
        "role": segment.role,
        "token_count": unit.token_count,
    }


def _source(suggestion: Suggestion | None) -> str:
    """Where a suggestion came from: its kind with the language or the detector."""
    if suggestion is None:
        return ""
    if suggestion.source_language or suggestion.kind != SuggestionKind.PREDICTION:
        return f"{suggestion.kind}:{suggestion.source_language}".rstrip(":")
    return f"{suggestion.kind}:{suggestion.name}"


def _origin(span: Span, origin: str, source: str) -> dict[str, Any]:
    return {"tokens": list(span.tokens), "label": span.label, "origin": origin, "from": source}
