"""The words behind a cell of the confusion table of two people, each in its sentence, and what is left to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotator.core.access import Access
from annotator.domain.text.tokens import offsets
from annotator.models import Gold, Stage, Unit
from annotator.reports.queries.agreement import Question, shared_work
from annotator.reports.queries.agreement_places import Cell, Place, places_of, places_of_run
from annotator.reports.queries.agreement_runs import is_small, newest_run
from annotator.reports.queries.stored_agreement import agreement_of_run
from annotator.search.queries.find import seen_by
from annotator.work.blind.queries.blind import shown_uids
from annotator.work.gold.queries.adjudication import hidden_units, waiting_ids


@dataclass(frozen=True, slots=True)
class CellPlaces:
    """The places of a cell: all `count` of them, or the first ones that were stored `at` that time."""

    places: Sequence[Place]
    count: int
    at: datetime | None = None

    @property
    def by_unit(self) -> list[tuple[int, list[int]]]:
        """The tokens of each unit (id), in order."""
        found: dict[int, list[int]] = {}
        for unit, token in self.places:
            found.setdefault(unit, []).append(token)
        return list(found.items())


@dataclass(frozen=True, slots=True)
class CellSentence:
    """A unit with its words of the cell: its text in `pieces`, each of which is one of them or stands between two.
    `words`: they alone; none where the whole unit is meant."""

    unit: Unit
    uid: str
    words: Sequence[str]
    pieces: Sequence[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class ToDecide:
    """The units of a cell in adjudication. `stage`: None if the project has no such stage; `items`: those
    that wait for the user, as many as a queue can be filtered to; `decided`: units that have gold; `works`: whether the
    user is given work in the language."""

    stage: Stage | None
    items: Sequence[int] = ()
    decided: int = 0
    works: bool = True

    @property
    def only(self) -> str:
        """The items as the address of the queue has them."""
        return ",".join(map(str, self.items))


def cell_places(asked: Question, group: str, cell: Cell) -> CellPlaces | None:
    """The places of a cell in a group of rows: of few items as they are now, of many as they were stored last; None
    where none were stored. Reads no more than the page of the two people does."""
    if is_small(asked):
        places = places_of(asked, shared_work(asked), groups=[group]).get(group, {}).get(cell, ())
        return CellPlaces(places, len(places))
    run = newest_run(asked)
    found = places_of_run(run) if run else None
    if run is None or found is None:
        return None
    row = next((row for row in agreement_of_run(run, asked.layer).rows if row.group == group), None)
    count = row.kappa.cells.get(cell, 0) if row else 0
    return CellPlaces(found.get(group, {}).get(cell, ()), count, run.computed_at)


def cell_sentences(access: Access, wanted: Sequence[tuple[int, Sequence[int]]]) -> list[CellSentence]:
    """These units with their words, without those that are gone, and those on which the reader is blind or which they
    wrote: there the cell would tell what others answered."""
    rows = Unit.objects.published().filter(project=access.project, pk__in=[unit for unit, _tokens in wanted])
    units = seen_by(access.user, access.project, rows.select_related("segment"))
    hidden = hidden_units(access.project, access.user, units)
    shown = {unit.pk: unit for unit in units if unit.pk not in hidden}
    uids = shown_uids(access.user, access.project, shown.values())
    return [_sentence(shown[pk], uids[pk], tokens) for pk, tokens in wanted if pk in shown]


def _sentence(unit: Unit, uid: str, tokens: Sequence[int]) -> CellSentence:
    text, places = unit.text, offsets(unit.tokens, unit.spaces)
    pieces: list[tuple[str, bool]] = []
    at = 0
    # A text that was tokenised again since has fewer of them.
    for begin, end in (places[token] for token in tokens if 0 <= token < len(places)):
        pieces += [(text[at:begin], False), (text[begin:end], True)]
        at = end
    words = [piece for piece, is_word in pieces if is_word]
    return CellSentence(unit, uid, words, [piece for piece in [*pieces, (text[at:], False)] if piece[0]])


def to_decide(access: Access, asked: Question, units: Sequence[int]) -> ToDecide:
    """The state of these units in adjudication."""
    stages = access.project.stages.filter(kind=Stage.ADJUDICATE, layer=asked.found, language=asked.language)
    stage = stages.select_related("layer", "project").first() if asked.found else None
    if stage is None:
        return ToDecide(None)
    decided = Gold.objects.filter(unit__in=units, layer=stage.layer_id).count()
    if not access.works_in(stage.language):
        return ToDecide(stage, decided=decided, works=False)
    return ToDecide(stage, waiting_ids(stage, access.user, Q(unit__in=units)), decided)
