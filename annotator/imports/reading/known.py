"""What a project has of a few records: looked up for each batch, however large the project is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from annotator.formats.common.records import Says
from annotator.imports.reading.staging import IncomingAnswer
from annotator.models import Annotation, Gold, Layer, Pair, Project, Segment, Suggestion, SuggestionKind, Unit

Key = tuple[str, str]
"""Language and uid."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A segment that the project has: its id, its place in reading order, the group that it is read in."""

    pk: int
    position: int
    group: str = ""
    dataset: str = ""
    # Somebody set it aside: nothing is added to it.
    is_aside: bool = False


@dataclass(frozen=True, slots=True)
class Revisions:
    """What the project has of a text: all revisions, and which of them is current."""

    current: int
    texts: Mapping[tuple[str, ...], int]


@dataclass
class Known:
    """What is there of a batch. While it is written, all of it grows by what was added."""

    slots: dict[str, Slot] = field(default_factory=dict)
    texts: dict[Key, Revisions] = field(default_factory=dict)
    # Pairs by uid; their units by language and uid.
    pairs: dict[str, Pair] = field(default_factory=dict)
    pair_units: dict[Key, int] = field(default_factory=dict)


def known(project: Project, uids: Collection[str], *, pairs: Collection[str] = ()) -> Known:
    """What the project has of these sentences, and of these pairs (by uid): what is published, and what the import
    that is under way wrote before."""
    found = Known()
    wanted = {*uids, *pairs}
    if not wanted:
        return found
    rows = project.slots.filter(uid__in=wanted).values_list(
        "uid", "pk", "position", "group", "dataset", "set_aside_reason"
    )
    for uid, pk, position, group, dataset, reason in rows:
        found.slots[uid] = Slot(pk, position, group, dataset, is_aside=bool(reason))
    if not found.slots:
        return found
    by_pk = {slot.pk: uid for uid, slot in found.slots.items()}
    _add_texts(found, Unit.objects.filter(segment__in=by_pk), by_pk)
    if pairs:
        for pair in Pair.objects.filter(segment__in=by_pk):
            found.pairs[by_pk[pair.segment_id]] = pair
    return found


def _add_texts(found: Known, units: QuerySet[Unit], by_pk: Mapping[int, str]) -> None:
    texts: dict[Key, dict[tuple[str, ...], int]] = {}
    current: dict[Key, int] = {}
    # The current revision last, so that it wins when a text came back.
    rows = units.order_by("is_current", "pk").values_list(
        "segment_id", "language", "kind", "tokens", "pk", "is_current", "set_aside_with"
    )
    for segment, language, kind, tokens, pk, is_current, aside in rows:
        key = (language, by_pk[segment])
        if kind == Segment.PAIR:
            if is_current or aside is not None:
                found.pair_units[key] = pk
            continue
        texts.setdefault(key, {})[tuple(tokens)] = pk
        if is_current:
            current[key] = pk
    for key, revisions in texts.items():
        if key in current:
            found.texts[key] = Revisions(current[key], revisions)


@dataclass(frozen=True, slots=True)
class Carried:
    """What units carry in a layer: their gold, who answered, which models (name, revision) predicted."""

    gold: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    people: Collection[tuple[int, int]] = ()
    models: Collection[tuple[int, str, str]] = ()

    def has(self, unit: int, answer: IncomingAnswer) -> bool:
        """Whether the unit has an answer of the same source, which stays."""
        if answer.says == Says.GOLD:
            return unit in self.gold
        if answer.says == Says.PERSON:
            return (unit, answer.user) in self.people
        return (unit, answer.name, answer.revision) in self.models


def carried(layer: Layer, units: Collection[int]) -> Carried:
    """What the units carry in the layer."""
    if not units:
        return Carried()
    predictions = Suggestion.objects.filter(layer=layer, unit__in=list(units), kind=SuggestionKind.PREDICTION)
    models = set(predictions.values_list("unit_id", "name", "revision"))
    return Carried(decided(layer, units), answered(layer, units), models)


def decided(layer: Layer, units: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The gold of those of the units that have some."""
    rows = Gold.objects.filter(layer=layer, unit__in=list(units))
    return dict(rows.values_list("unit_id", "content"))


def answered(layer: Layer, units: Iterable[int]) -> set[tuple[int, int]]:
    """Unit and person, where there is an annotation."""
    rows = Annotation.objects.filter(layer=layer, unit__in=list(units))
    return set(rows.values_list("unit_id", "user_id"))
