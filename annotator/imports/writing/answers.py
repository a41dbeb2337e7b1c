"""What files say of new sentences: gold, finished annotations of members, suggestions of models, with their items."""

from __future__ import annotations

from collections import Counter as Numbers
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from annotator.core.database.bulk import Ids, Insert, prepared
from annotator.core.kind import kind_of
from annotator.domain.content import content_type
from annotator.domain.effective_content import Answer, effective_answer
from annotator.domain.states import AnnotationState, AssignmentState, Mode, item_state
from annotator.formats.common.records import Says
from annotator.imports.reading.known import Key
from annotator.imports.reading.staging import IncomingAnswer, StagedText
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Gold,
    GoldSource,
    Import,
    Item,
    Layer,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
)
from annotator.work.queue.actions.items import fitting, let_through, new_items

Content = dict[str, Any]


@dataclass
class Written:
    """Rows of a batch, still to be inserted, and what hangs on them."""

    golds: list[Gold] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    marks: list[BlindMark] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    # By unit, the tokens that the labels that stand cover.
    covered: dict[int, frozenset[int]] = field(default_factory=dict)
    # Units and layers with gold, or in which nobody is asked.
    decided: set[tuple[int, int]] = field(default_factory=set)
    # Units whose answers in a layer may have to be decided on.
    answered: list[tuple[Unit, Layer]] = field(default_factory=list)

    def inserts(self) -> list[Insert]:
        """In the order in which they refer to each other, after their units."""
        with_id = [item for item in self.items if item.pk is not None]
        return [
            prepared(Gold, self.golds),
            prepared(Suggestion, self.suggestions),
            prepared(Item, [item for item in self.items if item.pk is None]),
            prepared(Item, with_id),
            prepared(Assignment, self.assignments),
            prepared(BlindMark, self.marks),
            prepared(Annotation, self.annotations),
        ]


