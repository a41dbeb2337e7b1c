"""The expressions that gold labels in a language and in its translation.

`totals` of the results has the expressions of both languages, as they were read: each is in one row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.comparisons.queries.collecting import Cell, Collector, Computed
from annotator.domain.comparing.languages import Linked, Review, link_expressions
from annotator.domain.labels.spans import Span, spans_from_json
from annotator.domain.labels.translations import translations_of
from annotator.domain.projection.carry import SourceOutcome
from annotator.domain.projection.outcomes import lost_of
from annotator.domain.text.tokens import word_of
from annotator.models import Alignment, Annotation, AnnotationState, Event, Layer, Mode, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.work.gold.queries.slots import Slot, Text, slots_of

Links = Sequence[tuple[int, int]]


def compare_languages(layer: Layer, source: str, target: str) -> Computed:
    """Every labelled expression of the two languages. Call it in a snapshot."""
    collected = Collector()
    totals = {"source": 0, "target": 0}
    newest = Event.objects.filter(project=layer.project_id).order_by("-pk").values_list("pk", flat=True).first()
    for slots in slots_of(layer):
        decided = {slot.segment: slot for slot in slots if source in slot.gold or target in slot.gold}
        links = _links(layer, list(decided), source, target)
        reviews = _reviews(layer, list(decided), source, target)
        for segment, slot in decided.items():
            ours, theirs = _spans(slot, source), _spans(slot, target)
            totals["source"] += len(ours or ())
            totals["target"] += len(theirs or ())
            review = _review(slot, source, target, reviews.get(segment))
            for linked in link_expressions(ours, theirs, links=links.get(segment), review=review):
                _add(collected, slot, linked, source, target, is_aligned=segment in links)
    return Computed(collected, newest or 0, {"totals": totals})


def _spans(slot: Slot, language: str) -> list[Span] | None:
    content = slot.gold.get(language)
    return None if content is None else spans_from_json(content["spans"])


def _add(collected: Collector, slot: Slot, linked: Linked, source: str, target: str, *, is_aligned: bool) -> None:
    left, right = (
        _side(slot.texts[language], span) if span is not None else None
        for language, span in ((source, linked.source), (target, linked.target))
    )
    cell = Cell(
        state=linked.where,
        outcome=linked.outcome,
        label=linked.source.label if linked.source is not None else "",
        other_label=linked.target.label if linked.target is not None else "",
        dataset=slot.dataset,
    )
    content = {"uid": slot.uid, "left": left, "right": right, "by": linked.by or "", "aligned": is_aligned}
    lemma, other = (one["lemma"] if one is not None else "" for one in (left, right))
    collected.add(cell, content, lemma, other)


def _side(text: Text, span: Span) -> dict[str, Any]:
    """An expression as rows have it; lemmas are words where the text has none."""
    lemmas = text.lemmas or [word_of(token) for token in text.tokens]
    return {
        "label": span.label,
        "tokens": list(span.tokens),
        "words": " ".join(text.tokens[token] for token in span.tokens),
        "lemma": " ".join(lemmas[token] for token in span.tokens),
    }


def _links(layer: Layer, segments: Sequence[int], source: str, target: str) -> Mapping[int, Links]:
    """By segment, the current links of its texts, from the source to the target; where only the other direction was
    aligned, that one."""
    found: dict[int, Links] = {}
    for one, other in ((target, source), (source, target)):
        rows = Alignment.objects.filter(
            project=layer.project_id, is_current=True,
            source__segment__in=segments, source__language=one, source__is_current=True,
            target__language=other, target__is_current=True,
        )  # fmt: skip
        for segment, links in rows.values_list("source__segment_id", "links"):
            pairs = [(link[0], link[1]) for link in links]
            found[segment] = pairs if one == source else [(b, a) for a, b in pairs]
    return found


def _reviews(layer: Layer, segments: Sequence[int], source: str, target: str) -> Mapping[int, Mapping[str, Any]]:
    """By segment, the projection that the first review of the target began from, where it was from the source's current
    text."""
    rows = Annotation.objects.filter(
        PUBLISHED, project=layer.project_id, layer=layer, mode=Mode.REVIEW, state=AnnotationState.DONE,
        unit__segment__in=segments, unit__language=target, unit__is_current=True,
    )  # fmt: skip
    columns = ("suggestion__kind", "suggestion__source_language", "suggestion__source__is_current")
    found: dict[int, Mapping[str, Any] | None] = {}
    for segment, detail, *about in rows.order_by("pk").values_list("unit__segment_id", "suggestion__detail", *columns):
        found.setdefault(segment, detail if about == [SuggestionKind.PROJECTION, source, True] else None)
    return {segment: detail for segment, detail in found.items() if detail is not None}


def _review(slot: Slot, source: str, target: str, detail: Mapping[str, Any] | None) -> Review | None:
    """The outcomes of a projection with what gold says of them."""
    if detail is None or target not in slot.gold:
        return None
    outcomes = [SourceOutcome.from_json(one) for one in detail.get("outcomes", ())]
    said = [one for one in translations_of(slot.gold[target]) if one.language == source]
    return Review(outcomes, lost_of(outcomes, said))
