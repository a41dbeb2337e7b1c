"""Sentences that should not be in the corpus: set aside with a reason, and restored.

What is set aside leaves all stages in all its languages, with everything that contains it or was made from it (pairs,
texts that people wrote, tuples). What was said of it stays on record, and comes back when it is restored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError, NotYoursError
from annotator.core.events import log
from annotator.domain.effective_content import Answer
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Gold, Pair, Project, Segment, Stage, Unit, User
from annotator.projects.actions.stages import fill_stage, missing_units
from annotator.work.derivation.actions.withdrawing import restore, withdraw
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.items import BATCH, enter_stages
from annotator.work.queue.actions.order import refresh_order
from annotator.work.queue.queries.set_aside import can_be_set_aside

MAX_REASON = 200


@again_on_deadlock
@transaction.atomic
def set_aside(*, project: Project, unit: int, reason: str, by: User | None, anybodys: bool = False) -> Segment:
    """Take a sentence out of the corpus, in all its languages, for a reason.

    `unit`: any of its texts. `anybodys`: not only where the person has an answer of their own and no gold is decided.
    Doing it again changes nothing. Raises ActionError without a reason, and for what is no sentence; NotYoursError when
    it is not theirs to decide.
    """
    segment = _held(project, unit)
    text = " ".join(reason.split())
    if not text or len(text) > MAX_REASON:
        raise ActionError(_("Say why, in 1 to %(most)d characters.") % {"most": MAX_REASON})
    if segment.set_aside_reason:
        return segment
    if not can_be_set_aside(segment):
        raise ActionError(
            _("Only sentences can be set aside. Discard the pair, or reject the text that someone wrote.")
        )
    if not anybodys and by is not None:
        _check_own(segment, by)
    units = _with_what_contains(segment)
    segment.set_aside_reason, segment.set_aside_by = text, by
    segment.save(update_fields=["set_aside_reason", "set_aside_by"])
    withdraw(units, by)
    Unit.objects.filter(pk__in=[one.pk for one in units]).update(set_aside_with=segment)
    log(
        project=project,
        actor=by,
        verb=Verb.SENTENCE_SET_ASIDE,
        subject=segment,
        after={"reason": text, "units": [one.pk for one in units]},
    )
    return segment


@again_on_deadlock
@transaction.atomic
def restore_sentence(*, project: Project, unit: int, by: User | None, anybodys: bool = False) -> Segment:
    """Undo `set_aside`: the sentence is where it was, with everybody's answers and gold, and so is what went with it,
    unless another sentence in it is set aside, too.

    `anybodys`: not only what the person set aside themselves. Doing it again changes nothing. Raises NotYoursError.
    """
    segment = _held(project, unit)
    if not segment.set_aside_reason:
        return segment
    if not anybodys and (by is None or segment.set_aside_by_id != by.pk):
        raise NotYoursError(_("Someone else set this sentence aside. Ask an adjudicator to restore it."))
    before = segment.set_aside_reason
    segment.set_aside_reason, segment.set_aside_by = "", None
    segment.save(update_fields=["set_aside_reason", "set_aside_by"])
    back = _restored(project, segment, by)
    log(
        project=project,
        actor=by,
        verb=Verb.SENTENCE_RESTORED,
        subject=segment,
        before={"reason": before},
        after={"units": [one.pk for one in back]},
    )
    return segment


def _held(project: Project, unit: int) -> Segment:
    """The segment of a unit of the project, locked, after the project."""
    lock_project(project)
    row = Unit.objects.published().filter(project=project, pk=unit).first()
    if row is None:
        raise NotYoursError(_("There is no such sentence in this project."))
    return Segment.objects.select_for_update(no_key=True).get(pk=row.segment_id)


def _check_own(segment: Segment, by: User) -> None:
    own = Assignment.objects.filter(unit__segment=segment, unit__is_current=True, user=by)
    if not own.exclude(state=AssignmentState.RETURNED).exists():
        raise NotYoursError(_("This sentence is not assigned to you. Ask an adjudicator to set it aside."))
    if Gold.objects.filter(unit__segment=segment, unit__is_current=True).exists():
        raise NotYoursError(_("Gold is decided on this sentence. Ask an adjudicator to set it aside."))


def _with_what_contains(segment: Segment) -> list[Unit]:
    """The current texts of a segment, and the current units that contain them or were made from them, however far."""
    pairs = Pair.objects.filter(Q(premise=segment) | Q(hypothesis=segment)).values("segment")
    found = {one.pk: one for one in _locked(Q(segment=segment) | Q(segment__in=pairs))}
    last: Collection[int] = list(found)
    while last:
        links = Unit.parents.through.objects.filter(to_unit__in=last).values("from_unit")
        made = {one.pk: one for one in _locked(Q(pk__in=links)) if one.pk not in found}
        found |= made
        last = list(made)
    return list(found.values())


def _locked(which: Q) -> list[Unit]:
    """Current units, held as by anyone who saves or decides on one."""
    rows = Unit.objects.filter(which, is_current=True).select_related("segment")
    return list(rows.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def _restored(project: Project, segment: Segment, by: User | None) -> list[Unit]:
    """Bring back what went with a segment; what contains another one that is set aside stays away, with that one."""
    went = list(Unit.objects.filter(set_aside_with=segment).select_related("segment").order_by("pk"))
    touched = {one for unit in went for one in unit.touches}
    others = set(Segment.objects.filter(pk__in=touched).exclude(set_aside_reason="").values_list("pk", flat=True))
    back = []
    for unit in went:
        unit.set_aside_with_id = next((one for one in unit.touches if one in others), None)
        if unit.set_aside_with_id is None:
            back.append(unit)
    Unit.objects.bulk_update(went, ["set_aside_with"], batch_size=BATCH)
    restore(back, by)
    _mark_labels(project, back)
    _refresh_decisions(project, back)
    _complete_pairs(project, segment)
    _enter_new_stages(project, back)
    refresh_order(project, back)
    return back


def _mark_labels(project: Project, units: Sequence[Unit]) -> None:
    """The index of lemmas was made again: it tells again which words the labels cover."""
    layer = project.label_layer
    gold = dict(Gold.objects.filter(unit__in=units, layer=layer).values_list("unit_id", "content"))
    done = Annotation.objects.filter(unit__in=units, layer=layer, state=AnnotationState.DONE).order_by("pk")
    answers: dict[int, list[Answer]] = {}
    for unit, mode, content, user in done.values_list("unit_id", "mode", "content", "user_id"):
        answers.setdefault(unit, []).append(Answer(mode, content, user))
    for one in units:
        mark_places(one, layer, answers.get(one.pk, ()), gold.get(one.pk))


def _refresh_decisions(project: Project, units: Sequence[Unit]) -> None:
    """What waited for a decision waits again, also where the answers came with files, and are to no item."""
    by_id = {one.pk: one for one in units}
    done = Annotation.objects.filter(unit__in=units, state=AnnotationState.DONE).select_related("layer")
    for unit, layer in {(row.unit_id, row.layer) for row in done}:
        refresh_adjudication(project=project, unit=by_id[unit], layer=layer)


def _complete_pairs(project: Project, segment: Segment) -> None:
    """Pairs that came in meanwhile, in every language in which both of their sentences are there now."""
    for pair in Pair.objects.published().filter(Q(premise=segment) | Q(hypothesis=segment)).select_related("segment"):
        sides = Unit.objects.filter(segment__in=[pair.premise_id, pair.hypothesis_id], is_current=True).order_by("pk")
        there = set(Unit.objects.filter(segment=pair.segment_id).values_list("language", flat=True))
        for language in project.languages:
            both = [unit for unit in sides if unit.language == language]
            if language in there or {unit.segment_id for unit in both} != {pair.premise_id, pair.hypothesis_id}:
                continue
            unit = Unit.objects.create(
                project=project,
                segment=pair.segment,
                kind=Segment.PAIR,
                language=language,
                imported_id=pair.imported_id,
                touches=[pair.segment_id, pair.premise_id, pair.hypothesis_id],
            )
            unit.parents.set(both)
            enter_stages(project, [unit])


def _enter_new_stages(project: Project, units: Sequence[Unit]) -> None:
    """Stages that were added meanwhile hold the units, too."""
    ids = [one.pk for one in units]
    for stage in project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer", "made_from"):
        stage.project = project
        if missing := list(missing_units(stage).filter(pk__in=ids).values_list("pk", flat=True)):
            fill_stage(stage, missing)
