"""The history of a sentence: events of people and machines in one list, newest first.

As far as a reader may see it (`answers_on.Visible`): what others answered, and what they are at, is left out with its
answers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F

from annotator.core.permissions import Permission
from annotator.domain.verbs import Verb
from annotator.models import Alignment, Annotation, Assignment, Event, Import, Layer, Segment, Stage, Suggestion, Unit
from annotator.models.corpus_import import PUBLISHED
from annotator.search.queries.answers_on import Visible

# Of each sort, and of all: a text that was saved a thousand times is told by its newest saves.
MAX_SHOWN = 100
_UNITS = ("unit", "sentence")
# What a person answered, by what the event is about.
_ANSWERED = ("annotation", "assignment")


@dataclass(frozen=True, slots=True)
class Happening:
    """An entry of the history. `act`: a verb of the log, "imported", "aligned", or a kind of suggestion.

    `unit`: the text that it happened to; `name`: the machine, dataset or language that it came from. `times`: how often
    in a row; `state`: of an answer that was saved; `whose`: whose item or answer it is, where somebody else did it.
    """

    at: datetime
    act: str
    by: str = ""
    whose: str = ""
    unit: Unit | None = None
    stage: Stage | None = None
    layer: Layer | None = None
    name: str = ""
    source_language: str = ""
    job: int | None = None
    state: str = ""
    times: int = 1
    restored: bool = False

    @property
    def same(self) -> tuple[object, ...]:
        """What is equal in two that read alike, and are told as one."""
        stage, layer = (one and one.pk for one in (self.stage, self.layer))
        place = (self.unit and self.unit.language, stage, layer, self.name, self.source_language, self.job)
        return self.act, self.by, self.whose, place, self.state, self.restored


def history(
    segment: Segment, units: Sequence[Unit], sight: Visible, layers: Sequence[Layer], pairs: Collection[int] = ()
) -> tuple[Sequence[Happening], bool]:
    """What happened to these texts of a sentence, to its pairs (ids), and to what was made of it; and whether there is
    more. Some ten statements, by index, whatever the project holds."""
    texts = {unit.pk: unit for unit in units}
    by_layer = {layer.pk: layer for layer in layers}
    sources = [
        list(one)
        for one in (
            _of_texts(segment, texts, sight, by_layer),
            _labelled(pairs),
            _of_answers(texts, sight),
            _suggested(texts, sight, by_layer),
            _aligned(texts),
            _imported(units),
        )
    ]
    found = [one for source in sources for one in source]
    found.sort(key=lambda one: one.at, reverse=True)
    merged: list[Happening] = []
    for one in found:
        if merged and merged[-1].same == one.same:
            merged[-1] = replace(merged[-1], times=merged[-1].times + one.times)
        else:
            merged.append(one)
    is_cut = any(len(source) > MAX_SHOWN for source in sources)
    return merged[:MAX_SHOWN], is_cut or len(merged) > MAX_SHOWN


def _events(types: Sequence[str], subjects: Collection[int]) -> Iterable[Event]:
    if not subjects:
        return []
    rows = Event.objects.filter(subject_type__in=types, subject_id__in=subjects).select_related("actor")
    # Not by the key alone: PostgreSQL would walk back through the whole log by it.
    return rows.order_by((F("pk") + 0).desc())[: MAX_SHOWN + 1]


def _of_texts(
    segment: Segment, units: Mapping[int, Unit], sight: Visible, layers: Mapping[int, Layer]
) -> Iterable[Happening]:
    """Texts that were edited, set aside, restored; gold that was decided, accepted, reopened."""
    for event in _events(("segment",), [segment.pk]):
        yield _told(event, by=event.actor)
    for event in _events(_UNITS, units):
        unit = units[event.subject_id]
        if event.verb.startswith("gold."):
            decided = event.after if event.after and "layer" in event.after else event.before
            layer = layers.get((decided or {}).get("layer", 0))
            if layer is None or not sight.gold(unit.pk, layer.pk):
                continue
            yield _told(event, by=event.actor, unit=unit, layer=layer)
        else:
            yield _told(event, by=event.actor, unit=unit)


def _may_know_of_repeat(sight: Visible, row: Annotation | Assignment) -> bool:
    return sight.access.may(Permission.MANAGE) and row.user_id != sight.access.user.pk


def _labelled(pairs: Collection[int]) -> Iterable[Happening]:
    """Inference labels that pairs were given."""
    for event in _events(("pair",), pairs):
        yield _told(event, by=event.actor)


def _of_answers(units: Mapping[int, Unit], sight: Visible) -> Iterable[Happening]:
    """Items that were claimed, assigned, returned; answers that were saved, undone, sent back."""
    rows: dict[tuple[str, int], Annotation | Assignment] = {}
    of_units = {"unit__in": units}
    answers = Annotation.objects.filter(PUBLISHED, **of_units).select_related("user", "layer", "stage__layer")
    assignments = Assignment.objects.filter(**of_units).select_related("user", "stage__layer")
    rows |= {("annotation", row.pk): row for row in answers.only("unit", "user", "layer", "stage")}
    rows |= {("assignment", row.pk): row for row in assignments.only("unit", "user", "stage")}
    for name in _ANSWERED:
        for event in _events((name,), [pk for kind, pk in rows if kind == name]):
            row = rows[name, event.subject_id]
            # Nobody is told which of their items come again.
            if event.verb == Verb.ITEM_GIVEN_AGAIN and not _may_know_of_repeat(sight, row):
                continue
            layer = row.layer if isinstance(row, Annotation) else row.stage.layer
            if row.user_id != sight.access.user.pk and not sight.answers(row.unit_id, layer.pk):
                continue
            state = (event.after or {}).get("state", "") if event.verb == Verb.ANNOTATION_SAVED else ""
            whose = "" if row.user_id == event.actor_id else str(row.user)
            yield _told(
                event, by=event.actor, whose=whose, unit=units[row.unit_id], stage=row.stage, layer=layer, state=state
            )


def _told(event: Event, *, by: Any, **more: Any) -> Happening:
    return Happening(event.at, event.verb, str(by or ""), restored=event.restored_at is not None, **more)


def _suggested(units: Mapping[int, Unit], sight: Visible, layers: Mapping[int, Layer]) -> Iterable[Happening]:
    """What machines and other languages suggested, earlier runs too. Before annotators only where gold is decided or
    they reviewed it themselves, as `answers_on` has it: so these are for adjudicators."""
    if not sight.access.may(Permission.ADJUDICATE):
        return
    rows = Suggestion.objects.filter(PUBLISHED, unit__in=units).order_by("-pk")
    fields = ("unit", "layer", "kind", "source_language", "name", "revision", "job", "created_at")
    for row in rows.only(*fields)[: MAX_SHOWN + 1]:
        if sight.gold(row.unit_id, row.layer_id):
            yield Happening(
                row.created_at,
                row.kind,
                unit=units[row.unit_id],
                layer=layers.get(row.layer_id),
                name=row.name,
                source_language=row.source_language,
                job=row.job_id,
            )


def _aligned(units: Mapping[int, Unit]) -> Iterable[Happening]:
    rows = Alignment.objects.filter(source__in=units, target__in=units).select_related("source").defer("links")
    for row in rows.order_by("-pk")[: MAX_SHOWN + 1]:
        yield Happening(
            row.created_at,
            "aligned",
            unit=units[row.target_id],
            name=row.aligner,
            source_language=row.source.language,
            job=row.job_id,
        )


def _imported(units: Sequence[Unit]) -> Iterable[Happening]:
    found: dict[int, Import] = {unit.imported.pk: unit.imported for unit in units if unit.imported is not None}
    for row in found.values():
        yield Happening(row.created_at, "imported", str(row.created_by or ""), name=row.dataset)
