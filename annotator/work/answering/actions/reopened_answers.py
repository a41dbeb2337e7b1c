"""Finished answers that are opened again by somebody else, as they are, so that the person looks at them once more."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.states import AnnotationState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Project, User
from annotator.work.answering.actions.own_answers import answer_data, answers_on_unit, check_can_answer, own_assignment
from annotator.work.answering.actions.policies import check_not_final
from annotator.work.answering.actions.written_answers import (
    after_answer,
    update_assignment,
    withdraw_results,
    write_answer,
)

# The other state that an answer was in before.
_BEFORE = {AnnotationState.OPEN: AnnotationState.DONE, AnnotationState.DONE: AnnotationState.OPEN}


def reopen_answer(
    *, project: Project, assignment: Assignment, by: User, now: datetime, operation: uuid.UUID
) -> Annotation:
    """Open somebody's finished answer again. Its content stays: they confirm or change it, and their own undo finishes
    it as it was. Raises ActionError where there is none, or where it may not be changed."""
    return _in_state(project, assignment, None, AnnotationState.OPEN, by=by, now=now, operation=operation)


def finish_again(
    *, project: Project, assignment: Assignment, version: int, by: User, now: datetime, operation: uuid.UUID
) -> Annotation:
    """Undo `reopen_answer`, where the person has saved nothing since: `version` is that of the open answer."""
    return _in_state(project, assignment, version, AnnotationState.DONE, by=by, now=now, operation=operation)


@again_on_deadlock
@transaction.atomic
def _in_state(
    project: Project,
    assignment: Assignment,
    version: int | None,
    state: AnnotationState,
    *,
    by: User,
    now: datetime,
    operation: uuid.UUID,
) -> Annotation:
    user, done = assignment.user, state == AnnotationState.DONE
    row = own_assignment(project, assignment.pk, user)
    check_can_answer(row, user)
    current, others = answers_on_unit(row, user)
    before = answer_data(current)
    if current is None or before is None or current.state != _BEFORE[state] or version not in (None, current.version):
        raise ActionError(_("The answer was changed in the meantime."))
    if not done:
        check_not_final(row.stage, row.unit)
        withdraw_results(row, user, now)
    mine = {**{name: before[name] for name in ("content", "doubt", "comment")}, "state": state.value}
    event = log(
        project=project,
        actor=by,
        verb=Verb.ANNOTATION_SAVED,
        subject=current,
        before={**before, "undo_event": current.undo_event},
        after={"version": current.version + 1, **mine},
        operation=operation,
    )
    # Finished again, it is undone to what it was undone to before it was opened.
    undo = _undo_before(current) if done else event.pk
    saved = write_answer(row, current, mine, by=user, now=now, seconds=0, undo=undo)
    update_assignment(row, done=done, doubt=saved.doubt, comment=saved.comment, by=user, now=now)
    after_answer(row, saved, before, others, by=user)
    return saved


def _undo_before(current: Annotation) -> int | None:
    told = Event.objects.filter(pk=current.undo_event or 0).values_list("before", flat=True).first()
    undo: int | None = (told or {}).get("undo_event")
    return undo
