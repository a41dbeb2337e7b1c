"""Stages of a project that is there already: added, put in order, removed. Their items are made here, or by a job."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.counters import count_decisions
from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.intake import Holds
from annotator.core.kind import Kind, derives_from_labels, kind_named, kind_of, kinds, names_a_layer
from annotator.core.presets import StageSpec
from annotator.domain.content import Written, content_type
from annotator.domain.context import Context, below
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.jobs.actions import start_job
from annotator.models import (
    Annotation,
    Assignment,
    BlindMark,
    Counter,
    Gold,
    Item,
    Job,
    JobKind,
    Layer,
    Project,
    Repeat,
    Stage,
    Unit,
    User,
)
from annotator.projects.actions.projects import add_stage
from annotator.projects.queries.project_settings import stage_consequences
from annotator.work.derivation.actions.changes import follows_from
from annotator.work.derivation.actions.filling import backfill, finished_before, held_units
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import enter, reassign_unstarted

# So many items are made while one waits; more are made by a job.
MAX_INLINE = 1000
MAX_ANSWERS = 20
_LAYER = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# What the core calls layers, and what agreement counts.
RESERVED_LAYERS = {"labels", "interpretation", "tokens", "pairs"}


def add_stages(*, project: Project, specs: Sequence[StageSpec], by: User | None) -> Job | None:
    """Add stages behind those that are there, and make their items. Returns the last job that does so, if any.

    The items are made in a second transaction: only when a stage is there for all do saves bring it what they change.
    Raises ActionError for a language or layer that the project does not have, a kind that is not installed, a second
    stage that decides on a layer in a language, and a second one of a kind, made from the same stage, in which nobody
    writes; nothing is added then.
    """
    job = None
    for stage in _add(project, specs, by):
        job = _fill(stage, by) or job
    return job


@transaction.atomic
def _add(project: Project, specs: Sequence[StageSpec], by: User | None) -> list[Stage]:
    lock_project(project)
    added = []
    for spec in specs:
        _check(project, spec)
        last = project.stages.aggregate(last=Max("position"))["last"] or 0
        # What it is made from is looked for among all stages.
        stage = add_stage(project=project, spec=spec, position=last + 1)
        _check_only(stage)
        added.append(stage)
        log(
            project=project,
            actor=by,
            verb=Verb.STAGE_ADD,
            subject=stage,
            after={
                "kind": stage.kind,
                "language": stage.language,
                "layer": stage.layer_id,
                "mode": stage.mode,
                "order": stage.order,
                "answers_wanted": stage.answers_wanted,
                **({"context": stage.context} if stage.has_context else {}),
                **({"made_from": stage.made_from_id} if stage.made_from_id else {}),
            },
        )
    return added


@transaction.atomic
def change_context(*, stage: Stage, context: str, by: User | None) -> Stage:
    """Set what a stage shows around its sentences: at once, for what is open as well. What was answered keeps what was
    shown then. Raises ActionError for what is not a level, and where nothing is ever shown around an item."""
    lock_project(stage.project)
    row = Stage.objects.select_for_update(no_key=True).select_related("layer").get(pk=stage.pk)
    check_context(context)
    if not row.has_context:
        raise ActionError(_("This stage shows whole items, so it has no context to set."))
    if row.context == context:
        return row
    log(
        project=stage.project,
        actor=by,
        verb=Verb.STAGE_CONTEXT,
        subject=row,
        before={"context": row.context},
        after={"context": context},
    )
    # Where less is shown from now on, more may have been seen on open items, and that stays on record.
    open_ones = Assignment.objects.filter(stage=row, state=AssignmentState.OPEN)
    open_ones.filter(context__in=["", *below(Context(context))]).update(context=context)
    row.context = context
    row.save(update_fields=["context"])
    return row


def check_context(context: str) -> None:
    """Raise ActionError for what is not a level of context."""
    if context not in list(Context):
        raise ActionError(
            _("Unknown context “%(context)s”. Available: %(known)s.")
            % {"context": context, "known": ", ".join(Context)}
        )


@transaction.atomic
def _fill(stage: Stage, by: User | None) -> Job | None:
    """Make the items that the stage lacks, now or by a job."""
    lock_project(stage.project)
    wait_for_saves(stage)
    missing = missing_units(stage)
    # Several answers to one unit become several.
    answers = finished_before(stage)[: MAX_INLINE + 1].count() if stage.made_from is not None else 0
    if answers > MAX_INLINE or missing[: MAX_INLINE + 1].count() > MAX_INLINE:
        return start_job(project=stage.project, kind=JobKind.FILL, params={"stage": stage.pk}, by=by)
    fill_stage(stage, list(missing.values_list("pk", flat=True)))
    return None


@transaction.atomic
def wait_for_saves(stage: Stage) -> None:
    """Wait until answers are there that were being saved when the stage was added: those saves do not know of it."""
    if stage.made_from_id is not None:
        open_ones = Item.objects.filter(Q(answers_open__gt=0) | Q(extra_open__gt=0), stage=stage.made_from_id)
        list(open_ones.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def missing_units(stage: Stage) -> QuerySet[Unit]:
    """The units that a new stage holds and that have no item in it yet, by id; where it is made from another stage, or
    from labels, those that were answered or decided there too."""
    if stage.adjudicates:
        done = Annotation.objects.filter(unit=OuterRef("pk"), layer=stage.layer_id, state=AnnotationState.DONE)
        decided = Gold.objects.filter(unit=OuterRef("pk"), layer=stage.layer_id)
        units = Unit.objects.published().filter(project=stage.project_id, language=stage.language, is_current=True)
        return units.filter(Exists(done) | Exists(decided)).order_by("pk")
    missing = held_units(stage).exclude(pk__in=Item.objects.filter(stage=stage).values("unit"))
    holds = kind_of(stage).intake.holds(stage) != Holds.DERIVED
    if stage.made_from is None and not derives_from_labels(kind_of(stage)):
        return missing.order_by("pk") if holds else Unit.objects.none()
    wanted = Q(pk__in=follows_from(stage).values("pk"))
    return Unit.objects.filter(wanted | Q(pk__in=missing.values("pk")) if holds else wanted).order_by("pk")


@transaction.atomic
def fill_stage(stage: Stage, units: Collection[int]) -> int:
    """Make the items of these units in a stage that was added to a project at work. Returns how many units there were.

    Units that were imported since have theirs already. What projections reached goes from the stage that held it till
    now to a review, where nobody has started.
    """
    rows = list(Unit.objects.filter(pk__in=units, is_current=True).select_related("segment").order_by("pk"))
    if stage.adjudicates:
        decided = set(Gold.objects.filter(unit__in=rows, layer=stage.layer_id).values_list("unit_id", flat=True))
        count_decisions(stage, decided)
        for unit in rows:
            if unit.pk not in decided:
                refresh_adjudication(project=stage.project, unit=unit, layer=stage.layer)
        return len(rows)
    if kind_of(stage).intake.holds(stage) == Holds.PROJECTED and stage.layer == stage.project.label_layer:
        reassign_unstarted(stage.project, [unit.pk for unit in rows], language=stage.language)
        return len(rows)
    if stage.made_from is not None or derives_from_labels(kind_of(stage)):
        backfill(stage, rows)
        holds = kind_of(stage).intake.holds(stage) != Holds.DERIVED
        held = set(held_units(stage).filter(pk__in=units).values_list("pk", flat=True)) if holds else set()
    else:
        held = {unit.pk for unit in rows}
    there = set(Item.objects.filter(stage=stage, unit__in=rows).values_list("unit_id", flat=True))
    gold = set(Gold.objects.filter(unit__in=rows, layer=stage.layer_id).values_list("unit_id", "layer_id"))
    enter(stage, [unit for unit in rows if unit.pk in held and unit.pk not in there], decided=gold)
    return len(rows)


@transaction.atomic
def order_stages(*, project: Project, stages: Sequence[int], by: User | None) -> None:
    """Put the project's stages (ids) in this order. Raises ActionError unless each is named once."""
    lock_project(project)
    before = list(project.stages.order_by("position", "pk").values_list("pk", flat=True))
    if sorted(stages) != sorted(before):
        raise ActionError(_("The stages have changed in the meantime. Check the list again."))
    if list(stages) == before:
        return
    for position, pk in enumerate(stages, start=1):
        Stage.objects.filter(pk=pk, project=project).update(position=position)
    log(
        project=project,
        actor=by,
        verb=Verb.STAGE_ORDER,
        subject=project,
        before={"stages": before},
        after={"stages": list(stages)},
    )


