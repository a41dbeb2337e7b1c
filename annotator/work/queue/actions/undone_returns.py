"""What went back to its writer by a slip comes out of their list again."""

from __future__ import annotations

from datetime import datetime

from annotator.core.counters import OWN
from annotator.core.events import log
from annotator.core.kind import is_beside
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, User
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.derivation.actions.withdrawing import restore
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.queries.returned import WentBack, sent_back, undoable_return


def undo_return(row: Assignment, *, by: User, now: datetime) -> bool:
    """Undo `returns.return_answer`, since `by` changes a verdict that asked for it: the unit of their assignment is
    judged again as it was, and the answer that it was made from is finished, unless other texts in it are sent back.

    Returns whether it could be (`queries.returned.slip`); False changes nothing. Unit and item of `row` are held, and
    are as they were on return.
    """
    unit = row.unit
    # Held before the answer is read: its writer may be saving it.
    given = (
        Assignment.objects.select_for_update(no_key=True, of=("self", "item"))
        .select_related("item", "stage", "unit")
        .filter(stage=row.stage.made_from, unit__children=unit, user=unit.author_id)
        .first()
    )
    back = undoable_return(row.stage, unit, by)
    if given is None or back is None:
        return False
    if not _has_room(given):
        return False
    opened = None if len(sent_back([back.answer.pk])[back.answer.pk]) > 1 else _opening(back)
    log(
        project=row.project,
        actor=by,
        verb=Verb.ANNOTATION_RETURN_UNDONE,
        subject=back.answer,
        before={"version": back.answer.version, "state": AnnotationState.OPEN.value},
        after={"version": back.answer.version + (opened is not None), "unit": unit.pk, "undoes": back.event.pk},
    )
    if opened is not None:
        _finish_again(back.answer, given, opened, now)
    restore([unit], by, changing=row.item)
    row.item.refresh_from_db()
    return True


def _opening(back: WentBack) -> Event | None:
    """The event by which the answer was opened, also where that one was undone and other texts kept it open; None where
    its writer had opened it themselves."""
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "", subject_id=back.answer.pk, verb=Verb.ANNOTATION_RETURNED
    )
    for event in events.order_by("pk"):
        was_done = (event.before or {})["state"] == AnnotationState.DONE
        if was_done and (event.after or {})["version"] == back.answer.version:
            return event
    return None


def _has_room(given: Assignment) -> bool:
    """Whether nobody else has got what the writer was to revise."""
    is_extra = is_beside(given.stage, given.mode)
    return given.state != AssignmentState.RETURNED or is_extra or given.item.state == ItemState.FREE


def _finish_again(answer: Annotation, given: Assignment, opened: Event, now: datetime) -> None:
    """Undo `returns._open_again`, and that it was given back where its writer is no member any more."""
    Annotation.objects.filter(pk=answer.pk).update(
        state=AnnotationState.DONE,
        version=answer.version + 1,
        done_at=now,
        undo_event=(opened.before or {}).get("undo_event"),
        updated_at=now,
    )
    was_open = given.state == AssignmentState.OPEN
    Assignment.objects.filter(pk=given.pk).update(state=AssignmentState.DONE, done_at=now, expires_at=None)
    if given.mode == Mode.BLIND and not was_open:
        # Its marks went when it was returned.
        mark_blind([given], given.stage)
    is_extra = is_beside(given.stage, given.mode)
    own = OWN[Mode(given.mode)]
    change_item(
        given.item,
        user=given.user_id,
        answers_open=0 if is_extra else -was_open,
        answers_done=0 if is_extra else 1,
        extra_open=-was_open if is_extra else 0,
        extra_done=int(is_extra),
        own={f"{own}_open": -was_open, f"{own}_done": 1},
    )
