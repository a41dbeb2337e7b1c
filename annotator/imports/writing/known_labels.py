"""Labels in files for units that were there before the import: added where nothing is yet, in batches that are each
whole in themselves. What people decided or answered meanwhile stays, and so does what got a new revision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.core.counters import OWN
from annotator.core.kind import is_beside
from annotator.domain.batches import batches
from annotator.domain.content import content_type
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.formats.common.records import PairRecord, Says
from annotator.formats.corpus.corpus import pair_uid
from annotator.imports.reading.known import Known, answered, carried, decided, known
from annotator.imports.reading.labels import answer_layers, tag_source
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import IncomingAnswer, StagedBatch, StagedRecord
from annotator.imports.writing.answers import Content, annotation, suggestion
from annotator.models import (
    Annotation,
    Assignment,
    Gold,
    GoldSource,
    Import,
    Item,
    Layer,
    Project,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
)
from annotator.work.answering.actions.suggestions import refresh_items
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.derivation.actions.sources import follow_sources, see_sources
from annotator.work.gold.actions.adjudication import close_adjudication, refresh_adjudication
from annotator.work.gold.actions.gold import decide_items, end_blind, write_gold
from annotator.work.lexicon.actions.lemmas import mark_decided, mark_places
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.actions.order import refresh_order

# Units in one transaction: those that are decided, and those that are answered.
DECIDED_TOGETHER = 100
CHUNK_SIZE = 34


class KnownLabels:
    """Adds what files say of units that were there."""

    def __init__(self, project: Project, terms: Terms, imported: Import) -> None:
        self._project = project
        self._terms = terms
        self._imported = imported
        self._layers: Mapping[str, Layer] = {}
        # By layer and language: gold to be decided, by unit.
        self._golds: dict[tuple[Layer, str], dict[int, Content]] = {}

    def add(self, staged: Iterable[StagedBatch]) -> Iterator[None]:
        """Add all of it; stops between two transactions."""
        for batch in staged:
            uids = {record.uid for record in batch.records}
            pairs = {pair_uid(self._terms.dataset, pair.id) for pair in batch.pairs}
            there = known(self._project, uids, pairs=pairs)
            yield from self._sentences(batch.records, there)
            yield from self._pairs(batch.pairs, there)
            yield from self._decide(DECIDED_TOGETHER)
        yield from self._decide(1)

    def _sentences(self, records: Sequence[StagedRecord], there: Known) -> Iterator[None]:
        self._layers = self._layers or answer_layers(self._project)
        by_layer: dict[Layer, dict[int, tuple[str, Sequence[IncomingAnswer]]]] = {}
        for record in records:
            for language, text in record.texts.items():
                here = there.texts.get((language, record.uid))
                if here is None or here.texts.get(text.tokens) != here.current:
                    continue
                for slug in dict.fromkeys(one.layer for one in text.answers):
                    mine = [one for one in text.answers if one.layer == slug]
                    by_layer.setdefault(self._layers[slug], {})[here.current] = (language, mine)
        for layer, of_units in by_layer.items():
            yield from self._in_layer(layer, of_units)

    def _in_layer(self, layer: Layer, of_units: Mapping[int, tuple[str, Sequence[IncomingAnswer]]]) -> Iterator[None]:
        there = carried(layer, of_units.keys())
        answers: dict[int, list[IncomingAnswer]] = {}
        predictions: dict[int, list[IncomingAnswer]] = {}
        for unit, (language, some) in of_units.items():
            for one in some:
                if there.has(unit, one):
                    continue
                if one.says == Says.GOLD:
                    self._golds.setdefault((layer, language), {})[unit] = one.content
                else:
                    (answers if one.says == Says.PERSON else predictions).setdefault(unit, []).append(one)
        for units in batches(sorted(predictions), CHUNK_SIZE):
            yield
            _suggest(self._imported, layer, {unit: predictions[unit] for unit in units})
        for units in batches(sorted(answers), CHUNK_SIZE):
            yield
            _answer(self._imported, layer, {unit: answers[unit] for unit in units})

    def _pairs(self, pairs: Sequence[PairRecord], there: Known) -> Iterator[None]:
        source = tag_source(self._project, self._terms) if pairs else None
        layer = self._project.tag_layer
        if source is None or layer is None:
            return
        of_units: dict[int, tuple[str, Sequence[IncomingAnswer]]] = {}
        for pair in pairs:
            for language, tag in pair.values.items():
                unit = there.pair_units.get((language, pair_uid(self._terms.dataset, pair.id)))
                if unit is not None:
                    of_units[unit] = (language, [source._replace(content={"value": tag})])
        yield from self._in_layer(layer, of_units)

    def _decide(self, at_least: int) -> Iterator[None]:
        for (layer, language), contents in self._golds.items():
            while len(contents) >= at_least:
                yield
                some = sorted(contents)[:DECIDED_TOGETHER]
                _decide(self._imported, layer, language, {unit: contents.pop(unit) for unit in some})


@transaction.atomic
def _decide(imported: Import, layer: Layer, language: str, contents: Mapping[int, Content]) -> None:
    # Locked as in every other decision: a save and this do not cross.
    items = list(
        Item.objects.filter(unit__in=list(contents), stage__layer=layer)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .select_for_update(no_key=True, of=("self",))
        .order_by("pk")
    )
    current = Unit.objects.filter(pk__in=list(contents), is_current=True).in_bulk()
    standing = {gold.unit_id: gold for gold in Gold.all_rows.filter(unit__in=current, layer=layer)}
    open_ = sorted(unit for unit in current if unit not in standing or standing[unit].reopened)
    golds = [
        Gold(
            project_id=imported.project_id,
            unit_id=unit,
            layer=layer,
            content=contents[unit],
            source=GoldSource.IMPORTED,
            imported=imported,
            # Where gold was decided before and reopened, counting continues.
            version=standing[unit].version + 1 if unit in standing else 1,
        )
        for unit in open_
    ]
    write_gold(golds, reopened={unit: standing[unit] for unit in open_ if unit in standing})
    decide_items([item for item in items if item.unit_id in set(open_)], by=None)
    end_blind(open_, layer)
    close_adjudication(project=imported.project, units=open_, layer=layer, language=language, by=None)
    if layer.content_type == Layer.SPANS:
        mark_decided({gold.unit_id: content_type(layer.content_type).places(gold.content) for gold in golds})
    follow_sources(layer, [current[unit] for unit in open_])
    see_sources(layer, open_)
    refresh_order(imported.project, [current[unit] for unit in open_])


@transaction.atomic
def _suggest(imported: Import, layer: Layer, answer: Mapping[int, Sequence[IncomingAnswer]]) -> None:
    """A model's answers become the current ones, but where a person has started to label: there they are on record."""
    units = Unit.objects.filter(pk__in=list(answer), is_current=True).select_for_update(no_key=True).order_by("pk")
    there = [unit.pk for unit in units]
    begun = set(Annotation.objects.filter(unit__in=there, layer=layer).values_list("unit_id", flat=True))
    rows = [
        suggestion(imported, unit, layer, one, is_current=number == 0 and unit not in begun)
        for unit in there
        for number, one in enumerate(answer[unit])
    ]
    before = Suggestion.objects.filter(layer=layer, kind=SuggestionKind.PREDICTION, is_current=True)
    before.filter(unit__in=[row.unit_id for row in rows if row.is_current]).update(is_current=False)
    Suggestion.objects.bulk_create(rows)
    refresh_items(imported.project, layer, there)