@transaction.atomic
def remove_stage(*, stage: Stage, by: User | None) -> None:
    """Take a stage out of the project: what is open in it goes back first, and its items are gone.

    Raises ActionError when somebody has answered or decided in it, another stage is made from it, or it is the last.
    """
    project = stage.project
    lock_project(project)
    numbers = stage_consequences(stage)
    if done := numbers.answers + numbers.decisions:
        raise ActionError(
            ngettext(
                "There is %(number)d finished answer or decision in this stage, so it cannot be removed.",
                "There are %(number)d finished answers and decisions in this stage, so it cannot be removed.",
                done,
            )
            % {"number": done}
        )
    if stage.makes.exists():
        raise ActionError(_("Another stage is made from the answers of this stage. Remove the other stage first."))
    if project.stages.count() == 1:
        raise ActionError(_("A project must have at least one stage. Add another one first."))
    unfinished = Assignment.objects.filter(stage=stage, state=AssignmentState.OPEN)
    give_back(list(unfinished.values_list("pk", flat=True)), by=by, verb=Verb.ASSIGNMENT_FREED)
    log(
        project=project,
        actor=by,
        verb=Verb.STAGE_REMOVE,
        subject=stage,
        before={
            "kind": stage.kind,
            "language": stage.language,
            "layer": stage.layer_id,
            "items": numbers.items,
            "open": numbers.open,
        },
    )
    # Straight away, and not row by row: there may be as many as sentences.
    for rows in (
        BlindMark.objects.filter(assignment__stage=stage),
        Repeat.objects.filter(stage=stage),
        Assignment.objects.filter(stage=stage),
        Item.objects.filter(stage=stage),
        Counter.objects.filter(stage=stage),
    ):
        rows._raw_delete(rows.db)
    Annotation.objects.filter(stage=stage).update(stage=None)
    # What was imported may have been judged in this one for them (`items.enters`).
    heirs = project.stages.filter(
        kind=stage.kind, layer=stage.layer_id, language=stage.language, made_from__isnull=stage.made_from_id is None
    ).exclude(pk=stage.pk)
    stage.delete()
    heir = heirs.order_by("pk").first() if stage.made_from_id is not None else None
    if heir is not None:
        _fill(heir, by)


