"""What is said of units changed: what was carried over from them is compared, and what follows from them is brought in
line (`reconcile.py`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet

from annotator.core.intake import Derived, SharedUnits
from annotator.core.kind import derives_from_labels, kind_of, kinds, rule_of, source_layer
from annotator.core.unit_kinds import imported_markings
from annotator.domain.effective_content import Answer, Stands
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Assignment, Gold, Import, Item, Layer, Stage, Unit, User
from annotator.work.derivation.actions.reconcile import reconcile
from annotator.work.derivation.actions.sources import follow_sources

# Units whose labels one transaction follows.
AT_ONCE = 50


def labels_changed(
    layer: Layer,
    units: Collection[Unit],
    *,
    by: User | None,
    given_in: Stage | None = None,
    authors: Collection[int] = (),
) -> None:
    """Anyone who changes what is said of units in a layer calls this after it, in the same transaction.

    `given_in`: the stage in which answers changed, of `authors` (ids); none where gold did. Raises ActionError as
    `reconcile` does.
    """
    follow_sources(layer, units)
    for stage in derived_stages(layer, given_in) if units else ():
        reconcile(stage, units, by=by, authors=authors)


def answer_changed(row: Assignment, answers: Sequence[Annotation], *, by: User) -> None:
    """The same of a person's assignment, as `own_assignment` gives it. `answers`: all to its unit in the layer; no gold
    stands where one is written."""
    if row.is_source:  # type: ignore[attr-defined]  # annotated by `own_assignment`
        done = [Answer(one.mode, one.content, one.user_id) for one in answers if one.state == AnnotationState.DONE]
        follow_sources(row.stage.layer, [row.unit], known=Stands(None, done))
    if row.is_derived_from:  # type: ignore[attr-defined]  # annotated by `own_assignment`
        for stage in derived_stages(row.stage.layer, row.stage):
            reconcile(stage, [row.unit], by=by, authors=[by.pk], known=answers)


def kinds_of_labels() -> list[str]:
    """The kinds of stages that hold what follows from the current labels, no matter who gave them."""
    return [kind.slug for kind in kinds() if derives_from_labels(kind)]


def derived_stages(layer: Layer, given_in: Stage | None = None) -> list[Stage]:
    """The stages that hold what follows from labels of a layer as they stand, and from answers of the stage
    `given_in`."""
    rows = Stage.objects.filter(project=layer.project_id, kind__in=_deriving_kinds()).order_by("pk")
    found = rows.select_related("layer", "project", "made_from__layer")
    return [
        stage
        for stage in found
        if source_layer(stage) == layer and (derives_from_labels(kind_of(stage)) or stage.made_from == given_in)
    ]


def _deriving_kinds() -> list[str]:
    return [kind.slug for kind in kinds() if isinstance(kind.intake, Derived)]


def follows_from(stage: Stage) -> QuerySet[Unit]:
    """The current units from which any of a stage's may follow, or that the stage before may let through: those that
    are answered there or decided, or labelled by anybody, or came marked with files."""
    before = stage.made_from
    layer = source_layer(stage) or (before.layer if before is not None else None)
    if layer is None:
        return Unit.objects.none()
    done = Annotation.objects.filter(layer=layer, state=AnnotationState.DONE)
    from_labels = derives_from_labels(kind_of(stage))
    labelled = Q(pk__in=(done if from_labels else done.filter(stage=before)).values("unit"))
    labelled |= Q(pk__in=Gold.objects.filter(layer=layer).values("unit"))
    units = Unit.objects.published().filter(project=stage.project_id, language=stage.language, is_current=True)
    return units.filter(labelled | _came_marked(layer) if from_labels else labelled)


def _came_marked(layer: Layer) -> Q:
    """Condition: units of the layer that came in with files, with what is marked in them; of other layers nothing."""
    marked = layer.unit_kind in imported_markings()
    return Q(kind=layer.unit_kind, imported__isnull=False) if marked else Q()


def after_import(imported: Import) -> Iterator[None]:
    """Make what follows from labels that came in with files: answers of members, gold, and what came marked. Stops
    between two transactions; doing it again changes nothing."""
    rows = imported.project.stages.filter(kind__in=_deriving_kinds()).order_by("pk")
    stages = list(rows.select_related("layer", "project", "made_from__layer"))
    for stage in stages:
        yield from _some(partial(_follow, stage), _came_in(imported, stage))
    for stage in stages:
        rule = rule_of(stage)
        if isinstance(rule, SharedUnits):
            of_stage = imported.units.filter(kind=stage.layer.unit_kind, language=stage.language, is_current=True)
            yield from _some(partial(_arrive, stage, rule), sorted(of_stage.values_list("pk", flat=True)))


def _came_in(imported: Import, stage: Stage) -> list[int]:
    """The units (ids) of which an import said anything that units of the stage follow from."""
    layer = source_layer(stage)
    if layer is None:
        return []
    answers = Annotation.objects.filter(imported=imported, layer=layer, state=AnnotationState.DONE)
    if not derives_from_labels(kind_of(stage)):
        return sorted(set(answers.filter(stage=stage.made_from).values_list("unit_id", flat=True)))
    gold = Gold.objects.filter(imported=imported, layer=layer)
    labelled = {*answers.values_list("unit_id", flat=True), *gold.values_list("unit_id", flat=True)}
    if came_marked := _came_marked(layer):
        labelled.update(imported.units.filter(came_marked, is_current=True).values_list("pk", flat=True))
    return sorted(labelled)


def _follow(stage: Stage, units: Sequence[int]) -> None:
    # As a save holds its item: anyone who comes second sees what the first one made.
    items = Item.objects.filter(unit__in=units, stage=stage.made_from)
    list(items.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    rows = Unit.objects.published().filter(pk__in=units, language=stage.language, is_current=True)
    reconcile(stage, list(rows.select_related("segment").order_by("pk")), by=None)


def _arrive(stage: Stage, rule: SharedUnits, units: Sequence[int]) -> None:
    Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    rule.after_import(stage, list(Unit.objects.filter(pk__in=units).select_related("segment").order_by("pk")))


def _some(follow: Callable[[Sequence[int]], None], ids: Sequence[int]) -> Iterator[None]:
    for start in range(0, len(ids), AT_ONCE):
        with transaction.atomic():
            follow(ids[start : start + AT_ONCE])
        yield
