"""One person's content on one unit in one layer: saved in versions, undone by events. Whatever the content type."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from annotator.actions.adjudication import refresh_adjudication, withdraw_adjudication
from annotator.actions.blind_marks import mark_blind
from annotator.actions.bulk import insert_one
from annotator.actions.chains import make_units
from annotator.actions.counters import OWN
from annotator.actions.deadlocks import again_on_deadlock
from annotator.actions.errors import ActionError, ConflictError, NotYoursError, in_words
from annotator.actions.events import log
from annotator.actions.gathering import gather, gathering_kinds
from annotator.actions.gold_of_answers import take_back_of_answers
from annotator.actions.items import change_item
from annotator.actions.lemmas import mark_places
from annotator.actions.order import place_units
from annotator.actions.policies import check_is_there, check_not_final, check_not_own, check_open, check_undecided
from annotator.actions.terms import count_terms
from annotator.actions.undone_returns import undo_return
from annotator.actions.versions import version_to_replace
from annotator.domain.content import Commented, Content, ContentError, content_type
from annotator.domain.standing import Answer
from annotator.domain.states import ASSIGNMENT_STATES, AnnotationState, AssignmentState, ItemState, Mode, may_become
from annotator.domain.verbs import Verb
from annotator.kind import fitted, is_beside, kind_of
from annotator.models import Annotation, Assignment, Event, Project, Stage, Suggestion, User
from annotator.prepared import Prepared, execute
from annotator.queries.returned import slip


def save_annotation(
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
) -> Annotation:
    """Write the person's content over the version they saw (0: none yet), and set their assignment done or open.

    Writing what already stands changes nothing, so a request may be repeated when its answer was lost. An item that
    had gone back is taken up again when it is still free. Raises ConflictError when `version` is no longer the newest
    (`version_to_replace` says which may be written over all the same) or somebody else has the item now, ActionError
    when the content does not fit the layer, gold is decided, here or on what all answers became, or the text was
    replaced, NotYoursError for somebody else's assignment.
    """
    try:
        return _save(project, assignment, version, content, doubt, comment, done, seconds, by, now)
    except TakenError as taken:
        _keep_aside(project, assignment, taken.mine, by=by, now=now)
        raise


# Verdicts withdraw what an answer became, and the answer may be saved meanwhile: they lock in opposite orders.
@again_on_deadlock
@transaction.atomic
def _save(
    project: Project,
    assignment: int,
    version: int,
    content: Any,
    doubt: bool,
    comment: str,
    done: bool,
    seconds: float,
    by: User,
    now: datetime,
) -> Annotation:
    row = own_assignment(project, assignment, by)
    layer = row.stage.layer
    _check_can_answer(row, by)
    check_not_own(row.unit, by)
    try:
        kind = content_type(layer.content_type)
        checked = kind.check(content, scheme=layer.scheme_data, tokens=row.unit.tokens, done=done)
        checked = fitted(layer.content_type, row.unit, checked, done=done)
        if done and isinstance(kind, Commented):
            kind.check_comment(checked, comment)
    except ContentError as error:
        raise ActionError(in_words(error)) from error
    state = AnnotationState.DONE if done else AnnotationState.OPEN
    mine = {"content": checked, "doubt": doubt, "comment": comment, "state": state.value}
    current, others = _on_unit(row, by)
    before = written(current)
    if before is not None and all(before[key] == value for key, value in mine.items()) and _settled(row, done):
        return _at_hand(current, row)
    if version != (current.version if current else 0):
        version = version_to_replace(
            current,
            version,
            theirs=before or {"version": 0, **_beginning(row)},
            mine={**mine, "version": version},
        )
    if _is_taken(row):
        raise TakenError(
            _("This item went back, and somebody else has it now. What you sent is kept on record."),
            theirs=before or {"version": 0, **_beginning(row)},
            mine={**mine, "version": version},
        )
    if _is_done(before):
        check_not_final(row.stage, row.unit)
    _take_back(row, by, now)
    event = log(
        project=project.pk,
        actor=by,
        verb=Verb.ANNOTATION_SAVED,
        subject=current or row,
        before=_with_undo(current),
        after={"version": version + 1, **mine},
    )
    saved = _write(row, current, mine, by=by, now=now, seconds=seconds, undo=event.pk)
    count_terms(layer, before and before["content"], saved.content)
    _settle(row, done=done, doubt=doubt, comment=comment, by=by, now=now)
    _follow(row, saved, before, others, by=by)
    return _at_hand(saved, row)


@again_on_deadlock
@transaction.atomic
def undo_annotation(*, project: Project, assignment: int, version: int, by: User, now: datetime) -> Annotation:
    """Bring back, as a new version, what the last save that still counts had replaced.

    Undoing again goes one further back, to what the answer began from. Raises ActionError when there is nothing to
    undo or gold is decided, ConflictError when `version` is no longer the newest.
    """
    row = own_assignment(project, assignment, by)
    _check_can_answer(row, by)
    if _is_taken(row):
        raise ActionError(_("This item went back, and somebody else has it now; nothing was undone."))
    current, others = _on_unit(row, by)
    if current is None or current.undo_event is None:
        raise ActionError(_("There is nothing to undo on this item."))
    before = written(current) or {}
    if version != current.version:
        version = version_to_replace(current, version, theirs=before, mine={"version": version})
    if _is_done(before):
        check_not_final(row.stage, row.unit)
    _take_back(row, by, now)
    replaced = Event.objects.values_list("before", flat=True).get(pk=current.undo_event)
    if replaced is None:
        mine, undo = _beginning(row), None
    else:
        mine = {key: replaced[key] for key in ("content", "doubt", "comment", "state")}
        undo = replaced["undo_event"]
    log(
        project=project.pk,
        actor=by,
        verb=Verb.ANNOTATION_UNDONE,
        subject=current,
        before=before,
        after={"version": version + 1, **mine, "undoes": current.undo_event},
    )
    saved = _write(row, current, mine, by=by, now=now, seconds=0, undo=undo)
    count_terms(row.stage.layer, before["content"], saved.content)
    done = mine["state"] == AnnotationState.DONE
    _settle(row, done=done, doubt=mine["doubt"], comment=mine["comment"], by=by, now=now)
    _follow(row, saved, before, others, by=by)
    return _at_hand(saved, row)


_ASSIGNMENT: Prepared[Assignment] = Prepared(
    # By its key alone: whose it is is asked afterwards. As long as PostgreSQL has no statistics of the table, it might
    # otherwise read all that the person ever had.
    # The unit is held, too: two people may answer it in two stages of one layer. It comes first, as for everybody else.
    lambda pk: (
        Assignment.objects.select_for_update(no_key=True, of=("unit", "self", "item"))
        .select_related("item", "unit", "stage__layer", "suggestion")
        .annotate(
            is_made_from=Exists(Stage.objects.filter(made_from=OuterRef("stage"))),
            is_gathered=Exists(Stage.objects.filter(project=OuterRef("project"), kind__in=gathering_kinds())),
        )
        .filter(pk=pk)
    ),
    pk=int,
)
_ON_UNIT: Prepared[Annotation] = Prepared(
    lambda unit, layer: Annotation.objects.filter(unit=unit, layer=layer).order_by("pk"), unit=int, layer=int
)


def own_assignment(project: Project, assignment: int, by: User) -> Assignment:
    """The person's assignment as it stands, with item, unit, stage and layer: held until the transaction ends."""
    check_open(project)
    row = _ASSIGNMENT.first(pk=assignment)
    if row is None or (row.project_id, row.user_id) != (project.pk, by.pk):
        raise NotYoursError(
            _(
                "This item is not among your work. It may have been handed back or freed for others, or this browser "
                "may be signed in under another name by now."
            )
        )
    row.project = project
    return row