def _check_layer(project: Project, kind: Kind, slug: str) -> None:
    """Whether a stage of the kind may work on the layer of this name, which is there or can be made."""
    there = Layer.objects.filter(project=project, slug=slug).first()
    if there is None and not kind.layer.several:
        raise ActionError(_("There is no such layer in this project."))
    if there is None and (not _LAYER.fullmatch(slug) or slug in RESERVED_LAYERS or names_a_layer(slug)):
        raise ActionError(
            _(
                "“%(name)s” cannot be the name of a scale. Use lowercase letters, digits and hyphens, and a name "
                "that no other layer has."
            )
            % {"name": slug}
        )
    wanted = (kind.layer.content_type, kind.unit)
    if there is not None and kind.layer.several and (there.content_type, there.unit_kind) != wanted:
        raise ActionError(_("The layer “%(name)s” contains something else. Choose another name.") % {"name": slug})


def _check(project: Project, spec: StageSpec) -> None:
    if spec.language not in project.languages:
        raise ActionError(
            _("The project does not have the language “%(language)s”. Available: %(languages)s.")
            % {"language": spec.language, "languages": ", ".join(project.languages)}
        )
    check_context(spec.context)
    if not 1 <= spec.answers_wanted <= MAX_ANSWERS:
        raise ActionError(_("An item can be answered by 1 to %(most)d people.") % {"most": MAX_ANSWERS})
    if spec.kind == Stage.ADJUDICATE:
        layer = project.layers.filter(slug=spec.layer).first()
        if layer is None:
            raise ActionError(_("Choose the layer to adjudicate."))
        if Stage.objects.filter(project=project, kind=spec.kind, layer=layer, language=spec.language).exists():
            raise ActionError(_("Another stage already adjudicates this layer in this language."))
        return
    try:
        kind = kind_named(spec.kind)
    except LookupError:
        raise ActionError(_("Unknown kind of work “%(kind)s”.") % {"kind": spec.kind}) from None
    if spec.layer:
        _check_layer(project, kind, spec.layer)
    if not kind.intake.standalone and not spec.made_from:
        raise ActionError(_("Choose the stage that this one is made from."))
    if spec.made_from:
        _check_made_from(project, kind, spec)


def _check_only(stage: Stage) -> None:
    """Whether a new stage is the only one of its kind that is made from another one: a second one would hold the same
    units, of which each person answers in one alone. People may write in several from the same."""
    if isinstance(content_type(stage.layer.content_type), Written):
        return
    same = Stage.objects.filter(kind=stage.kind, layer=stage.layer_id, made_from=stage.made_from_id)
    if stage.made_from_id is not None and same.exclude(pk=stage.pk).exists():
        raise ActionError(
            _("A stage “%(kind)s” (%(language)s) already exists. To have more people answer, remove it first.")
            % {"kind": kind_of(stage).title, "language": stage.language}
        )


def _check_made_from(project: Project, kind: Kind, spec: StageSpec) -> None:
    stages = project.stages.filter(kind=spec.made_from, language=spec.language).select_related("layer")
    layers = [stage.layer for stage in stages]
    if any(kind.intake.accepts(layer) for layer in layers):
        return
    gaps = {"kind": kind.title, "other": spec.made_from}
    fit = [f"“{other.title}” ({other.slug})" for other in kinds() if any(map(other.intake.accepts, layers))]
    if fit:
        gaps["fit"] = ", ".join(fit)
        raise ActionError(_("“%(kind)s” cannot be made from “%(other)s”. These kinds of work can: %(fit)s.") % gaps)
    raise ActionError(
        _(
            "“%(kind)s” cannot be made from “%(other)s” in this language: that stage does not exist, or none of "
            "its answers fit."
        )
        % gaps
    )
