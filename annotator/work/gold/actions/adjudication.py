"""Which units wait for an adjudicator: an item in the stage that decides on the layer, made where answers differ."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from django.db.models import QuerySet

from annotator.core.counters import add_to_counter, count_decisions
from annotator.core.kind import kinds, makes_gold
from annotator.domain.content import content_type
from annotator.domain.deciding import without_doubt
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.models import Annotation, Assignment, Gold, Item, Layer, Project, Stage, Unit
from annotator.work.gold.queries.gold_of_answers import SOMEBODYS

DOUBT = 1.0  # sorts after every disagreement
_ALIKE = 0.999


def adjudication_stage(project: Project, layer: Layer, language: str) -> Stage | None:
    """The stage in which gold of the layer is decided in the language."""
    return Stage.objects.filter(project=project, kind=Stage.ADJUDICATE, layer=layer, language=language).first()


def refresh_adjudication(*, project: Project, unit: Unit, layer: Layer) -> None:
    """Make, update or withdraw the item of a unit in its adjudication stage, after an answer was finished or reopened.

    It waits while the finished answers differ, or all are doubtful, nobody works on it, and no gold is decided. Where a
    stage wants several answers, it waits once all are given. Where answers decide by themselves, and a person took that
    back, it waits for them, too.
    """
    stage = adjudication_stage(project, layer, unit.language)
    if stage is None:
        return
    item = Item.objects.filter(stage=stage, unit=unit).first()
    if item is not None and item.state == ItemState.DECIDED:
        return
    agreement = _waits(unit, layer)
    if agreement is None:
        if item is not None:
            Item.objects.filter(pk=item.pk).update(state=ItemState.VOID)
        return
    Item.objects.update_or_create(
        stage=stage,
        unit=unit,
        defaults={
            "project": project,
            "state": ItemState.FREE,
            "uncertainty": agreement,
            "reading": unit.segment.position,
            "doubtful": agreement == DOUBT,
        },
    )


def _waits(unit: Unit, layer: Layer) -> float | None:
    """How far the answers agree where the unit waits for a decision; None where it does not wait."""
    done = list(
        Annotation.objects.filter(unit=unit, layer=layer, state=AnnotationState.DONE)
        .order_by("pk")
        .values_list("content", "doubt")
    )
    at_work = Assignment.objects.filter(unit=unit, stage__layer=layer, state=AssignmentState.OPEN)
    if not done or at_work.exists() or Gold.objects.filter(unit=unit, layer=layer).exists():
        return None
    if Item.objects.filter(unit=unit, stage__layer=layer, answers_wanted__gt=1, state=ItemState.FREE).exists():
        return None
    kind = content_type(layer.content_type)
    if len({kind.key(content) for content, _doubt in done}) > 1:
        shares = [kind.agreement(a, b, tokens=unit.tokens) for (a, _), (b, _) in combinations(done, 2)]
        return min(sum(shares) / len(shares), _ALIKE)
    if not without_doubt(done):
        return DOUBT
    return _ALIKE if _is_somebodys(unit, layer) else None


def _is_somebodys(unit: Unit, layer: Layer) -> bool:
    """Whether a person undid what answers had decided by themselves: they do so no more, also where all agree."""
    deciding = [kind.slug for kind in kinds() if makes_gold(kind)]
    rows = Gold.all_rows.filter(SOMEBODYS, unit=unit, layer=layer, reopened=True)
    return rows.filter(layer__stages__kind__in=deciding).exists()


def waiting_items(layer: int) -> QuerySet[Item]:
    """Items of the layer that wait for a decision."""
    return Item.objects.filter(stage__kind=Stage.ADJUDICATE, stage__layer=layer, state=ItemState.FREE)


def withdraw_adjudication(units: Collection[int], layer: int) -> None:
    """Somebody was given these units to answer: what others answered waits until they are done."""
    if units:
        waiting_items(layer).filter(unit__in=units).update(state=ItemState.VOID)


def close_adjudication(*, project: Project, units: list[int], layer: Layer, language: str, by: int | None) -> None:
    """Gold was decided on the units: their items in the adjudication stage are decided, and counted there."""
    stage = adjudication_stage(project, layer, language)
    if stage is None or not units:
        return
    Item.objects.filter(stage=stage, unit__in=units, state=ItemState.FREE).update(state=ItemState.DECIDED)
    add_to_counter(stage, by, project=project.pk, done=len(units), own_done=len(units) if by else 0)


def make_openable(unit: Unit, layer: Layer) -> None:
    """Make the item of a unit on which answers decided by themselves, so that adjudicators can open it, change the
    decision or undo it."""
    stage = adjudication_stage(unit.project, layer, unit.language)
    if stage is None:
        return
    Item.objects.update_or_create(
        stage=stage,
        unit=unit,
        defaults={"state": ItemState.DECIDED},
        create_defaults={
            "project_id": unit.project_id,
            "state": ItemState.DECIDED,
            "uncertainty": _ALIKE,
            "reading": unit.segment.position,
        },
    )


def redecide_adjudication(*, project: Project, unit: Unit, layer: Layer, by: int | None, before: int | None) -> None:
    """A decision was changed: it is the one's who changed it, and no longer the one's who made it."""
    stage = adjudication_stage(project, layer, unit.language)
    if stage is None or by == before:
        return
    for person, change in ((before, -1), (by, 1)):
        if person is not None:
            add_to_counter(stage, person, project=project.pk, own_done=change)


def count_gold(units: Collection[Unit], *, sign: int = 1) -> None:
    """Count the decisions on units that come back to their stages; with `sign` -1, on units that leave them. One query
    where nothing is decided."""
    ids = [unit.pk for unit in units]
    places = Gold.objects.filter(unit__in=ids).order_by().values_list("layer", "unit__language").distinct()
    for layer, language in sorted(places):
        stage = Stage.objects.filter(kind=Stage.ADJUDICATE, layer=layer, language=language).first()
        if stage is not None:
            count_decisions(stage, ids, sign=sign)


def reopen_adjudication(
    *, project: Project, unit: Unit, layer: Layer, by: int | None, decided_by: int | None, counted: bool = True
) -> None:
    """A decision was undone: the item waits again where its answers say so, and whose it was has one less.

    `counted`: whether the unit was in its stages until now, so that the decision was counted."""
    stage = adjudication_stage(project, layer, unit.language)
    if stage is None or not counted:
        return
    Item.objects.filter(stage=stage, unit=unit, state=ItemState.DECIDED).update(state=ItemState.FREE)
    add_to_counter(stage, by, project=project.pk, done=-1)
    if decided_by is not None:
        add_to_counter(stage, decided_by, project=project.pk, own_done=-1)
    refresh_adjudication(project=project, unit=unit, layer=layer)