def _check_can_answer(row: Assignment, by: User) -> None:
    """Whether the answer may be written; where answers decide, it may turn out later that gold stands against it, or
    that the text is with its writer."""
    if row.unit.is_current or slip(row.stage, row.unit, by) is None:
        check_is_there(row.stage, row.item, row.unit)
    if not kind_of(row.stage).decides:
        check_undecided(row.item)


def _take_back(row: Assignment, by: User, now: datetime) -> None:
    """What came of answers by itself goes when one of them is changed: gold, or that the text went back to its writer.
    Raises ActionError for other gold, and where the writer has begun."""
    if not row.unit.is_current and not undo_return(row, by=by, now=now):
        check_is_there(row.stage, row.item, row.unit)
    if row.item.state == ItemState.DECIDED and not take_back_of_answers(row, by=by):
        check_undecided(row.item)


def _on_unit(row: Assignment, by: User) -> tuple[Annotation | None, list[Annotation]]:
    """The person's annotation on the unit in the layer, and those of others, in the order in which they were begun.

    Read after `own_assignment`: as part of its statement, what somebody saved while it waited would be missing.
    """
    found = _ON_UNIT.rows(unit=row.unit_id, layer=row.stage.layer_id)
    own = next((one for one in found if one.user_id == by.pk), None)
    return own, [one for one in found if one is not own]


def written(annotation: Annotation | None) -> dict[str, Any] | None:
    """What a person wrote, and its version: the two sides of a conflict, before and after of an event."""
    if annotation is None:
        return None
    return {
        "version": annotation.version,
        "content": annotation.content,
        "doubt": annotation.doubt,
        "comment": annotation.comment,
        "state": str(annotation.state),
    }


def _is_done(content: Mapping[str, Any] | None) -> bool:
    return content is not None and content["state"] == AnnotationState.DONE


def beginning(row: Assignment, suggestion: Suggestion | None) -> Content:
    """What the answer to an assignment begins from."""
    kind = content_type(row.stage.layer.content_type)
    return kind.empty() if suggestion is None else kind.begin(suggestion.content)


