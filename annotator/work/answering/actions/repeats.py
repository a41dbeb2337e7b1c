"""Items that people are given again, unannounced: asked for by managers, given, answered and undone."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, ConflictError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.verbs import Verb
from annotator.models import Project, Repeat, Stage, User
from annotator.work.answering.actions.policies import check_is_there
from annotator.work.answering.actions.training import checked_content
from annotator.work.answering.kept_answers import kept_answer, undone_answer
from annotator.work.answering.queries.repeats import due_item, gives_again, is_due, open_repeats, own_done

# Out of so many items at least, one comes again.
LEAST, MOST = 5, 1000


@transaction.atomic
def set_again(*, stage: Stage, again: int, by: User) -> None:
    """Give people one item in `again` of the stage a second time; none where it is 0.

    Raises ActionError where answers are not compared, and for a number out of bounds.
    """
    row = Stage.objects.select_for_update(no_key=True).select_related("layer", "project").get(pk=stage.pk)
    check_open(row.project)
    if again and not gives_again(row):
        raise ActionError(_("Items of this stage can't be given again, because answers to them are not compared."))
    if again and not LEAST <= again <= MOST:
        raise ActionError(_("Give again one item in %(least)d to %(most)d, or none.") % {"least": LEAST, "most": MOST})
    if row.again == again:
        return
    before = {"again": row.again}
    row.again = again
    row.save(update_fields=["again"])
    log(project=row.project, actor=by, verb=Verb.STAGE_AGAIN, subject=row, before=before, after={"again": again})


@transaction.atomic
def give_again(*, stage: Stage, user: User, held: Collection[int] = ()) -> list[Repeat]:
    """The items that the user has to answer again, at most one of them new; but those that their screen holds (ids)."""
    found = open_repeats(stage, user, held)
    if found or held or not is_due(stage, user):
        return found
    # Two windows would be given two.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not is_due(stage, user) or (due := due_item(stage, user)) is None:
        return open_repeats(stage, user, held)
    assignment, answer = due
    made = Repeat.objects.create(
        project=stage.project,
        stage=stage,
        assignment=assignment,
        user=user,
        after=own_done(stage, user),
        first=answer.content,
    )
    made.stage, made.user = stage, user
    log(project=stage.project, actor=user, verb=Verb.ITEM_GIVEN_AGAIN, subject=assignment, after={"repeat": made.pk})
    return [made]


@transaction.atomic
def save_repeat(  # noqa: PLR0913 -- what a save sends, by name
    *,
    project: Project,
    repeat: int,
    version: int,
    content: Any,
    doubt: bool = False,
    comment: str = "",
    done: bool,
    by: User,
    now: datetime,
) -> Repeat | None:
    """Write the second answer over the version that was seen; None where it is not the user's.

    Raises ConflictError when that is no longer the newest, and ActionError for content that does not fit and for a
    text that was changed or set aside.
    """
    row = _held(project, repeat, by)
    if row is None:
        return None
    unit = row.assignment.unit
    check_is_there(row.stage, row.assignment.item, unit)
    said = {
        "content": checked_content(row.stage.layer, unit, content, done=done),
        "doubt": doubt,
        "comment": comment,
        "done": done,
    }
    answer = kept_answer(row.answer, said)
    if answer is None:
        return row
    if version != (row.answer["version"] if row.answer else 0):
        theirs = {name: (row.answer or {}).get(name) for name in ("version", *said)}
        raise ConflictError(_("You have changed this item in another window."), theirs=theirs, mine=said)
    return _write(row, answer, now)


@transaction.atomic
def undo_repeat(*, project: Project, repeat: int, by: User, now: datetime) -> Repeat | None:
    """Bring back what the last save replaced; None where it is not the user's. Raises ActionError where nothing was."""
    row = _held(project, repeat, by)
    if row is None:
        return None
    answer = undone_answer(row.answer)
    if answer is None:
        raise ActionError(_("There is nothing to undo."))
    return _write(row, answer, now)


def _held(project: Project, repeat: int, by: User) -> Repeat | None:
    check_open(project)
    rows = Repeat.objects.select_related(
        "assignment__unit", "assignment__item", "stage__layer", "user"
    ).select_for_update(of=("self",))
    row = rows.filter(project=project, user=by, pk=repeat).first()
    if row is not None:
        row.stage.project = project
    return row


def _write(row: Repeat, answer: dict[str, Any], now: datetime) -> Repeat:
    row.answer = answer
    row.done_at = now if answer["done"] else None
    row.save(update_fields=["answer", "done_at"])
    return row
