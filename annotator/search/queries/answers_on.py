"""What is said of some texts: gold, people's answers, suggestions. As far as one reader may see it.

- Whoever is blind on a text sees their own answer in that layer, and nothing else of it (`work/blind`).
- Others' answers are for adjudicators, as in adjudication: not on texts that they wrote themselves.
- Before anyone else, suggestions stay away until gold is decided, or the person has reviewed them: they may be given
  the text next, blind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.domain.content import content_type
from annotator.domain.states import Mode
from annotator.models import Annotation, Gold, Layer, Suggestion, Unit
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
    """By unit, what its layers say, in their order; layers that say nothing are left out. Three queries."""
    ids = [unit.pk for unit in units]
    golds = [
        row
        for row in Gold.objects.filter(unit__in=ids).select_related("decided_by", "imported").order_by("pk")
        if sight.gold(row.unit_id, row.layer_id)
    ]
    answers = [
        row
        for row in _annotations(ids)
        if row.user_id == sight.access.user.pk or sight.answers(row.unit_id, row.layer_id)
    ]
    suggestions = _suggestions(ids, sight, golds, answers)
    texts = {unit.pk: unit for unit in units}
    order = {layer.pk: layer for layer in layers}
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