def _is_taken(row: Assignment) -> bool:
    """Whether the item had gone back and cannot be taken up again: others have it, or the person does, in another
    stage of the layer. Blind answers beside a review leave room for all."""
    if row.state != AssignmentState.RETURNED:
        return False
    is_extra = is_beside(row.stage, row.mode)
    return (not is_extra and row.item.state != ItemState.FREE) or _has_it_elsewhere(row)


def _has_it_elsewhere(row: Assignment) -> bool:
    """Whether the person answers the unit by another assignment of the layer, which holds one answer of theirs."""
    own = Assignment.objects.filter(unit=row.unit_id, user=row.user_id, stage__layer=row.stage.layer_id)
    return own.exclude(pk=row.pk).exclude(state=AssignmentState.RETURNED).exists()


def _beginning(row: Assignment) -> dict[str, Any]:
    suggestion = _main(row)
    return {
        "content": beginning(row, suggestion),
        "doubt": False,
        "comment": "",
        "state": AnnotationState.OPEN.value,
    }


def _main(row: Assignment) -> Suggestion | None:
    return row.suggestion if row.mode == Mode.REVIEW else None


def _with_undo(annotation: Annotation | None) -> dict[str, Any] | None:
    content = written(annotation)
    return None if annotation is None or content is None else {**content, "undo_event": annotation.undo_event}


def _at_hand(annotation: Annotation | None, row: Assignment) -> Annotation:
    """The annotation with unit, layer and stage of the assignment, so that whoever answers with it asks no more."""
    if annotation is None:
        raise ValueError("There is no annotation.")
    annotation.unit, annotation.layer, annotation.stage = row.unit, row.stage.layer, row.stage
    return annotation


def _settled(row: Assignment, done: bool) -> bool:
    return row.state == (AssignmentState.DONE if done else AssignmentState.OPEN) and row.expires_at is None


def _write(
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
        # What was begun blind, handed back and claimed again is finished with suggestions in sight.
        "mode": row.mode,
    }
    if current is None:
        main = _main(row)
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


def _settle(row: Assignment, *, done: bool, doubt: bool, comment: str, by: User, now: datetime) -> None:
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


def _follow(
    row: Assignment, saved: Annotation, before: dict[str, Any] | None, others: list[Annotation], *, by: User
) -> None:
    """What hangs on a finished answer: which labels stand, whether it waits for adjudication, units made from it."""
    was_done = _is_done(before)
    is_done = saved.state == AnnotationState.DONE
    if not (was_done or is_done):
        return
    answers = _answers(saved, others)
    mark_places(row.unit, row.stage.layer, answers)
    if was_done != is_done:
        place_units(row.project, [row.unit])
    doubted = saved.doubt or bool(before and before["doubt"])
    if len(answers) > 1 or doubted or row.item.extra_done or row.item.extra_open or (was_done and not is_done):
        refresh_adjudication(project=row.project, unit=row.unit, layer=row.stage.layer)
    if row.is_made_from:  # type: ignore[attr-defined]  # annotated by `own_assignment`
        make_units(stage=row.stage, annotation=saved, unit=row.unit, by=by)
    if row.is_gathered:  # type: ignore[attr-defined]  # annotated by `own_assignment`
        gather(row.stage.layer, [row.unit_id])
    kind = kind_of(row.stage)
    if kind.follows:
        kind.follow(row.stage, row.unit, by)
        # It may have gone back to its writer.
        row.unit.refresh_from_db(fields=["is_current"])


def _answers(saved: Annotation, others: list[Annotation]) -> list[Answer]:
    """The finished answers in the layer, in the order in which they were begun."""
    finished = [one for one in (saved, *others) if one.state == AnnotationState.DONE]
    return [Answer(one.mode, one.content, one.user_id) for one in sorted(finished, key=lambda one: one.pk)]


class TakenError(ConflictError):
    """The item had gone back, and somebody else has it now."""


def _keep_aside(project: Project, assignment: int, mine: dict[str, Any], *, by: User, now: datetime) -> None:
    """What was sent too late stays on record: nothing of theirs is lost.

    It is the person's open annotation, or an event alone where they answer the unit by another assignment of the
    layer: blind, perhaps, and what they sent may have been begun with suggestions in sight.
    """
    with transaction.atomic():
        row = own_assignment(project, assignment, by)
        current, _others = _on_unit(row, by)
        if current is not None and current.state == AnnotationState.DONE:
            return
        kept = {**{key: mine[key] for key in ("content", "doubt", "comment")}, "state": AnnotationState.OPEN.value}
        before = written(current)
        if _has_it_elsewhere(row):
            log(project=project, actor=by, verb=Verb.ANNOTATION_KEPT, subject=row, before=before, after=kept)
            return
        saved = _write(row, current, kept, by=by, now=now, seconds=0, undo=None)
        count_terms(row.stage.layer, before and before["content"], saved.content)
        log(
            project=project,
            actor=by,
            verb=Verb.ANNOTATION_KEPT,
            subject=saved,
            before=before,
            after={"version": saved.version, **kept},
        )
