"""Items: units entering and leaving stages, and the counts that follow what people do.

Anyone who changes an item holds its row (`select_for_update`), so the counts follow from what stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotator.core.counters import add_to_counter, count_items, count_people, difference, weight
from annotator.core.database.bulk import like
from annotator.core.intake import Holds
from annotator.core.kind import already_answered, kind_of, waits_for_previous_stage
from annotator.core.prepared import execute
from annotator.core.unit_kinds import is_shuffled
from annotator.domain.stable_shuffle import stable_shuffle
from annotator.domain.states import ITEM_STATES, ItemState, item_state, may_become
from annotator.models import Assignment, BlindMark, Gold, Item, Project, Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.queue.actions.order import refresh_order

BATCH = 500


def make_room(item: Item) -> None:
    """Want one more answer of a locked item where all are taken: somebody's own is wanted beside the others."""
    if item.state != ItemState.FREE:
        change_item(item, user=None, answers_wanted=item.answers_open + item.answers_done + 1)


def change_item(  # noqa: PLR0913 -- the counts of an item, each left alone unless it is named
    item: Item,
    *,
    user: User | int | None,
    answers_open: int = 0,
    answers_done: int = 0,
    extra_open: int = 0,
    extra_done: int = 0,
    answers_wanted: int | None = None,
    own: dict[str, int] | None = None,
    decided: bool | None = None,
    **flags: bool,
) -> None:
    """Add to the counts of a locked item, settle its state, and count for `user`: two statements.

    `answers_wanted` is how many are wanted from now on, `own` are changes of the person's own numbers, which an item
    that left its stage is none of, and `decided` says whether gold is decided now (None: as before).
    """
    before = weight(item)
    state = ItemState(item.state)
    item.answers_open += answers_open
    item.answers_done += answers_done
    item.extra_open += extra_open
    item.extra_done += extra_done
    if answers_wanted is not None:
        item.answers_wanted = answers_wanted
    for name, value in flags.items():
        setattr(item, name, value)
    if state != ItemState.VOID:
        is_decided = state == ItemState.DECIDED if decided is None else decided
        item.state = item_state(
            wanted=item.answers_wanted, open_=item.answers_open, done=item.answers_done, decided=is_decided
        )
        if not may_become(ITEM_STATES, state, ItemState(item.state)):
            raise ValueError(f"An item that is {state} cannot become {item.state}.")
    changed = ["answers_open", "answers_done", "extra_open", "extra_done", "state", *flags]
    if answers_wanted is not None:
        changed.append("answers_wanted")
    execute(
        f"UPDATE annotator_item SET {', '.join(f'{name} = %s' for name in changed)} WHERE id = %s",  # noqa: S608 -- names of our own
        [*(getattr(item, name) for name in changed), item.pk],
    )
    if state == ItemState.VOID:
        return
    add_to_counter(item.stage_id, user, project=item.project_id, **difference(before, weight(item)), **(own or {}))


def enter_stages(project: Project, units: Sequence[Unit]) -> None:
    """Make the items of new units in every stage that holds them, and count them. Units come with their segment."""
    decided = set(Gold.all_rows.filter(unit__in=units, reopened=False).values_list("unit_id", "layer_id"))
    for stage in entered(project):
        enter(stage, let_through(stage, fitting(stage, units), decided), decided=decided)


