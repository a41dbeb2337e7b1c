"""Units that leave all stages, and that come back with what people had said of them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotator.core.counters import count_items, count_people
from annotator.core.kind import kind_of, on_change
from annotator.core.unit_kinds import bound_kinds, restored_kinds
from annotator.domain.states import ItemState, item_state
from annotator.models import BlindMark, Gold, Item, LemmaPlace, Stage, Unit, User
from annotator.work.gold.actions.adjudication import count_gold, refresh_adjudication
from annotator.work.lexicon.actions.lemmas import index_places
from annotator.work.queue.actions.items import BATCH, retire
from annotator.work.queue.actions.order import refresh_order


def withdraw(units: Collection[Unit], by: User | None) -> None:
    """Take units out of all stages; what was said of them stays on record. `restore` undoes it."""
    if units:
        Unit.objects.filter(pk__in=[unit.pk for unit in units]).update(is_current=False)
        LemmaPlace.objects.filter(unit__in=units).delete()
        items = Item.objects.filter(unit__in=units)
        count_gold(units, sign=-1)
        items.filter(stage__kind=Stage.ADJUDICATE).update(state=ItemState.VOID)
        retire(items.exclude(stage__kind=Stage.ADJUDICATE), user=by)


def with_bound(units: Collection[Unit]) -> list[Unit]:
    """These units, and the current ones that are nothing without them (`UnitKind.bound`). One
    query."""
    return [*units, *Unit.objects.filter(parents__in=units, is_current=True, kind__in=bound_kinds()).distinct()]


def whole_again(parts: Collection[Unit]) -> list[Unit]:
    """The withdrawn units that are made of several, these among them, and of which all parts are there as they were.
    One query at most."""
    if not parts or not restored_kinds():
        return []
    other = Unit.parents.through.objects.filter(from_unit=OuterRef("pk"))
    # One that is older than one of its parts has gone on to a newer revision.
    changed = other.filter(Q(to_unit__is_current=False) | Q(to_unit__gt=OuterRef("pk")))
    whole = withdrawn_from(parts).filter(~Exists(changed), kind__in=restored_kinds())
    return list(Unit.objects.filter(pk__in=whole.values("pk")).select_related("segment"))


def withdrawn_from(parents: Collection[Unit]) -> QuerySet[Unit]:
    """The units that were made from these as they read, and withdrawn.

    One that is older than what it belongs to was made from an earlier wording of that. Where it was reworded, its
    answers continued to the next revision, so it must not come back.
    """
    rows = Unit.objects.filter(parents__in=parents, is_current=False, pk__gt=F("parents"))
    # What was set aside with a sentence comes back with it.
    return rows.filter(set_aside_with=None)


def restore(units: Collection[Unit], by: User | None, *, changing: Item | None = None) -> None:
    """Undo `withdraw`: the units are in their stages again, with everybody's answers, open and done, and with gold.

    `changing`: an item of theirs an answer to which is being changed. What follows from its answers is done after that.
    """
    if not units:
        return
    Unit.objects.filter(pk__in=[unit.pk for unit in units]).update(is_current=True)
    for unit in units:
        unit.is_current = True
    index_places(units)
    decided = set(Gold.objects.filter(unit__in=units).values_list("unit_id", "layer_id"))
    rows = Item.objects.filter(unit__in=units, state=ItemState.VOID)
    rows = rows.select_related("stage__layer", "stage__project", "unit__segment")
    items = list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    for item in items:
        if (item.unit_id, item.stage.layer_id) in decided:
            item.state = ItemState.DECIDED
        elif not item.stage.adjudicates:
            item.state = item_state(
                wanted=item.answers_wanted, open_=item.answers_open, done=item.answers_done, decided=False
            )
    Item.objects.bulk_update(items, ["state"], batch_size=BATCH)
    answering = [item for item in items if not item.stage.adjudicates]
    count_items(answering, user=by)
    count_people(answering)
    count_gold(units)
    marks = BlindMark.objects.filter(assignment__item__in=[row for row in answering if row.state != ItemState.DECIDED])
    marks.update(live=True)
    for item in answering:
        if (item.answers_done or item.extra_done) and item != changing:
            _follow(item, by)


def _follow(item: Item, by: User | None) -> None:
    """What hangs on the answers to an item that came back: whether it waits for a decision, whether anybody is still
    blind there."""
    stage = item.stage
    refresh_order(stage.project, [item.unit], kind=kind_of(stage))
    refresh_adjudication(project=stage.project, unit=item.unit, layer=stage.layer)
    if kind_of(stage).outcome is not None:
        on_change(stage, item.unit, by)
