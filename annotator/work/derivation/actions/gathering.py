"""Units that are made from how labels stand, whoever gave them: gold that came with files has no answer that units
could be made from (`chains.py`). Rules of kinds make them in `Rule.derive`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet

from annotator.core.kind import derives_from_labels, kinds, rule_of, source_layer
from annotator.core.unit_kinds import imported_markings
from annotator.domain.content import Content
from annotator.domain.states import AnnotationState, ItemState
from annotator.models import Annotation, Gold, Import, Item, Layer, Stage, Unit
from annotator.work.derivation.actions.chains import key_of_made, make_units
from annotator.work.derivation.actions.making import Wanted, made_uid, make
from annotator.work.derivation.actions.withdrawing import withdraw
from annotator.work.gold.queries.effective_content import effective_content
from annotator.work.queue.actions.items import enter

# How a unit came about that no answer became.
BY_LABELS = "marked"
# Units whose labels one transaction follows.
CHUNK_SIZE = 50


def gather(layer: Layer, units: Collection[int]) -> None:
    """Let the stages that are made from how `layer` stands make what these units (ids) lack there. In a transaction."""
    for stage in gathering_stages(layer):
        gather_into(stage, units)


def gathering_kinds() -> list[str]:
    """The kinds of stages that have units made from how labels stand."""
    return [kind.slug for kind in kinds() if derives_from_labels(kind)]


def gathering_stages(layer: Layer) -> list[Stage]:
    """The stages whose units are made from how the labels of a layer stand."""
    rows = Stage.objects.filter(project=layer.project_id, kind__in=gathering_kinds()).order_by("pk")
    found = rows.select_related("layer", "project", "made_from__layer")
    return [stage for stage in found if source_layer(stage) == layer]


def gather_into(stage: Stage, units: Collection[int]) -> None:
    """The same for one stage. One call at a time: two would make the same."""
    rule, layer = rule_of(stage), source_layer(stage)
    if rule is None or rule.derive is None or layer is None or not units:
        return
    Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    rows = Unit.objects.published().filter(pk__in=units, language=stage.language, is_current=True)
    labelled = list(rows.select_related("segment").order_by("pk"))
    said = effective_content(stage.project, layer, language=stage.language, units=[unit.pk for unit in labelled])
    rule.derive(stage, [(unit, said.get(unit.pk)) for unit in labelled])


def labelled_units(stage: Stage) -> QuerySet[Unit]:
    """The units whose labels the stage may make units from, or that came marked with files."""
    layer = source_layer(stage)
    if layer is None:
        return Unit.objects.none()
    done = Annotation.objects.filter(layer=layer, state=AnnotationState.DONE).values("unit")
    decided = Gold.objects.filter(layer=layer).values("unit")
    units = Unit.objects.published().filter(project=stage.project_id, language=stage.language, is_current=True)
    return units.filter(Q(pk__in=done) | Q(pk__in=decided) | _came_marked(layer))


def _came_marked(layer: Layer) -> Q:
    """Condition: units of the layer that came in with files, with what is marked in them; of other layers nothing."""
    marked = layer.unit_kind in imported_markings()
    return Q(kind=layer.unit_kind, imported__isnull=False) if marked else Q()


def make_missing(stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
    """Make what `Rule.units_of` says of contents that stand, where nobody's answer became it; what was made so before
    and is no longer said is withdrawn, unless somebody has begun to answer it. So is what an answer became, and gold
    says no more. The same number of statements for each `BATCH`."""
    rule, source = rule_of(stage), source_layer(stage)
    if rule is None:
        return
    there = _there(stage, [unit for unit, _content in said])
    wanted: list[Wanted] = []
    stale: list[Unit] = []
    unsaid: dict[int, list[Unit]] = {}
    for unit, content in said:
        answer = Annotation(unit=unit, layer=source, content=content or {})
        made = {one.key: one for one in rule.units_of(stage, answer)} if content is not None else {}
        here = there.get(unit.pk, [])
        answered = {key_of_made(row) for row in here if row.rule != BY_LABELS}
        stale += [
            row
            for row in here
            if row.rule == BY_LABELS and (key_of_made(row) in answered or key_of_made(row) not in made)
        ]
        if content is not None:
            unsaid[unit.pk] = [row for row in here if row.rule != BY_LABELS and key_of_made(row) not in made]
        kept = {key_of_made(row) for row in here}
        wanted += [
            Wanted(made_uid(unit.segment.uid, f"{BY_LABELS}:{key}"), unit, BY_LABELS, one.tokens, one.spaces)
            for key, one in made.items()
            if key not in kept
        ]
    stale += _undone_by_gold(source, unsaid)
    untouched = {"answers_open": 0, "answers_done": 0, "extra_open": 0, "extra_done": 0}
    begun = Item.objects.filter(unit__in=stale).exclude(state=ItemState.FREE, **untouched)
    kept_on = set(begun.values_list("unit_id", flat=True))
    withdraw([row for row in stale if row.pk not in kept_on], None)
    # They may be there from an earlier stage, or for another one.
    rows = Unit.objects.filter(project=stage.project_id, language=stage.language, is_current=True)
    known = {
        row.segment.uid: row
        for row in rows.filter(segment__uid__in=[one.uid for one in wanted]).select_related("segment")
    }
    made_now = make(stage.layer.unit_kind, [one for one in wanted if one.uid not in known])
    enter(stage, [*known.values(), *made_now.values()])


def _undone_by_gold(layer: Layer | None, unsaid: Mapping[int, Sequence[Unit]]) -> list[Unit]:
    """Of units that somebody's answer became and that what stands does not say, by the unit that they were made from,
    those on which gold stands: among answers, each has its own."""
    asked = [unit for unit, rows in unsaid.items() if rows]
    decided = Gold.objects.filter(layer=layer, unit__in=asked).values_list("unit_id", flat=True) if asked else ()
    return [row for unit in decided for row in unsaid[unit]]


def _there(stage: Stage, units: Sequence[Unit]) -> Mapping[int, Sequence[Unit]]:
    """By unit, what was made of it and is in the stage."""
    links = Unit.parents.through.objects.filter(
        to_unit__in=units,
        from_unit__kind=stage.layer.unit_kind,
        from_unit__is_current=True,
        from_unit__items__stage=stage,
    )
    found: dict[int, list[Unit]] = {}
    for link in links.select_related("from_unit__segment").order_by("from_unit"):
        found.setdefault(link.to_unit_id, []).append(link.from_unit)
    return found


def follow_import(imported: Import) -> Iterator[None]:
    """Make the units that labels become which came in with files: answers of members, as if they had just given them,
    then gold, and what came marked. Stops between two transactions; doing it again changes nothing."""
    answers = Annotation.objects.filter(imported=imported, state=AnnotationState.DONE, stage__makes__isnull=False)
    yield from _some(_follow_answers, sorted(set(answers.values_list("pk", flat=True))))
    rows = {Annotation.objects: Q(state=AnnotationState.DONE), Gold.objects: Q()}
    for layer in imported.project.layers.all():
        if gathering_stages(layer):
            said = {
                unit
                for found, done in rows.items()
                for unit in found.filter(done, imported=imported, layer=layer).values_list("unit_id", flat=True)
            }
            if came_marked := _came_marked(layer):
                said.update(imported.units.filter(came_marked, is_current=True).values_list("pk", flat=True))
            yield from _some(partial(gather, layer), sorted(said))

    for stage in imported.project.stages.filter(kind__in=gathering_kinds()).select_related("layer", "project"):
        of_stage = imported.units.filter(kind=stage.layer.unit_kind, language=stage.language, is_current=True)
        ids = sorted(of_stage.values_list("pk", flat=True))
        yield from _some(partial(_arrive, stage), ids)


def _arrive(stage: Stage, units: Sequence[int]) -> None:
    Stage.objects.select_for_update(no_key=True).get(pk=stage.pk)
    rule = rule_of(stage)
    if rule is not None and rule.after_import is not None:
        rule.after_import(stage, list(Unit.objects.filter(pk__in=units).select_related("segment").order_by("pk")))


def _some(follow: Callable[[Sequence[int]], None], ids: Sequence[int]) -> Iterator[None]:
    for start in range(0, len(ids), CHUNK_SIZE):
        with transaction.atomic():
            follow(ids[start : start + CHUNK_SIZE])
        yield


def _follow_answers(annotations: Sequence[int]) -> None:
    # As a save holds its item: whoever comes second sees what the first one made.
    items = Item.objects.filter(unit__annotations__in=annotations)
    list(items.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk"))
    rows = Annotation.objects.filter(pk__in=annotations, state=AnnotationState.DONE, unit__is_current=True)
    for row in rows.select_related("unit__segment", "stage__layer").order_by("pk"):
        if row.stage is not None:
            make_units(stage=row.stage, annotation=row, unit=row.unit, by=None)