class Answers:
    """Makes the rows of what is said of new units, and counts what people did."""

    def __init__(self, imported: Import, stages: Sequence[Stage], layers: Mapping[str, Layer]) -> None:
        self._imported = imported
        self._stages = stages
        self._layers = layers
        self._item_ids = Ids(Item)
        self._assignment_ids = Ids(Assignment)
        self._now = timezone.now()
        # By stage, person and mode: how many answers are done.
        self.done: Numbers[tuple[int, int, str]] = Numbers()

    def of(self, units: Mapping[Key, Unit], texts: Mapping[Key, StagedText]) -> Written:
        """The rows of new units, with the answers that their texts come with."""
        written = Written()
        for key, text in texts.items():
            of_these = (stage.layer_id for stage in self._stages if stage.layer.slug in text.settled)
            written.decided |= {(units[key].pk, of_layer) for of_layer in of_these}
            for one in text.answers:
                if one.says == Says.GOLD:
                    self.gold(written, units[key], self._layers[one.layer], one.content)
                elif one.says == Says.MODEL:
                    self._suggest(written, units[key], self._layers[one.layer], one)
        self.items(written, list(units.values()))
        for key, text in texts.items():
            people: dict[Layer, list[IncomingAnswer]] = {}
            for one in text.answers:
                if one.says == Says.PERSON:
                    people.setdefault(self._layers[one.layer], []).append(one)
            for answered, some in people.items():
                self._answer(written, units[key], answered, some)
        return written

    def gold(self, written: Written, unit: Unit, layer: Layer, content: Content) -> None:
        """Decide a new unit."""
        written.golds.append(
            Gold(
                project_id=self._imported.project_id,
                unit=unit,
                layer=layer,
                content=content,
                source=GoldSource.IMPORTED,
                imported=self._imported,
            )
        )
        written.decided.add((unit.pk, layer.pk))
        if layer.content_type == Layer.SPANS:
            written.covered[unit.pk] = content_type(layer.content_type).places(content)

    def items(self, written: Written, units: Sequence[Unit]) -> None:
        """The items of new units in every stage that holds them."""
        suggested = {(row.unit_id, row.layer_id): row for row in written.suggestions if row.is_current}
        for stage in self._stages:
            some = let_through(stage, fitting(stage, units), written.decided)
            rows = new_items(stage, some, written.decided)
            shows = SuggestionKind.PREDICTION in kind_of(stage).suggestions
            for item in rows if shows and suggested else ():
                row = suggested.get((item.unit_id, stage.layer_id))
                if row is not None:
                    item.suggested = content_type(stage.layer.content_type).is_labelled(row.content)
                    item.unlabelled = int(not item.suggested)
            written.items += rows

    def _suggest(self, written: Written, unit: Unit, layer: Layer, answer: IncomingAnswer) -> None:
        first = not any((row.unit_id, row.layer_id) == (unit.pk, layer.pk) for row in written.suggestions)
        written.suggestions.append(suggestion(self._imported, unit.pk, layer, answer, is_current=first))

    def _answer(self, written: Written, unit: Unit, layer: Layer, people: Sequence[IncomingAnswer]) -> None:
        """The finished annotations of members, in the first stage in which the unit is answered in this layer."""
        item = next(
            (item for item in written.items if item.unit_id == unit.pk and item.stage.layer_id == layer.pk), None
        )
        mode = Mode(item.stage.mode) if item is not None else Mode.REVIEW
        is_decided = (unit.pk, layer.pk) in written.decided
        for one in people:
            written.annotations.append(annotation(self._imported, unit, layer, one, item, mode, self._now))
            if item is not None:
                self._assign(written, unit, item, one.user, mode)
        if item is not None:
            item.answers_done = len(people)
            item.answers_wanted = max(item.answers_wanted, len(people))
            item.state = item_state(wanted=item.answers_wanted, open_=0, done=len(people), decided=is_decided)
        if layer.content_type == Layer.SPANS and not is_decided:
            found = effective_answer(Answer(mode, one.content, one.user) for one in people)
            if found is not None:
                written.covered[unit.pk] = content_type(layer.content_type).places(found.content)
        if len(people) > 1:
            written.answered.append((unit, layer))

    def _assign(self, written: Written, unit: Unit, item: Item, user: int, mode: Mode) -> None:
        if item.pk is None:
            item.pk = self._item_ids.next()
        row = Assignment(
            pk=self._assignment_ids.next(),
            project_id=self._imported.project_id,
            stage=item.stage,
            item=item,
            unit=unit,
            user_id=user,
            mode=mode,
            state=AssignmentState.DONE,
            reading=item.reading,
            done_at=self._now,
        )
        written.assignments.append(row)
        self.done[item.stage_id, user, mode] += 1
        if mode == Mode.BLIND:
            written.marks += [
                BlindMark(
                    project_id=row.project_id,
                    assignment=row,
                    user_id=user,
                    segment_id=segment,
                    layer=item.stage.layer,
                    # Where gold is decided, there is nothing left to be blind for.
                    live=(unit.pk, item.stage.layer_id) not in written.decided,
                )
                for segment in unit.touches
            ]


def annotation(
    imported: Import, unit: Unit, layer: Layer, answer: IncomingAnswer, item: Item | None, mode: Mode, now: Any
) -> Annotation:
    """A member's finished annotation, as files have it."""
    return Annotation(
        project_id=imported.project_id,
        unit=unit,
        layer=layer,
        stage=item.stage if item is not None else None,
        user_id=answer.user,
        mode=mode,
        state=AnnotationState.DONE,
        content=answer.content,
        scheme_version=layer.scheme_version,
        imported=imported,
        done_at=now,
    )


def suggestion(imported: Import, unit: int, layer: Layer, answer: IncomingAnswer, *, is_current: bool) -> Suggestion:
    """What a model said of a unit, as files have it."""
    return Suggestion(
        project_id=imported.project_id,
        unit_id=unit,
        layer=layer,
        kind=SuggestionKind.PREDICTION,
        content=answer.content,
        name=answer.name,
        revision=answer.revision,
        imported=imported,
        is_current=is_current,
    )
