"""A text that went back to somebody who left is handed over to another writer, or discarded."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Item, Stage, User
from annotator.work.answering.actions.own_answers import answer_data
from annotator.work.blind.queries.blind import is_blind
from annotator.work.queue.actions.assignments import assign_review
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import make_room
from annotator.work.queue.queries.free import hidden_units
from annotator.work.queue.queries.orphaned_answers import LeftText, members_in, orphaned_answers
from annotator.work.queue.queries.reassigned import taken_by

MAX_REASON = 500


@again_on_deadlock
@transaction.atomic
def hand_over(*, stage: Stage, answer: int, to: User, by: User) -> Annotation:
    """Give what its writer left to somebody else to revise: they begin from it, as an answer of their own.

    Raises ActionError where it does not wait any more, or where `to` is given no work in the language, has answered
    there, or must not see it: what they answer in another stage would be told to them, such as blind work.
    """
    left = _left(stage, answer)
    if to not in members_in(stage.project, stage.language):
        raise ActionError(_("%(name)s is not assigned work in this language here.") % {"name": to})
    _free(left, by)
    unit = left.answer.unit
    item = Item.objects.select_for_update(no_key=True).get(stage=stage, unit=unit)
    # Somebody may be writing a text of their own there.
    make_room(item)
    taken = Annotation.objects.filter(unit=unit, layer=stage.layer_id, user=to).first()
    is_theirs = taken is None or taken in taken_by([left.answer]).get(left.answer.pk, ())
    if is_theirs and hidden_units(stage, to, [unit]):
        why = _("%(name)s works blind there and must not read what others wrote. Choose someone else.")
        if not is_blind(to, unit):
            why = _("%(name)s answers this in another stage. Choose someone else.")
        raise ActionError(why % {"name": to})
    if not is_theirs or not assign_review(stage=stage, units=[unit.pk], user=to, by=by):
        raise ActionError(_("%(name)s has already written something there. Choose someone else.") % {"name": to})
    # The person who had it before continues with what they began.
    taken = taken or _begun(stage, left.answer, to)
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ANNOTATION_HANDED_OVER,
        subject=taken,
        after={**(answer_data(taken) or {}), "user": left.answer.user_id},
    )
    return taken


def _begun(stage: Stage, left: Annotation, to: User) -> Annotation:
    given = Assignment.objects.get(stage=stage, unit=left.unit_id, user=to)
    return Annotation.objects.create(
        project_id=stage.project_id,
        unit_id=left.unit_id,
        layer_id=stage.layer_id,
        stage=stage,
        user=to,
        mode=given.mode,
        content=left.content,
        scheme_version=stage.layer.scheme_version,
        guidelines_version=stage.project.guidelines_version,
    )


@again_on_deadlock
@transaction.atomic
def give_up(*, stage: Stage, answer: int, reason: str, by: User) -> None:
    """Let nobody revise what its writer left: releases leave it out, and list it. Its writer may still, if they return.

    Raises ActionError without a reason, or where it does not wait any more.
    """
    # Releases list it in a table.
    reason = " ".join(reason.split())
    if not 0 < len(reason) <= MAX_REASON:
        raise ActionError(
            _("Say briefly why nobody will revise it (at most %(most)d characters).") % {"most": MAX_REASON}
        )
    left = _left(stage, answer)
    _free(left, by)
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ANNOTATION_GIVEN_UP,
        subject=left.answer,
        before={"version": left.answer.version, "state": AnnotationState.OPEN.value},
        after={"units": [unit.pk for unit in left.units], "reason": reason},
    )


def _left(stage: Stage, answer: int) -> LeftText:
    list(Annotation.objects.select_for_update(no_key=True).filter(pk=answer, stage=stage))
    for left in orphaned_answers([stage]).get(stage.pk, ()):
        if left.answer.pk == answer:
            return left
    raise ActionError(_("This text is no longer waiting: someone has taken it over, or its writer is back."))


def _free(left: LeftText, by: User) -> None:
    """Take its place from those who left it: whose account was deactivated holds it still."""
    people = [left.answer.user_id, *(one.user_id for one in taken_by([left.answer]).get(left.answer.pk, ()))]
    held = Assignment.objects.filter(
        stage=left.answer.stage_id, unit=left.answer.unit_id, user__in=people, state=AssignmentState.OPEN
    )
    give_back(list(held.values_list("pk", flat=True)), by=by, verb=Verb.ASSIGNMENT_FREED)