def entered(project: Project) -> list[Stage]:
    """The stages that new units enter by themselves."""
    stages = list(project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer", "made_from__layer"))
    entering = [stage for stage in stages if kind_of(stage).intake.holds(stage) not in (Holds.DERIVED, Holds.PROJECTED)]
    return [stage for stage in entering if enters(stage, stages)]


def enters(stage: Stage, stages: Iterable[Stage]) -> bool:
    """Whether what was made from no answer, such as an imported text, enters a stage, of `stages` in the project.

    Where answers of several stages are judged in one layer, it enters the oldest stage that does so: once is enough.
    """
    return stage.made_from_id is None or not any(
        one.pk < stage.pk
        and one.made_from_id is not None
        and (one.kind, one.layer_id, one.language) == (stage.kind, stage.layer_id, stage.language)
        for one in stages
    )


def fitting(stage: Stage, units: Iterable[Unit]) -> list[Unit]:
    """Those of the units that the stage holds."""
    kind, language = stage.layer.unit_kind, stage.language
    return [unit for unit in units if unit.kind == kind and unit.language == language]


def let_through(stage: Stage, units: Iterable[Unit], decided: Collection[tuple[int, int]]) -> list[Unit]:
    """Those of new units that need not wait for the stage before; `decided`: units and layers in which nobody is asked.
    Stages come with the stage before and its layer."""
    before = waited_for(stage)
    if before is None:
        return list(units)
    layers = (before.layer_id, stage.layer_id)
    return [unit for unit in units if any((unit.pk, layer) in decided for layer in layers)]


def waited_for(stage: Stage) -> Stage | None:
    """The stage whose answers imported units wait for before they enter this one."""
    before = stage.made_from
    is_same = before is not None and before.layer.unit_kind == stage.layer.unit_kind
    return before if is_same and waits_for_previous_stage(stage) else None


def enter(
    stage: Stage, units: Iterable[Unit], *, decided: Collection[tuple[int, int]] = (), user: User | None = None
) -> list[Item]:
    """Make the items of units in one stage; `decided` are (unit, layer) with gold. Counted for `user`, or in bulk.

    Of a revised text as many answers are wanted as of the one before it, so that it stays in a blind sample.
    """
    units = list(units)
    imported = [unit for unit in units if unit.imported_id is not None]
    settled = already_answered(stage, imported) if imported else ()
    items = new_items(stage, units, {*decided, *((unit, stage.layer_id) for unit in settled)})
    wanted = _wanted_before(stage, units)
    for item in items:
        item.answers_wanted = max(item.answers_wanted, wanted.get(item.unit.segment_id, 0))
    Item.objects.bulk_create(items, batch_size=BATCH)
    count_items(items, user=user)
    if items:
        refresh_order(stage.project, [item.unit for item in items], kind=kind_of(stage))
    return items


def _wanted_before(stage: Stage, units: Iterable[Unit]) -> dict[int, int]:
    """By segment, how many answers the stage wanted of the last revision before one of these units. One query where any
    of them has an earlier one, else none."""
    now = {unit.segment_id: unit.revision for unit in units if unit.revision > 1}
    if not now:
        return {}
    before = Item.objects.filter(stage=stage, unit__segment__in=now, unit__language=stage.language)
    rows = before.order_by("unit__revision").values_list("unit__segment", "unit__revision", "answers_wanted")
    return {segment: wanted for segment, revision, wanted in rows if revision < now[segment]}


def place_of(unit: Unit) -> int:
    """Where a unit stands in the reading order of a stage: as its text does, or where that would tell something of it,
    anywhere, and always there. It comes with its segment."""
    return stable_shuffle(unit.segment.uid) if is_shuffled(unit.kind) else unit.segment.position


def new_items(stage: Stage, units: Iterable[Unit], decided: Collection[tuple[int, int]]) -> list[Item]:
    """The items of units in a stage, still to be written and counted."""
    one = Item(project_id=stage.project_id, stage=stage, answers_wanted=stage.answers_wanted)
    return [
        like(
            one,
            unit=unit,
            imported_id=unit.imported_id,
            reading=place_of(unit),
            state=ItemState.DECIDED if (unit.pk, stage.layer_id) in decided else ItemState.FREE,
        )
        for unit in units
    ]


def retire(items: QuerySet[Item], *, user: User | None) -> None:
    """Take items out of their stages for good: their text was replaced, and blind work on it is over."""
    rows = list(items.exclude(state=ItemState.VOID).select_for_update(no_key=True).order_by("pk"))
    count_items(rows, user=user, sign=-1)
    count_people(rows, sign=-1)
    Item.objects.filter(pk__in=[row.pk for row in rows]).update(state=ItemState.VOID)
    BlindMark.objects.filter(assignment__item__in=rows, live=True).update(live=False)


@transaction.atomic
def reassign_unstarted(project: Project, units: Collection[int], *, language: str) -> None:
    """After projections came or went: items that nobody has started go to the stage that now holds their unit.

    What somebody has started or decided stays where it is: work is not pulled away from under people.
    """
    layer = project.label_layer
    stages = list(project.stages.filter(layer=layer, language=language).exclude(kind=Stage.ADJUDICATE))
    held = {stage.pk: kind_of(stage).intake.holds(stage) for stage in stages}
    projected = [stage for stage in stages if held[stage.pk] == Holds.PROJECTED]
    unprojected = [stage for stage in stages if held[stage.pk] == Holds.UNPROJECTED]
    current = Suggestion.objects.filter(
        unit=OuterRef("pk"), layer=layer, kind=SuggestionKind.PROJECTION, is_current=True
    )
    rows = (
        Unit.objects.filter(pk__in=units, is_current=True).select_related("segment").annotate(reached=Exists(current))
    )
    found = list(rows)
    _move([row for row in found if row.reached], unprojected, projected, layer.pk)
    _move([row for row in found if not row.reached], projected, unprojected, layer.pk)


def _move(units: Sequence[Unit], away: Sequence[Stage], to: Sequence[Stage], layer: int) -> None:
    """Unbegun items of the units leave `away`; units without an item of the layer then enter every stage of `to`.

    Blind answers beside the review, and what was given back, stay where they were, in an item that wants no answer.
    """
    if not units or not to:
        return
    unbegun = list(
        Item.objects.filter(
            stage__in=away, unit__in=units, state=ItemState.FREE, answers_open=0, answers_done=0
        ).select_for_update(no_key=True)
    )
    count_items(unbegun, user=None, sign=-1)
    rows = Item.objects.filter(pk__in=[item.pk for item in unbegun])
    had = set(Assignment.objects.filter(item__in=unbegun).values_list("item_id", flat=True))
    rows.exclude(pk__in=had).delete()
    rows.filter(pk__in=had).update(answers_wanted=0, state=ItemState.DONE)
    there = set(
        Item.objects.filter(unit__in=units, stage__layer=layer, answers_wanted__gt=0)
        .exclude(state=ItemState.VOID)
        .exclude(stage__kind=Stage.ADJUDICATE)
        .values_list("unit_id", flat=True)
    )
    decided = set(Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", "layer_id"))
    entering = [unit for unit in units if unit.pk not in there]
    for stage in to:
        back = _want_answers(stage, entering, decided)
        enter(stage, [unit for unit in entering if unit.pk not in back], decided=decided)


def _want_answers(stage: Stage, units: Sequence[Unit], decided: Collection[tuple[int, int]]) -> set[int]:
    """Items that were there for blind answers alone want the stage's own answers too. Returns their units."""
    items = list(Item.objects.filter(stage=stage, unit__in=units, answers_wanted=0).select_for_update(no_key=True))
    for item in items:
        item.answers_wanted = stage.answers_wanted
        is_decided = (item.unit_id, stage.layer_id) in decided
        item.state = item_state(wanted=stage.answers_wanted, open_=0, done=0, decided=is_decided)
    Item.objects.bulk_update(items, ["answers_wanted", "state"], batch_size=BATCH)
    count_items(items, user=None)
    return {item.unit_id for item in items}
