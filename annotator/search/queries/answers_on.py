"""Gold, people's answers and suggestions on some texts, as far as one reader may see them.

- A reader who is blind on a text sees only their answer in that layer (`work/blind`).
- Others' answers are for adjudicators, as in adjudication: not on texts that they wrote themselves.
- An empty open answer is left out once its item was returned. It stays on record for the person who claims the item
  again.
- Other readers see suggestions once gold is decided, or once they have reviewed them: until then they can be assigned
  the text blind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.domain.content import content_type
from annotator.domain.states import AnnotationState, AssignmentState, Mode
from annotator.models import Annotation, Assignment, Gold, Layer, Suggestion, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.search.queries.contents import ShownContent, shown_content
from annotator.work.answering.queries.own import own_units
from annotator.work.blind.queries.blind import blind_units

Place = tuple[int, int]
"""A unit and a layer (ids)."""


@dataclass(frozen=True, slots=True)
class Visible:
    """What of these texts a reader may see. `blind`: where they see their own answer alone; `written`: texts (ids of
    units) that they wrote."""

    access: Access
    blind: frozenset[Place]
    written: frozenset[int]

    def gold(self, unit: int, layer: int) -> bool:
        """Whether they may see what is decided there."""
        return (unit, layer) not in self.blind

    def answers(self, unit: int, layer: int) -> bool:
        """Whether they may see what others answered there, and who is at work on it."""
        return self.access.may(Permission.ADJUDICATE) and self.gold(unit, layer) and unit not in self.written


@dataclass(slots=True)
class Reading:
    """A content, with everything that says it: no two readings of a text are the same."""

    content: ShownContent
    golds: list[Gold] = field(default_factory=list)
    answers: list[Annotation] = field(default_factory=list)
    suggestions: list[Suggestion] = field(default_factory=list)

    @property
    def only_suggested(self) -> bool:
        """Whether no person and no decision says it."""
        return not (self.golds or self.answers)


@dataclass(frozen=True, slots=True)
class LayerOn:
    """What a layer says of a text: gold first, then what most people say, then suggestions."""

    layer: Layer
    readings: Sequence[Reading]

    @property
    def remarked(self) -> list[Annotation]:
        """The answers with a comment."""
        return [row for reading in self.readings for row in reading.answers if row.comment]


def visible(access: Access, units: Sequence[Unit], layers: Sequence[Layer]) -> Visible:
    """What the reader may see. One query, and one for each layer where they are blind on any of the texts."""
    blind: set[Place] = set()
    if blind_units(access.user, access.project, units):
        for layer in layers:
            blind |= {(unit, layer.pk) for unit in blind_units(access.user, access.project, units, layer)}
    written = own_units(access.user, units) if access.may(Permission.ADJUDICATE) else set()
    return Visible(access, frozenset(blind), frozenset(written))


def answers_on(units: Sequence[Unit], sight: Visible, layers: Sequence[Layer]) -> Mapping[int, Sequence[LayerOn]]:
    """By unit, what its layers say, in their order; layers that say nothing are left out. Four queries."""
    ids = [unit.pk for unit in units]
    golds = [
        row
        for row in Gold.objects.filter(unit__in=ids).select_related("decided_by", "imported").order_by("pk")
        if sight.gold(row.unit_id, row.layer_id)
    ]
    answers = _without_returned(
        [
            row
            for row in _annotations(ids)
            if row.user_id == sight.access.user.pk or sight.answers(row.unit_id, row.layer_id)
        ],
        order := {layer.pk: layer for layer in layers},
    )
    suggestions = _suggestions(ids, sight, golds, answers)
    texts = {unit.pk: unit for unit in units}
    readings: defaultdict[Place, dict[object, Reading]] = defaultdict(dict)
    for name, rows in (("golds", golds), ("answers", answers), ("suggestions", suggestions)):
        for row in rows:
            layer = order[row.layer_id]
            key = content_type(layer.content_type).key(row.content)
            said = readings[row.unit_id, row.layer_id]
            if key not in said:
                said[key] = Reading(shown_content(layer, texts[row.unit_id], row.content))
            getattr(said[key], name).append(row)
    found: defaultdict[int, list[LayerOn]] = defaultdict(list)
    for layer in layers:
        for unit in ids:
            if here := readings.get((unit, layer.pk)):
                ordered = sorted(here.values(), key=lambda one: (not one.golds, -len(one.answers)))
                found[unit].append(LayerOn(layer, ordered))
    return found


def _annotations(units: Collection[int]) -> Iterable[Annotation]:
    rows = Annotation.objects.filter(PUBLISHED, unit__in=units).select_related("user", "stage__layer")
    return rows.order_by("pk").defer("suggested", "shown")


def _without_returned(answers: Sequence[Annotation], layers: Mapping[int, Layer]) -> list[Annotation]:
    """Without the open answers that say nothing, of people who have the item no longer. One query at most."""
    silent = [row for row in answers if _says_nothing(row, layers[row.layer_id])]
    if not silent:
        return list(answers)
    held = Assignment.objects.filter(unit__in={row.unit_id for row in silent}).exclude(state=AssignmentState.RETURNED)
    places = set(held.values_list("unit_id", "stage__layer_id", "user_id"))
    gone = {row.pk for row in silent if (row.unit_id, row.layer_id, row.user_id) not in places}
    return [row for row in answers if row.pk not in gone]


def _says_nothing(row: Annotation, layer: Layer) -> bool:
    """Whether nothing is in an open answer, or all that was saved of it was undone: then it is as it began."""
    if row.state != AnnotationState.OPEN or row.imported_id is not None or row.doubt or row.comment:
        return False
    kind = content_type(layer.content_type)
    return row.undo_event is None or kind.key(row.content) == kind.key(kind.empty())


def _suggestions(
    units: Collection[int], sight: Visible, golds: Iterable[Gold], answers: Iterable[Annotation]
) -> list[Suggestion]:
    rows = Suggestion.objects.filter(PUBLISHED, unit__in=units, is_current=True)
    rows = rows.select_related("job", "alignment").defer("probabilities", "job__params", "job__result")
    own = {(row.unit_id, row.layer_id) for row in answers if row.user == sight.access.user and row.mode == Mode.REVIEW}
    told = own | {(row.unit_id, row.layer_id) for row in golds}
    decides = sight.access.may(Permission.ADJUDICATE)
    return [
        row
        for row in rows.order_by("kind", "source_language", "pk")
        if sight.gold(row.unit_id, row.layer_id) and (decides or (row.unit_id, row.layer_id) in told)
    ]
