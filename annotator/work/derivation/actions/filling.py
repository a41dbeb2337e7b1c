"""Units that enter the stages that hold them: all of them where a stage is new, and those that a stage lets through."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from annotator.core.intake import Holds
from annotator.core.kind import kind_of, on_change
from annotator.domain.states import AnnotationState, ItemState
from annotator.models import Annotation, Gold, Item, Layer, Stage, Suggestion, SuggestionKind, Unit, User
from annotator.work.derivation.actions.changes import follows_from
from annotator.work.derivation.actions.reconcile import reconcile
from annotator.work.queue.actions.items import enter, enters, waited_for


def forward(stage: Stage, unit: Unit, *, by: User | None) -> None:
    """Let a unit continue from `stage` to the stages after it that hold what is let through, and units of its kind. It
    enters each once."""
    for target in stage.makes.filter(layer__unit_kind=unit.kind).select_related("layer"):
        is_forwarded = kind_of(target).intake.holds(target) == Holds.FORWARDED
        if not is_forwarded or Item.objects.filter(stage=target, unit=unit).exists():
            continue
        decided = Gold.objects.filter(unit=unit, layer=target.layer_id).values_list("unit_id", "layer_id")
        enter(target, [unit], decided=set(decided), user=by)


def after_gold(layer: Layer, units: Collection[Unit], *, by: User | None) -> None:
    """The stages of a layer do what follows from how units stand: gold was decided on them, or a stage was added."""
    stages = Stage.objects.filter(layer=layer).exclude(kind=Stage.ADJUDICATE)
    following = [stage for stage in stages if kind_of(stage).outcome is not None]
    if not following:
        return
    items = Item.objects.filter(unit__in=units, stage__in=following)
    for item in items.select_related("stage__layer", "stage__project", "unit__segment").order_by("pk"):
        on_change(item.stage, item.unit, by)


def backfill(stage: Stage, units: Collection[Unit]) -> None:
    """Bring a stage what follows from what was said of these units before it was there. Doing it again changes nothing.
    In a transaction."""
    before = stage.made_from
    if before is not None:
        # As a save holds its item: anyone who comes second sees what the first one made. Answers are read after that.
        held = Item.objects.filter(stage=before, unit__in=units).select_for_update(no_key=True).order_by("pk")
        list(held.values_list("pk"))
    reconcile(stage, units, by=None)
    if before is not None and kind_of(stage).intake.holds(stage) != Holds.DERIVED:
        answered = follows_from(stage).filter(pk__in=[unit.pk for unit in units])
        after_gold(before.layer, list(answered.order_by("pk")), by=None)


def finished_before(stage: Stage) -> QuerySet[Annotation]:
    """The finished answers that a stage is made from."""
    return Annotation.objects.filter(stage=stage.made_from, state=AnnotationState.DONE, unit__is_current=True)


def held_units(stage: Stage) -> QuerySet[Unit]:
    """The units of the project that a stage holds beside those that are made from answers or let through."""
    kind = kind_of(stage)
    units = Unit.objects.published().filter(
        project=stage.project_id, kind=stage.layer.unit_kind, language=stage.language, is_current=True
    )
    if stage.made_from is not None:
        if not enters(stage, stage.project.stages.all()):
            return units.none()
        units = units.filter(imported__isnull=False)
        before = waited_for(stage)
        if before is not None:
            nobody_is_asked = Item.objects.filter(stage=before, unit=OuterRef("pk"), state=ItemState.DECIDED)
            return units.filter(Exists(nobody_is_asked))
        return units
    if kind.intake.holds(stage) in (Holds.PROJECTED, Holds.UNPROJECTED):
        reached = Exists(
            Suggestion.objects.filter(
                unit=OuterRef("pk"), layer=stage.layer_id, kind=SuggestionKind.PROJECTION, is_current=True
            )
        )
        units = units.filter(reached if kind.intake.holds(stage) == Holds.PROJECTED else ~reached)
    return units
