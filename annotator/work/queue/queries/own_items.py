"""A person's own items of a stage, and what a list shows of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotator.core.kind import own_texts
from annotator.domain.states import AssignmentState
from annotator.models import Annotation, Assignment, Segment, Stage, Unit, User
from annotator.work.answering.queries.contexts import untold_pairs
from annotator.work.blind.queries.blind import shown_uids
from annotator.work.queue.queries.progress import held_in_advance


def own_items(stage: Stage, user: User, *, state: str = "", doubt: bool = False) -> QuerySet[Assignment]:
    """The user's assignments of the stage on texts that still stand, in reading order, but what a page merely holds in
    advance.

    `state`: only the open or the done ones. `own_rows` adds what a list shows of them.
    """
    states = (AssignmentState.OPEN, AssignmentState.DONE)
    # Without the texts: thousands of rows are put in order, and a page shows a few.
    rows = Assignment.objects.filter(
        stage=stage, user=user, state__in=[state] if state in states else states, unit__is_current=True
    )
    rows = rows.exclude(held_in_advance()).order_by("reading", "pk")
    return rows.filter(doubtful=True) if doubt else rows


def has_open(stage: Stage, user: User, mode: str) -> int:
    """How many items of the stage somebody has open, but what a page merely holds in advance."""
    rows = Assignment.objects.filter(stage=stage, user=user, mode=mode, state=AssignmentState.OPEN)
    return rows.exclude(held_in_advance()).count()


@dataclass(frozen=True)
class OwnItem:
    """An assignment in the list of own items: how its unit is named, its id, or the name that stands for it, and the
    user's own answer, if there is one. `inference`: the label of a pair, where the user may see it."""

    assignment: Assignment
    text: str
    uid: str
    annotation: Annotation | None
    inference: str = ""

    @property
    def value(self) -> str:
        """What was chosen, in layers where one of several values is; else ""."""
        return (self.annotation.content.get("value") or "") if self.annotation else ""


def own_rows(stage: Stage, user: User, assignments: Iterable[Assignment]) -> list[OwnItem]:
    """What a page shows of assignments that `own_items` found, with their units, segments and pairs."""
    page = list(assignments)
    units = Unit.objects.select_related("segment__pair").in_bulk([row.unit_id for row in page])
    for row in page:
        row.unit = units[row.unit_id]
    own = {row.unit_id: row for row in Annotation.objects.filter(unit__in=units, layer=stage.layer_id, user=user)}
    texts = own_texts(stage, list(units.values()), user)
    uids = shown_uids(user, stage.project, units.values())
    pairs = [unit.segment.pair for unit in units.values() if unit.kind == Segment.PAIR]
    untold = untold_pairs(user, stage.project, pairs)
    labels = {pair.segment_id: "" if pair.pk in untold else pair.inference for pair in pairs}
    return [
        OwnItem(row, texts[row.unit_id], uids[row.unit_id], own.get(row.unit_id), labels.get(row.unit.segment_id, ""))
        for row in page
    ]
