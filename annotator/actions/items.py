"""Items: units entering and leaving stages, and the counts that follow what people do.

Whoever changes an item holds its row (`select_for_update`), so the counts follow from what stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotator.actions.counters import add_to_counter, count_items, difference, weight
from annotator.domain.states import ITEM_STATES, ItemState, item_state, may_become
from annotator.kind import Holds, kind_of
from annotator.models import Gold, Import, Item, Project, Stage, Suggestion, SuggestionKind, Unit, User

BATCH = 500


def change_item(
    item: Item,
    *,
    user: User | int | None,
    answers_open: int = 0,
    answers_done: int = 0,
    extra_open: int = 0,
    extra_done: int = 0,
    own: dict[str, int] | None = None,
    decided: bool | None = None,
    **flags: bool,
) -> None:
    """Add to the counts of a locked item, settle its state, and count for `user`: two statements.

    `own` are changes of the person's own numbers; `decided` says whether gold is decided now (None: as before).
    """
    before = weight(item)
    state = ItemState(item.state)
    item.answers_open += answers_open
    item.answers_done += answers_done
    item.extra_open += extra_open
    item.extra_done += extra_done
    for name, value in flags.items():
        setattr(item, name, value)
    if state != ItemState.VOID:
        is_decided = state == ItemState.DECIDED if decided is None else decided
        item.state = item_state(
            wanted=item.answers_wanted, open_=item.answers_open, done=item.answers_done, decided=is_decided
        )
        if not may_become(ITEM_STATES, state, ItemState(item.state)):
            raise ValueError(f"An item that is {state} cannot become {item.state}.")
    item.save(
        update_fields=["answers_open", "answers_done", "extra_open", "extra_done", "state", *flags], force_update=True
    )
    add_to_counter(item.stage_id, user, project=item.project_id, **difference(before, weight(item)), **(own or {}))


def enter_stages(project: Project, units: Sequence[Unit], *, imported: Import | None = None) -> dict[int, int]:
    """Make the items of new units in every stage that holds them. Returns how many, by stage.

    Those of an import that is not published yet are counted when it is (`count_import`). Units come with their segment.
    """
    made: dict[int, int] = {}
    decided = set(Gold.all_rows.filter(unit__in=units, reopened=False).values_list("unit_id", "layer_id"))
    for stage in project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer"):
        kind = kind_of(stage)
        if kind.holds(stage) in (Holds.MADE, Holds.PROJECTED):
            continue
        fitting = [unit for unit in units if unit.kind == kind.unit_kind and unit.language == stage.language]
        items = enter(stage, fitting, imported=imported, decided=decided)
        if items:
            made[stage.pk] = len(items)
    return made


def enter(
    stage: Stage,
    units: Iterable[Unit],
    *,
    imported: Import | None = None,
    decided: Collection[tuple[int, int]] = (),
    user: User | None = None,
) -> list[Item]:
    """Make the items of units in one stage; `decided` are (unit, layer) with gold. Counted for `user`, or in bulk."""
    items = [
        Item(
            project_id=stage.project_id,
            stage=stage,
            unit=unit,
            imported=imported,
            answers_wanted=stage.answers_wanted,
            reading=unit.segment.position,
            state=ItemState.DECIDED if (unit.pk, stage.layer_id) in decided else ItemState.FREE,
        )
        for unit in units
    ]
    Item.objects.bulk_create(items, batch_size=BATCH)
    if imported is None:
        count_items(items, user=user)
    return items


def void(items: QuerySet[Item], *, user: User | None) -> None:
    """Take items out of their stages for good: their text was replaced."""
    rows = list(items.exclude(state=ItemState.VOID).select_for_update(no_key=True).order_by("pk"))
    count_items(rows, user=user, sign=-1)
    Item.objects.filter(pk__in=[row.pk for row in rows]).update(state=ItemState.VOID)


@transaction.atomic
def regroup(project: Project, units: Collection[int], *, language: str) -> None:
    """After projections came or went: items that nobody has begun go to the stage that now holds their unit.

    What somebody has begun or decided stays where it is: work is not pulled away from under people.
    """
    layer = project.label_layer
    stages = list(project.stages.filter(layer=layer, language=language).exclude(kind=Stage.ADJUDICATE))
    held = {stage.pk: kind_of(stage).holds(stage) for stage in stages}
    projected = [stage for stage in stages if held[stage.pk] == Holds.PROJECTED]
    unprojected = [stage for stage in stages if held[stage.pk] == Holds.UNPROJECTED]
    current = Suggestion.objects.filter(
        unit=OuterRef("pk"), layer=layer, kind=SuggestionKind.PROJECTION, is_current=True
    )
    rows = Unit.objects.filter(pk__in=units, is_current=True).select_related("segment").annotate(reached=Exists(current))
    reached, others = [], []
    for row in rows:
        (reached if row.reached else others).append(row)
    _move(reached, unprojected, projected, layer.pk)
    _move(others, projected, unprojected, layer.pk)


def _move(units: Sequence[Unit], away: Sequence[Stage], to: Sequence[Stage], layer: int) -> None:
    """Untouched items of the units leave `away`; units without an item of the layer then enter every stage of `to`."""
    if not units or not to:
        return
    untouched = list(
        Item.objects.filter(
            stage__in=away, unit__in=units, state=ItemState.FREE, answers_open=0, answers_done=0, extra_open=0, extra_done=0
        ).select_for_update(no_key=True)
    )
    count_items(untouched, user=None, sign=-1)
    Item.objects.filter(pk__in=[item.pk for item in untouched]).delete()
    there = set(
        Item.objects.filter(unit__in=units, stage__layer=layer)
        .exclude(state=ItemState.VOID)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .values_list("unit_id", flat=True)
    )
    decided = set(Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", "layer_id"))
    for stage in to:
        enter(stage, [unit for unit in units if unit.pk not in there], decided=decided)


def count_import(imported: Import) -> None:
    """Count an import's items into the bulk counters: part of the transaction that publishes it."""
    for stage in imported.project.stages.all():
        items = imported.items.filter(stage=stage).exclude(state=ItemState.VOID)
        decided = items.filter(state=ItemState.DECIDED).count()
        add_to_counter(stage, None, project=imported.project_id, total=items.count(), done=decided)
