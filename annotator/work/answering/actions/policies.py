"""What an object's state allows, apart from what a person is permitted to do (`annotator.core.permissions`).

Each rule raises ActionError with a sentence that says what to do next. Guarded by tests/work/test_policies.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, NotYoursError
from annotator.core.kind import locked_units
from annotator.core.policies import check_open
from annotator.domain.content import Written, content_type
from annotator.domain.states import AssignmentState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Item, Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.own import own_units
from annotator.work.blind.queries.blind import is_blind
from annotator.work.queue.queries.returned import returns_of, was_given_up, went_back


def check_can_claim(stage: Stage) -> None:
    """Whether items of the stage are claimed at all."""
    check_open(stage.project)
    if stage.adjudicates:
        raise ActionError(_("Items can't be claimed in this stage. Use its adjudication queue."))


def check_not_aside(unit: Unit) -> None:
    """Raise ActionError for a unit that is set aside: it is not answered, and answers to it are not undone."""
    if unit.set_aside_with_id is not None:
        raise ActionError(
            _("This item was set aside because it should not be in the corpus. Continue with the next one.")
        )


def check_is_there(stage: Stage, item: Item, unit: Unit) -> None:
    """Whether the text of an item of the stage still stands."""
    check_not_aside(unit)
    if not unit.is_current or item.state == ItemState.VOID:
        back = went_back(stage, unit)
        if back is not None and back.is_reassigned:
            raise ActionError(
                _(
                    "This text was sent back, and someone else is revising it. You can judge it again once they have "
                    "finished."
                )
            )
        if back is not None and back.begun:
            raise ActionError(
                _("The writer has started revising this text. You can judge it again once they have finished.")
            )
        if back is not None:
            raise ActionError(_("This text was sent back to be revised. You can judge it again once that is finished."))
        if Event.objects.filter(subject_type=Unit._meta.model_name, subject_id=unit.pk, verb=Verb.UNIT_CLOSED).exists():
            raise ActionError(_("The source text was changed, so this item is closed. Continue with the next one."))
        if was_given_up(stage, unit):
            raise ActionError(_("This text was sent back, and a manager discarded it. Continue with the next one."))
        raise ActionError(_("The text has changed. Continue with its new revision."))


def check_undecided(item: Item) -> None:
    """Whether gold is not decided on an item yet."""
    if item.state == ItemState.DECIDED:
        raise ActionError(_("Gold has been decided here. An adjudicator must reopen it first."))


def check_not_final(stage: Stage, unit: Unit) -> None:
    """Whether a finished answer to the unit may be changed: not while gold is decided on what all answers became."""
    if locked_units(stage, [unit]):
        raise ActionError(
            _("Gold has been decided on an item derived from these answers. An adjudicator must reopen it first.")
        )


def check_can_decide(unit: Unit, layer: Layer, items: Iterable[Item], by: User | None) -> None:
    """Whether gold may be decided on a unit in a layer, by this person."""
    check_not_aside(unit)
    if not unit.is_current:
        raise ActionError(_("The text has changed. Decide on its new revision."))
    check_may_judge(unit, layer, by)
    if any(item.answers_open or item.extra_open for item in items):
        raise ActionError(_("Someone is still working on this item. You can decide on it once everyone is done."))


def check_not_written(layer: Layer) -> None:
    """Whether gold is decided in the layer at all: a written text is judged as the unit that it becomes."""
    if isinstance(content_type(layer.content_type), Written):
        raise ActionError(
            _("Texts written in this stage are not decided here. Decide on them in the stage where others judge them.")
        )


def check_not_own(unit: Unit, by: User | None) -> None:
    """Whether somebody else wrote the unit: nobody answers or decides on what was made from their own answer."""
    if by is not None and own_units(by, [unit]):
        raise ActionError(_("You wrote this yourself, so someone else must judge it."))


def check_mended(before: Collection[Unit], annotation: Annotation, taken: Annotation | None) -> None:
    """Whether a text may become a unit again that went back to its writer: with a comment that was not there then.
    `before` are the units that it was, whatever was written in between; `taken` is the answer that it was taken over
    from. No query where there are none."""
    answers = [annotation] if taken is None else [annotation, taken]
    comments = [(event.before or {})["comment"] for event in _sent_back(before, answers)] if before else ()
    if any(annotation.comment.strip() in ("", comment.strip()) for comment in comments):
        raise ActionError(
            _("Nothing has changed since it was sent back. Revise it, or explain in the comment why you keep it.")
        )


def _sent_back(units: Collection[Unit], answers: Collection[Annotation]) -> list[Event]:
    ids = {unit.pk for unit in units}
    return [event for event in returns_of([answer.pk for answer in answers]) if (event.after or {})["unit"] in ids]


def check_may_judge(unit: Unit, layer: Layer, by: User | None) -> None:
    """Whether this person may decide or reopen on a unit: not while blind there, nor on own work where barred."""
    if by is None:
        return
    check_not_own(unit, by)
    if is_blind(by, unit):
        raise ActionError(_("You annotated this item blind, so someone else must decide on it."))
    project: Project = unit.project
    if not project.adjudicate_own and Annotation.objects.filter(unit=unit, layer=layer, user=by).exists():
        raise ActionError(_("You annotated this item yourself. In this project, someone else must decide on it."))


def check_can_revise(unit: Unit, by: User | None, *, anybodys: bool) -> None:
    """Whether this person may fix the text of a sentence: their own work, or `anybodys`; not while blind there.

    Blind answers are compared with each other: anyone who gives one must not change what the others read.
    """
    if by is None:
        return
    if not anybodys:
        own = Assignment.objects.filter(unit=unit, user=by).exclude(state=AssignmentState.RETURNED)
        if not own.exists():
            raise NotYoursError(_("This sentence is not assigned to you, so you can't edit its text."))
    if is_blind(by, unit):
        raise ActionError(
            _(
                "You are annotating this sentence blind, so you can't edit its text. Say in the comment what is "
                "wrong with it."
            )
        )
