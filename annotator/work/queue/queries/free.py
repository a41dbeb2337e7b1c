"""What a person can claim in a stage, and answer of what they have. A claim takes from it, the dashboard counts it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.core.kind import kind_of, source_layer
from annotator.core.prepared import PreparedRows
from annotator.core.unit_kinds import markings
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.models import Assignment, BlindMark, Import, Item, Layer, Segment, Stage, Unit, User
from annotator.work.answering.queries.contexts import of_waiting_pair, waiting_pairs
from annotator.work.answering.queries.own import anybodys, own_units
from annotator.work.blind.queries.blind import blind_units

# Up to so many items that may be hidden from a person are looked at one by one.
LOOKED_AT = 200
ORDERS = {
    Stage.Order.READING: ("reading", "pk"),
    Stage.Order.UNCERTAIN: ("uncertainty", "reading", "pk"),
    Stage.Order.LABELLED: ("unlabelled", "reading", "pk"),
}
NARROWED = {
    "doubtful": Q(doubtful=True),
    "commented": Q(commented=True),
    "suggested": Q(suggested=True),
    "unsuggested": Q(suggested=False),
}


def free_items(stage: Stage, user: User, only: str = "") -> QuerySet[Item]:
    """Items of the stage with an answer to claim that the user has no part in yet, in the stage's order."""
    rows = free_rows(stage.order, stage=stage.pk, project=stage.project_id, user=user.pk)
    return rows.filter(NARROWED[only]) if only else rows


def free_rows(order: str, *, stage: int, project: int, user: int) -> QuerySet[Item]:
    """The same by ids: for statements that are made once."""
    own = Assignment.objects.filter(item=OuterRef("pk"), user=user).exclude(state=AssignmentState.RETURNED)
    hidden = Import.objects.filter(project=project, published_at__isnull=True)
    return Item.objects.filter(
        Q(imported__isnull=True) | ~Q(imported__in=hidden), ~Exists(own), stage=stage, state=ItemState.FREE
    ).order_by(*ORDERS[Stage.Order(order)])


def answerable(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Those of the assignments that are open and can be answered (as `check_is_there` and `check_undecided` of
    `work/answering/actions/policies.py` ask of one)."""
    rows = rows.filter(state=AssignmentState.OPEN, unit__is_current=True)
    return rows.exclude(item__state__in=[ItemState.DECIDED, ItemState.VOID])


def at_hand(rows: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Those of the assignments that can be answered now: pairs come once the blind work on their sentences is done."""
    return answerable(rows).filter(~of_waiting_pair())


def hidden_units(stage: Stage, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units that the person cannot answer in the stage: their own texts, those that they answer in
    another stage of the layer, and what would tell them of a layer in which they are blind."""
    elsewhere = answered_elsewhere(stage, user, units)
    if stage.mode == Mode.BLIND:
        return elsewhere | barred_units(stage, user, units)
    return elsewhere | _own(user, units) | _telling(stage, user, units)


def _telling(stage: Stage, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units that would show somebody who is blind what others answered there, in a stage that is not
    blind: all that they are blind on where the stage shows suggestions, or where the unit is a text that somebody
    wrote. Other units tell of the layers from which the stage is made, and of none else. One query; one more where they
    are blind on any."""
    hidden = blind_units(user, stage.project_id, units, stage.layer)
    if not hidden or kind_of(stage).suggestions or stage.layer.unit_kind not in anybodys():
        return hidden
    return blind_units(user, stage.project_id, units, stage.layer, within=_layers_before(stage))


def _layers_before(stage: Stage) -> set[int]:
    """The layers (ids) from whose answers the units of a stage are made, and those from which these are made."""
    found = set[int]()
    if labels := source_layer(stage):
        found.add(labels.pk)
    stages = {row.pk: row for row in Stage.objects.filter(project=stage.project_id)}
    at = stage
    while at.made_from_id is not None:
        at = stages[at.made_from_id]
        found.add(at.layer_id)
    return found


def barred_units(stage: Stage, user: User, units: Sequence[Unit]) -> set[int]:
    """Those of the units that the person cannot answer in the stage even blind: their own texts, what shows the labels
    of a sentence that they are labelling blind, and pairs with a sentence that they are to see apart from the other."""
    apart = waiting_pairs(user, stage.project_id, units)
    return _own(user, units) | _labelled_now(stage, user, units) | apart


def _own(user: User, units: Sequence[Unit]) -> set[int]:
    # Anyone who fixed a sentence may answer it, but it is not handed to them. What somebody marked is.
    marked = markings()
    by_them = {unit.pk for unit in units if unit.author_id == user.pk and unit.kind not in marked}
    return by_them | own_units(user, units)


def _labelled_now(stage: Stage, user: User, units: Iterable[Unit]) -> set[int]:
    """Those of the units that show the labels of a sentence which the person is labelling blind. One query, where the
    stage is made from labels and shows them."""
    before = stage.made_from
    if before is None or before.layer.content_type != Layer.SPANS or stage.layer.unit_kind not in markings():
        return set()
    rows = list(units)
    marks = BlindMark.objects.filter(
        user=user,
        layer=before.layer_id,
        live=True,
        assignment__state=AssignmentState.OPEN,
        segment__in={segment for unit in rows for segment in unit.touches},
    )
    segments = set(marks.values_list("segment_id", flat=True))
    return {unit.pk for unit in rows if not segments.isdisjoint(unit.touches)}


@dataclass(frozen=True, slots=True)
class HiddenCounts:
    """What is free in a stage and not given to somebody: whether any of it is `own`, what they wrote themselves; how
    much is `elsewhere`, what they answer in another stage of the layer, and `blind`, what else would tell them of a
    layer in which they are blind. `later`: pairs, theirs or free, that come once their blind work on the sentences is
    done."""

    own: bool = False
    blind: int = 0
    elsewhere: int = 0
    later: int = 0


def hidden_counts(stage: Stage, user: User) -> HiddenCounts:
    """Why the person is not given what is left in the stage. The first LOOKED_AT free items in order are looked at."""
    units = [item.unit for item in free_items(stage, user).select_related("unit")[:LOOKED_AT]]
    apart = set[int]()
    later = 0
    if stage.layer.unit_kind == Segment.PAIR:
        if stage.mode == Mode.BLIND:
            apart = waiting_pairs(user, stage.project_id, units)
        theirs = answerable(Assignment.objects.filter(stage=stage, user=user)).filter(of_waiting_pair())
        later = theirs.count() + len(apart)
    if not units:
        return HiddenCounts(later=later)
    own, elsewhere = own_units(user, units), answered_elsewhere(stage, user, units)
    hidden = _labelled_now(stage, user, units) if stage.mode == Mode.BLIND else _telling(stage, user, units)
    return HiddenCounts(bool(own), len(hidden - own - elsewhere - apart), len(elsewhere - own), later)


def answered_elsewhere(stage: Stage, user: User, units: Iterable[Unit]) -> set[int]:
    """Those of the units that the person has in another stage of the layer: a layer has one answer of theirs."""
    ids = [unit.pk for unit in units]
    if not ids:
        return set()
    rows = _ELSEWHERE.rows(units=ids, user=user.pk, layer=stage.layer_id, stage=stage.pk)
    return {unit for (unit,) in rows}


_ELSEWHERE = PreparedRows(
    lambda units, user, layer, stage: (
        Assignment.objects.filter(unit__in=units, user=user, stage__layer=layer)
        .exclude(stage=stage)
        .exclude(state=AssignmentState.RETURNED)
        .values_list("unit_id")
    ),
    units=list,
    user=int,
    layer=int,
    stage=int,
)
