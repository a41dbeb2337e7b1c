"""Training batches: started, answered and finished by a person; asked for, and people let in, by managers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, translate
from annotator.core.events import log
from annotator.core.kind import fitted
from annotator.core.policies import check_open
from annotator.domain.content import ContentError, content_type
from annotator.domain.verbs import Verb
from annotator.models import Layer, Stage, Training, Unit, User
from annotator.work.answering.kept_answers import kept_answer, undone_answer
from annotator.work.answering.queries.training import answered, draw_batch, last_try, needs_training, score_of
from annotator.work.blind.queries.blind_subset import is_free_text

MAX_ITEMS = 200


@transaction.atomic
def set_training(*, stage: Stage, training: dict[str, Any], by: User) -> None:
    """Ask for a training batch before work in the stage, or for none where it is empty.

    Raises ActionError where nothing can be compared with gold.
    """
    row = Stage.objects.select_for_update(no_key=True).select_related("layer", "project").get(pk=stage.pk)
    check_open(row.project)
    if training and is_free_text(row.layer):
        raise ActionError(_("Texts that people write freely are not compared with gold."))
    if row.training == training:
        return
    log(
        project=row.project,
        actor=by,
        verb=Verb.STAGE_TRAINING,
        subject=row,
        before={"training": row.training},
        after={"training": training},
    )
    row.training = training
    row.save(update_fields=["training"])


@transaction.atomic
def start_training(*, stage: Stage, user: User) -> Training:
    """The user's open batch, or a new one. Raises ActionError where there is nothing to train or no gold left."""
    check_open(stage.project)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not needs_training(stage, user):
        raise ActionError(_("You can work in this stage. It asks for no training."))
    last = last_try(stage, user)
    if last is not None and last.done_at is None:
        return last
    number = last.number + 1 if last is not None else 1
    items = draw_batch(stage, user, number)
    if not items:
        raise ActionError(_("There is no gold for a training batch. Ask a manager to let you in."))
    made = Training.objects.create(project=stage.project, stage=stage, user=user, number=number, items=items)
    _log(made, user, verb=Verb.TRAINING_STARTED, after={"number": number, "units": [one["unit"] for one in items]})
    return made


@transaction.atomic
def save_training(
    *, training: Training, place: int, content: Any, doubt: bool, comment: str, done: bool, by: User
) -> Training:
    """Write the answer at a place of an open batch. Raises ActionError for content that does not fit."""
    row = _held(training, by)
    item = row.items[place - 1]
    checked = checked_content(row.stage.layer, Unit.objects.get(pk=item["unit"]), content, done=done)
    said = {"content": checked, "doubt": doubt, "comment": comment, "done": done}
    answer = kept_answer(item["answer"], said)
    if answer is not None:
        item["answer"] = answer
        row.save(update_fields=["items"])
    return row


def checked_content(layer: Layer, unit: Unit, content: Any, *, done: bool) -> Any:
    """A content that was sent, as it is kept. Raises ActionError for one that does not fit."""
    try:
        checked = content_type(layer.content_type).check(
            content, scheme=layer.scheme_data, tokens=unit.tokens, done=done
        )
        return fitted(layer.content_type, unit, checked, done=done)
    except ContentError as error:
        raise ActionError(translate(error)) from error


@transaction.atomic
def undo_training(*, training: Training, place: int, by: User) -> Training:
    """Bring back what the last save at a place replaced. Raises ActionError where there is nothing."""
    row = _held(training, by)
    answer = undone_answer(row.items[place - 1]["answer"])
    if answer is None:
        raise ActionError(_("There is nothing to undo."))
    row.items[place - 1]["answer"] = answer
    row.save(update_fields=["items"])
    return row


@transaction.atomic
def finish_training(*, training: Training, by: User, now: datetime) -> Training:
    """Close a batch whose items are all done: its score is stored, and lets the person in from the threshold on.

    Raises ActionError while items are not done.
    """
    row = _held(training, by)
    if answered(row) < len(row.items):
        raise ActionError(_("Answer all items of the batch first."))
    score = score_of(row)
    threshold = row.stage.training.get("threshold")
    row.done_at, row.score = now, score.whole.value
    row.let_in = threshold is not None and score.reaches(threshold)
    row.save(update_fields=["done_at", "score", "let_in"])
    _log(row, by, verb=Verb.TRAINING_FINISHED, after={"number": row.number, "score": row.score})
    if row.let_in:
        _log(row, by, verb=Verb.TRAINING_LET_IN, after={"user": row.user_id})
    return row


@transaction.atomic
def let_in(*, stage: Stage, user: User, by: User) -> None:
    """Let a person work in the stage, whatever their score."""
    check_open(stage.project)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not needs_training(stage, user):
        return
    row = last_try(stage, user)
    if row is None:
        row, _made = Training.objects.get_or_create(project=stage.project, stage=stage, user=user, number=0)
    row.let_in = True
    row.save(update_fields=["let_in"])
    _log(row, by, verb=Verb.TRAINING_LET_IN, after={"user": user.pk})


@transaction.atomic
def let_out(*, stage: Stage, user: User, by: User) -> None:
    """Give a person no more work in the stage until they are let in again. What they have stays theirs."""
    check_open(stage.project)
    rows = list(Training.objects.select_for_update(no_key=True).filter(stage=stage, user=user, let_in=True))
    for row in rows:
        row.let_in = False
        row.save(update_fields=["let_in"])
    if rows:
        _log(rows[-1], by, verb=Verb.TRAINING_LET_OUT, after={"user": user.pk})


def _held(training: Training, by: User) -> Training:
    rows = Training.objects.select_related("stage__layer", "stage__project", "user").select_for_update(of=("self",))
    row = rows.get(pk=training.pk, user=by)
    check_open(row.stage.project)
    if row.done_at is not None:
        raise ActionError(_("This training batch is finished. Its answers can't be changed."))
    return row


def _log(training: Training, by: User, *, verb: Verb, after: dict[str, Any]) -> None:
    log(project=training.project, actor=by, verb=verb, subject=training.stage, after=after)
