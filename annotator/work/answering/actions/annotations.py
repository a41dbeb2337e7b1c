"""One person's content on one unit in one layer: saved in versions, undone by events. Whatever the content type."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError, ConflictError, translate
from annotator.core.events import log
from annotator.core.kind import fitted, quota
from annotator.domain.content import Commented, Content, ContentError, content_type
from annotator.domain.states import AnnotationState, AssignmentState, Mode
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Project, User
from annotator.work.answering.actions.own_answers import (
    answer_data,
    answers_on_unit,
    check_can_answer,
    has_it_elsewhere,
    initial_answer,
    is_finished,
    is_reassigned,
    own_assignment,
)
from annotator.work.answering.actions.policies import check_not_final, check_not_own
from annotator.work.answering.actions.versions import version_to_replace
from annotator.work.answering.actions.written_answers import (
    after_answer,
    update_assignment,
    withdraw_results,
    write_answer,
)
from annotator.work.derivation.actions.sources import see_sources, unsee_sources
from annotator.work.lexicon.actions.terms import count_terms


@dataclass(frozen=True)
class _Sent:
    """What a person sends of an answer, over the version that they saw."""

    version: int
    content: Any
    doubt: bool
    comment: str
    done: bool
    seconds: float
    operation: uuid.UUID | None = None


def save_annotation(  # noqa: PLR0913 -- what a save sends, by name
    *,
    project: Project,
    assignment: int,
    version: int,
    content: Any,
    doubt: bool = False,
    comment: str = "",
    done: bool,
    seconds: float = 0,
    by: User,
    now: datetime,
    operation: uuid.UUID | None = None,
) -> Annotation:
    """Write the person's content over the version they saw (0: none yet), and set their assignment done or open.

    Writing what already stands changes nothing, so a request may be repeated when its answer was lost. An item that
    had gone back is taken up again when it is still free. Raises ConflictError when `version` is no longer the newest
    (`version_to_replace` says which may be written over all the same) or somebody else has the item now, ActionError
    when the content does not fit the layer, gold is decided, here or on what all answers became, or the text was
    replaced, NotYoursError for somebody else's assignment. `operation`: the act on many sentences that it is part of.
    """
    try:
        sent = _Sent(version, content, doubt, comment, done, seconds, operation)
        return _save(project, assignment, sent, by=by, now=now)
    except ReassignedError as taken:
        _save_late_answer(project, assignment, taken.mine, by=by, now=now)
        raise


# Verdicts withdraw what an answer became, and the answer may be saved meanwhile: they lock in opposite orders.
@again_on_deadlock
@transaction.atomic
def _save(project: Project, assignment: int, sent: _Sent, *, by: User, now: datetime) -> Annotation:
    row = own_assignment(project, assignment, by)
    layer = row.stage.layer
    check_can_answer(row, by)
    check_not_own(row.unit, by)
    checked = _checked(row, sent)
    version, done = sent.version, sent.done
    state = AnnotationState.DONE if done else AnnotationState.OPEN
    mine = {"content": checked, "doubt": sent.doubt, "comment": sent.comment, "state": state.value}
    current, others = answers_on_unit(row, by)
    before = answer_data(current)
    stands = before is not None and all(before[key] == value for key, value in mine.items()) and _settled(row, done)
    # Said once more over what was seen, it is reviewed from what stands on its source now.
    if stands and not (_reviews_again(row, before) and before is not None and before["version"] == version):
        return _with_relations(current, row)
    if version != (current.version if current else 0):
        version = version_to_replace(
            current,
            version,
            theirs=before or {"version": 0, **initial_answer(row)},
            mine={**mine, "version": version},
        )
    if is_reassigned(row):
        raise ReassignedError(
            _("This item was returned and is now assigned to someone else. Your answer is kept on record."),
            theirs=before or {"version": 0, **initial_answer(row)},
            mine={**mine, "version": version},
        )
    if row.state == AssignmentState.RETURNED and not quota(row.stage, by, 1):
        raise ActionError(_("You have already written as many as you were asked for, so this was not saved."))
    if is_finished(before):
        check_not_final(row.stage, row.unit)
    withdraw_results(row, by, now)
    event = log(
        project=project.pk,
        actor=by,
        verb=Verb.ANNOTATION_SAVED,
        subject=current or row,
        before={**before, "undo_event": current.undo_event} if current is not None and before is not None else None,
        after={"version": version + 1, **mine},
        operation=sent.operation,
    )
    undo = event.pk
    if current is not None and current.undo_event is not None and state == current.state == AnnotationState.OPEN:
        # Drafts are saved while people pause: they are undone as one.
        undo = current.undo_event
    saved = write_answer(row, current, mine, by=by, now=now, seconds=sent.seconds, undo=undo)
    count_terms(layer, before and before["content"], saved.content)
    update_assignment(row, done=done, doubt=sent.doubt, comment=sent.comment, by=by, now=now)
    after_answer(row, saved, before, others, by=by)
    if _reviews_again(row, before):
        see_sources(layer, [row.unit_id], version=saved.version)
    return _with_relations(saved, row)


def _checked(row: Assignment, sent: _Sent) -> Content:
    """The content as the layer holds it. Raises ActionError when it does not fit there."""
    layer = row.stage.layer
    try:
        kind = content_type(layer.content_type)
        checked = kind.check(sent.content, scheme=layer.scheme_data, tokens=row.unit.tokens, done=sent.done)
        checked = fitted(layer.content_type, row.unit, checked, done=sent.done)
        if sent.done and isinstance(kind, Commented):
            kind.check_comment(checked, sent.comment)
    except ContentError as error:
        raise ActionError(translate(error)) from error
    return checked


@again_on_deadlock
@transaction.atomic
def undo_annotation(*, project: Project, assignment: int, version: int, by: User, now: datetime) -> Annotation:
    """Bring back, as a new version, what the last save that still counts had replaced.

    Undoing again goes back one more version, down to the initial content; consecutive drafts are undone at once.
    Raises ActionError when there is nothing to undo or gold is decided, ConflictError when `version` is no longer the
    newest.
    """
    row = own_assignment(project, assignment, by)
    check_can_answer(row, by)
    if is_reassigned(row):
        raise ActionError(_("This item was returned and is now assigned to someone else. Nothing was undone."))
    current, others = answers_on_unit(row, by)
    if current is None or current.undo_event is None:
        raise ActionError(_("There is nothing to undo on this item."))
    before = answer_data(current) or {}
    if version != current.version:
        version = version_to_replace(current, version, theirs=before, mine={"version": version})
    if is_finished(before):
        check_not_final(row.stage, row.unit)
    withdraw_results(row, by, now)
    replaced = Event.objects.values_list("before", flat=True).get(pk=current.undo_event)
    if replaced is None:
        mine, undo = initial_answer(row), None
    else:
        mine = {key: replaced[key] for key in ("content", "doubt", "comment", "state")}
        mine["content"] = _still_fits(row, mine["content"])
        undo = replaced["undo_event"]
    log(
        project=project.pk,
        actor=by,
        verb=Verb.ANNOTATION_UNDONE,
        subject=current,
        before=before,
        after={"version": version + 1, **mine, "undoes": current.undo_event},
    )
    saved = write_answer(row, current, mine, by=by, now=now, seconds=0, undo=undo)
    count_terms(row.stage.layer, before["content"], saved.content)
    done = mine["state"] == AnnotationState.DONE
    update_assignment(row, done=done, doubt=mine["doubt"], comment=mine["comment"], by=by, now=now)
    after_answer(row, saved, before, others, by=by)
    if row.mode == Mode.REVIEW:
        unsee_sources(row.stage.layer, row.unit, version=replaced["version"] if replaced else 0)
    return _with_relations(saved, row)


def _reviews_again(row: Assignment, before: dict[str, Any] | None) -> bool:
    """Whether a finished answer is looked at again after what stands on its source changed."""
    changed: bool = row.is_source_changed  # type: ignore[attr-defined]  # annotated by `own_assignment`
    return changed and is_finished(before) and row.mode == Mode.REVIEW


def _still_fits(row: Assignment, content: Any) -> dict[str, Any]:
    """What an undo brings back. Events may have come with a project backup, which says what it likes."""
    layer = row.stage.layer
    try:
        return content_type(layer.content_type).check(
            content, scheme=layer.scheme_data, tokens=row.unit.tokens, done=False
        )
    except ContentError as error:
        raise ActionError(
            _("The previous answer no longer fits this item: %(reason)s Nothing was undone.")
            % {"reason": translate(error)}
        ) from error


def _with_relations(annotation: Annotation | None, row: Assignment) -> Annotation:
    """The annotation with unit, layer and stage of the assignment, so that anyone who answers with it asks no more."""
    if annotation is None:
        raise ValueError("There is no annotation.")
    annotation.unit, annotation.layer, annotation.stage = row.unit, row.stage.layer, row.stage
    return annotation


def _settled(row: Assignment, done: bool) -> bool:
    return row.state == (AssignmentState.DONE if done else AssignmentState.OPEN) and row.expires_at is None


class ReassignedError(ConflictError):
    """The item had gone back, and somebody else has it now."""


def _save_late_answer(project: Project, assignment: int, mine: dict[str, Any], *, by: User, now: datetime) -> None:
    """What was sent too late stays on record: nothing of theirs is lost.

    It is the person's open annotation, or an event alone where they answer the unit by another assignment of the
    layer: blind, perhaps, and what they sent may have been started with suggestions in sight.
    """
    with transaction.atomic():
        row = own_assignment(project, assignment, by)
        current, _others = answers_on_unit(row, by)
        if current is not None and current.state == AnnotationState.DONE:
            return
        late = {**{key: mine[key] for key in ("content", "doubt", "comment")}, "state": AnnotationState.OPEN.value}
        before = answer_data(current)
        if has_it_elsewhere(row):
            log(project=project, actor=by, verb=Verb.ANNOTATION_KEPT, subject=row, before=before, after=late)
            return
        saved = write_answer(row, current, late, by=by, now=now, seconds=0, undo=None)
        count_terms(row.stage.layer, before and before["content"], saved.content)
        log(
            project=project,
            actor=by,
            verb=Verb.ANNOTATION_KEPT,
            subject=saved,
            before=before,
            after={"version": saved.version, **late},
        )