@transaction.atomic
def _answer(imported: Import, layer: Layer, answer: Mapping[int, Sequence[IncomingAnswer]]) -> None:
    """Members' answers, as if they had given them."""
    items: dict[int, Item] = {}
    rows = (
        Item.objects.filter(unit__in=list(answer), stage__layer=layer)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .exclude(state=ItemState.VOID)
        .select_related("stage__layer")
        .select_for_update(no_key=True, of=("self",))
        .order_by("stage__position", "pk")
    )
    for item in rows:
        items.setdefault(item.unit_id, item)
    units = Unit.objects.filter(pk__in=list(answer), is_current=True).select_related("segment").order_by("pk")
    for unit in units:
        there = answered(layer, [unit.pk])
        for one in answer[unit.pk]:
            if (unit.pk, one.user) not in there:
                _answer_one(imported, layer, unit, one, items.get(unit.pk))
        done = Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE).order_by("pk")
        stands = [Answer(mode, content, user) for mode, content, user in done.values_list("mode", "content", "user_id")]
        gold = decided(layer, [unit.pk]).get(unit.pk)
        mark_places(unit, layer, stands, gold)
        follow_sources(layer, [unit])
        refresh_adjudication(project=imported.project, unit=unit, layer=layer)
    refresh_order(imported.project, units)


def _answer_one(imported: Import, layer: Layer, unit: Unit, answer: IncomingAnswer, item: Item | None) -> None:
    now = timezone.now()
    if item is None:
        annotation(imported, unit, layer, answer, None, Mode.REVIEW, now).save()
        return
    row = Assignment.objects.filter(item=item, user=answer.user).first()
    was_open = row is not None and row.state == AssignmentState.OPEN
    has_room = was_open or item.answers_open + item.answers_done < item.answers_wanted
    # Beside a review that others do, the answer is one more, given without seeing theirs.
    mode = Mode(row.mode) if row is not None and was_open else Mode(item.stage.mode if has_room else Mode.BLIND)
    annotation(imported, unit, layer, answer, item, mode, now).save()
    changed: dict[str, Any] = {"state": AssignmentState.DONE, "mode": mode, "done_at": now, "expires_at": None}
    if row is None:
        row = Assignment(
            project_id=imported.project_id,
            stage=item.stage,
            item=item,
            unit=unit,
            user_id=answer.user,
            reading=item.reading,
        )
    for name, value in changed.items():
        setattr(row, name, value)
    row.save()
    row.unit = unit
    if mode == Mode.BLIND:
        mark_blind([row], item.stage)
    extra = is_beside(item.stage, mode)
    wanted = item.answers_done + item.answers_open + 1
    change_item(
        item,
        user=answer.user,
        answers_open=-int(was_open and not extra),
        answers_done=int(not extra),
        extra_open=-int(was_open and extra),
        extra_done=int(extra),
        answers_wanted=wanted if not extra and not has_room else None,
        own={f"{OWN[mode]}_done": 1, f"{OWN[mode]}_open": -int(was_open)},
    )
