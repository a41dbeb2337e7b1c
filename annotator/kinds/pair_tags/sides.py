"""Pairs as people are shown them: both sentences, with the labels that stand there for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.content import Content, content_type
from annotator.domain.effective_content import Answer, effective_answer
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Gold, Layer, Pair, Project, Segment, Unit, User
from annotator.work.answering.queries.inference_labels import labelled_by, may_label
from annotator.work.blind.queries.blind import blind_segments

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Side:
    """A premise or hypothesis, and whose labels it is shown with: "gold", "own", "annotation" or "none"."""

    segment: Segment
    unit: Unit | None
    content: Content
    labels: str

    @property
    def tokens(self) -> list[str]:
        return self.unit.tokens if self.unit is not None else []

    @property
    def spaces(self) -> list[str]:
        return self.unit.spaces if self.unit is not None else []

    @property
    def spans(self) -> list[Json]:
        spans: list[Json] = self.content["spans"]
        return spans


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair in one language. `may_label`: whether the person who tags it may give it an inference label, or change the
    one that they gave. `without_label`: both sentences are decided or done, and nobody labelled anything there
    (never told of sentences whose labels are hidden from the person)."""

    pair: Pair
    premise: Side
    hypothesis: Side
    without_label: bool
    may_label: bool


def sentences_of(units: Sequence[Unit]) -> dict[int, tuple[Unit | None, Unit | None]]:
    """By unit id of a pair, its premise and hypothesis in the pair's language. Two queries."""
    if not units:
        return {}
    pairs = _pairs(units)
    sentences = _sentences(units[0].language, pairs.values())
    found = {}
    for unit in units:
        pair = pairs[unit.segment_id]
        found[unit.pk] = sentences.get(pair.premise_id), sentences.get(pair.hypothesis_id)
    return found


def pair_views(
    project: Project, units: Sequence[Unit], user: User, *, own_only: Collection[int] = ()
) -> dict[int, PairView]:
    """By unit id, the pairs with the labels that stand on their sentences for the user. Units are of one language.

    Gold, else the user's own finished labels, else those that stand (`domain/effective_content.py`). On segments where
    the user is blind, and on the pairs in `own_only` (unit ids), the user's own labels or none. Five queries.
    """
    if not units:
        return {}
    pairs = _pairs(units)
    segments = {pk for pair in pairs.values() for pk in (pair.premise_id, pair.hypothesis_id)}
    layer = project.label_layer
    hidden = blind_segments(user, project, segments, layer)
    for unit in units:
        if unit.pk in own_only:
            hidden |= {pairs[unit.segment_id].premise_id, pairs[unit.segment_id].hypothesis_id}
    sentences = _sentences(units[0].language, pairs.values())
    known = _Labels(layer, sentences.values(), user)
    found = {}
    for unit in units:
        pair = pairs[unit.segment_id]
        premise, hypothesis = (
            known.side(segment, sentences.get(segment.pk), blind=segment.pk in hidden)
            for segment in (pair.premise, pair.hypothesis)
        )
        found[unit.pk] = PairView(
            pair=pair,
            premise=premise,
            hypothesis=hypothesis,
            without_label=all(
                side.segment.pk not in hidden and known.is_without_label(side.unit) for side in (premise, hypothesis)
            ),
            may_label=may_label(pair.inference, pair.given_by, user.pk, anybodys=False),  # type: ignore[attr-defined]  # annotated
        )
    return found


class _Labels:
    """Gold and finished answers on sentences. Two queries."""

    def __init__(self, layer: Layer, sentences: Iterable[Unit], user: User) -> None:
        ids = [sentence.pk for sentence in sentences]
        self.kind = content_type(layer.content_type)
        self.user = user
        self.gold: Mapping[int, Content] = dict(
            Gold.objects.filter(unit__in=ids, layer=layer).values_list("unit_id", "content")
        )
        self.answers: dict[int, list[Answer]] = defaultdict(list)
        rows = Annotation.objects.filter(unit__in=ids, layer=layer, state=AnnotationState.DONE).order_by("pk")
        for unit, mode, content, person in rows.values_list("unit_id", "mode", "content", "user_id"):
            self.answers[unit].append(Answer(mode, content, person))

    def side(self, segment: Segment, unit: Unit | None, *, blind: bool) -> Side:
        content, labels = self._shown(unit, blind=blind)
        return Side(segment, unit, content, labels)

    def _shown(self, unit: Unit | None, *, blind: bool) -> tuple[Content, str]:
        if unit is None:
            return self.kind.empty(), "none"
        if not blind and unit.pk in self.gold:
            return self.gold[unit.pk], "gold"
        answers = self.answers[unit.pk]
        own = next((answer for answer in answers if answer.user == self.user.pk), None)
        if own is not None:
            return own.content, "own"
        stands = None if blind else effective_answer(answers)
        return (self.kind.empty(), "none") if stands is None else (stands.content, "annotation")

    def is_without_label(self, unit: Unit | None) -> bool:
        """Whether gold says that there is nothing, or, before gold, everybody who has finished."""
        if unit is None:
            return False
        if unit.pk in self.gold:
            return not self.kind.is_labelled(self.gold[unit.pk])
        answers = self.answers[unit.pk]
        return bool(answers) and not any(self.kind.is_labelled(answer.content) for answer in answers)


def _pairs(units: Iterable[Unit]) -> dict[int, Pair]:
    """By the segment of the pair, each with who gave its inference label here."""
    rows = Pair.objects.filter(segment__in=[unit.segment_id for unit in units]).annotate(given_by=labelled_by())
    return {pair.segment_id: pair for pair in rows.select_related("premise", "hypothesis")}


def _sentences(language: str, pairs: Iterable[Pair]) -> dict[int, Unit]:
    """By segment, the sentences of the pairs."""
    segments = {pk for pair in pairs for pk in (pair.premise_id, pair.hypothesis_id)}
    rows = Unit.objects.published().filter(segment__in=segments, language=language, is_current=True)
    return {row.segment_id: row for row in rows.defer("lemmas", "content_words", "touches")}
