"""The parts of a save or an undo, in its transaction: what came of the earlier answer goes, the answer is written, its
assignment and item follow, and so does what hangs on finished answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import F

from annotator.core.counters import OWN
from annotator.core.database.bulk import insert_one
from annotator.core.kind import is_beside, kind_of, on_change
from annotator.core.prepared import execute
from annotator.domain.context import Context, most
from annotator.domain.effective_content import Answer
from annotator.domain.states import ASSIGNMENT_STATES, AnnotationState, AssignmentState, ItemState, Mode, may_become
from annotator.models import Annotation, Assignment, User
from annotator.work.answering.actions.own_answers import is_finished, main_suggestion
from annotator.work.answering.actions.policies import check_is_there, check_undecided
from annotator.work.blind.actions.blind_marks import mark_blind
from annotator.work.derivation.actions.changes import answer_changed
from annotator.work.gold.actions.adjudication import refresh_adjudication, withdraw_adjudication
from annotator.work.gold.actions.gold_of_answers import take_back_of_answers
from annotator.work.lexicon.actions.lemmas import mark_places
from annotator.work.queue.actions.items import change_item
from annotator.work.queue.actions.order import refresh_order
from annotator.work.queue.actions.undone_returns import undo_return


def withdraw_results(row: Assignment, by: User, now: datetime) -> None:
    """What came of answers by itself goes when one of them is changed: gold, or that the text went back to its writer.
    Raises ActionError for other gold, and where the writer has started."""
    if not row.unit.is_current and not undo_return(row, by=by, now=now):
        check_is_there(row.stage, row.item, row.unit)
    if row.item.state == ItemState.DECIDED and not take_back_of_answers(row, by=by):
        check_undecided(row.item)


def write_answer(
    row: Assignment,
    current: Annotation | None,
    mine: dict[str, Any],
    *,
    by: User,
    now: datetime,
    seconds: float,
    undo: int | None,
) -> Annotation:
    """One statement: the first version, or the next one over the one that was read under the item's lock."""
    done = mine["state"] == AnnotationState.DONE
    stamp = {
        "scheme_version": row.stage.layer.scheme_version,
        "guidelines_version": row.project.guidelines_version,
        "undo_event": undo,
        # What was started blind, handed back and claimed again is finished with suggestions in sight.
        "mode": row.mode,
        "context": _context_of(row, current),
    }
    if current is None:
        main = main_suggestion(row)
        created = Annotation(
            project_id=row.project_id,
            unit_id=row.unit_id,
            layer_id=row.stage.layer_id,
            stage_id=row.stage_id,
            user=by,
            suggestion=main,
            suggested=main.content if main else None,
            shown=row.shown,
            seconds=seconds,
            done_at=now if done else None,
            **mine,
            **stamp,
        )
        return insert_one(created)
    done_at = (current.done_at or now) if done else None
    Annotation.objects.filter(pk=current.pk).update(
        **mine, **stamp, version=F("version") + 1, updated_at=now, done_at=done_at, seconds=F("seconds") + seconds
    )
    for name, value in {**mine, **stamp}.items():
        setattr(current, name, value)
    current.version, current.updated_at, current.done_at = current.version + 1, now, done_at
    return current


def _context_of(row: Assignment, current: Annotation | None) -> str:
    """The most that was shown around the unit while this person answered it."""
    levels = [level for level in (row.context or row.stage.shown_context, current and current.context) if level]
    return most(*map(Context, levels)) if levels else ""


def update_assignment(row: Assignment, *, done: bool, doubt: bool, comment: str, by: User, now: datetime) -> None:
    """The assignment and its item follow the annotation: three statements, more where others answer the item too."""
    before = AssignmentState(row.state)
    after = AssignmentState.DONE if done else AssignmentState.OPEN
    if not may_become(ASSIGNMENT_STATES, before, after):
        raise ValueError(f"An assignment that is {before} cannot become {after}.")
    done_at = (row.done_at or now) if done else None
    execute(
        "UPDATE annotator_assignment SET state = %s, done_at = %s, expires_at = NULL, doubtful = %s WHERE id = %s",
        [after.value, done_at and connection.ops.adapt_datetimefield_value(done_at), doubt, row.pk],
    )
    row.state, row.done_at, row.expires_at, row.doubtful = after, done_at, None, doubt
    if before == AssignmentState.RETURNED and row.mode == Mode.BLIND:
        # Its marks went when it was returned.
        mark_blind([row], row.stage)
    if before == AssignmentState.RETURNED:
        # They are at work again: what others said waits until they are done.
        withdraw_adjudication([row.unit_id], row.stage.layer_id)
    opened = (after == AssignmentState.OPEN) - (before == AssignmentState.OPEN)
    finished = (after == AssignmentState.DONE) - (before == AssignmentState.DONE)
    flags = {"doubtful": doubt, "commented": bool(comment)}
    if row.item.answers_open + row.item.answers_done + row.item.extra_open + row.item.extra_done > 1:
        beside = Annotation.objects.filter(unit=row.unit_id, layer=row.stage.layer_id).exclude(user=by)
        flags["doubtful"] = doubt or beside.filter(doubt=True).exists()
        flags["commented"] = bool(comment) or beside.exclude(comment="").exists()
    flags = {name: value for name, value in flags.items() if getattr(row.item, name) != value}
    if not (opened or finished or flags):
        return
    extra = is_beside(row.stage, row.mode)
    own = OWN[Mode(row.mode)]
    change_item(
        row.item,
        user=by,
        answers_open=0 if extra else opened,
        answers_done=0 if extra else finished,
        extra_open=opened if extra else 0,
        extra_done=finished if extra else 0,
        own={f"{own}_open": opened, f"{own}_done": finished},
        **flags,
    )


def after_answer(
    row: Assignment, saved: Annotation, before: dict[str, Any] | None, others: list[Annotation], *, by: User
) -> None:
    """What hangs on a finished answer: which labels stand, whether it waits for adjudication, units made from it."""
    was_done = is_finished(before)
    is_done = saved.state == AnnotationState.DONE
    if not (was_done or is_done):
        return
    answers = _answers(saved, others)
    mark_places(row.unit, row.stage.layer, answers)
    if was_done != is_done:
        refresh_order(row.project, [row.unit])
    doubted = saved.doubt or bool(before and before["doubt"])
    if len(answers) > 1 or doubted or row.item.extra_done or row.item.extra_open or (was_done and not is_done):
        refresh_adjudication(project=row.project, unit=row.unit, layer=row.stage.layer)
    answer_changed(row, sorted([saved, *others], key=lambda one: one.pk), by=by)
    if kind_of(row.stage).outcome is not None:
        on_change(row.stage, row.unit, by)
        # It may have gone back to its writer.
        row.unit.refresh_from_db(fields=["is_current"])


def _answers(saved: Annotation, others: list[Annotation]) -> list[Answer]:
    """The finished answers in the layer, in the order in which they were started."""
    finished = [one for one in (saved, *others) if one.state == AnnotationState.DONE]
    return [Answer(one.mode, one.content, one.user_id) for one in sorted(finished, key=lambda one: one.pk)]
