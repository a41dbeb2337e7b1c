"""What was made from an answer goes back to the person who gave it: they rewrite it, and a new revision is made."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotator.core.counters import OWN
from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.events import log
from annotator.core.kind import is_beside
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Stage, Unit, User
from annotator.work.answering.actions.own_answers import answer_data
from annotator.work.derivation.actions.withdrawing import withdraw
from annotator.work.queue.actions.giving_back import give_back
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.queries.orphaned_answers import members_in


@again_on_deadlock
@transaction.atomic
def return_answer(*, stage: Stage, unit: Unit, by: User | None) -> bool:
    """Open the answer again that `unit` was made from, in the stage before `stage`; the unit is withdrawn.

    Other units that were made from it stay; the next finished answer keeps those whose text is the same. It is its
    author's open work again, from the next claim on; of somebody who is given no work in its language any more it is
    free for others. Where it was opened again already, only the unit is withdrawn. Returns whether there was such an
    answer, without gold; False changes nothing.
    """
    if stage.made_from is None or unit.author_id is None:
        return False
    assignment = (
        Assignment.objects.select_for_update(no_key=True, of=("self", "item"))
        .select_related("item", "stage")
        .filter(stage=stage.made_from, unit__children=unit, user=unit.author_id)
        .first()
    )
    if assignment is None or assignment.item.state == ItemState.DECIDED:
        return False
    answer = Annotation.objects.filter(
        unit=assignment.unit_id, layer=stage.made_from.layer_id, user=unit.author_id
    ).first()
    if answer is None:
        return False
    is_done = answer.state == AnnotationState.DONE
    if is_done and assignment.state != AssignmentState.DONE:
        return False
    log(
        project=stage.project,
        actor=by,
        verb=Verb.ANNOTATION_RETURNED,
        subject=answer,
        # What could be undone then can be again where this is undone.
        before={**(answer_data(answer) or {}), "undo_event": answer.undo_event},
        after={"version": answer.version + is_done, "state": AnnotationState.OPEN.value, "unit": unit.pk},
    )
    withdraw([unit], by)
    if is_done:
        _open_again(answer, assignment)
        if unit.author not in members_in(stage.project, stage.language):
            give_back([assignment.pk], by=by, verb=Verb.ASSIGNMENT_FREED)
    return True


def _open_again(answer: Annotation, assignment: Assignment) -> None:
    # There is nothing to undo: an earlier save would be finished again.
    Annotation.objects.filter(pk=answer.pk).update(
        state=AnnotationState.OPEN, version=F("version") + 1, done_at=None, undo_event=None, updated_at=timezone.now()
    )
    Assignment.objects.filter(pk=assignment.pk).update(state=AssignmentState.OPEN, done_at=None, expires_at=None)
    is_extra = is_beside(assignment.stage, assignment.mode)
    own = OWN[Mode(assignment.mode)]
    change_item(
        assignment.item,
        user=assignment.user_id,
        answers_open=0 if is_extra else 1,
        answers_done=0 if is_extra else -1,
        extra_open=int(is_extra),
        extra_done=-int(is_extra),
        own={f"{own}_open": 1, f"{own}_done": -1},
    )
