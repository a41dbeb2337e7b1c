"""Items that people are given again, unannounced: which one is due, and how it is shown."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import F

from annotator.core.intake import Projected
from annotator.core.kind import kind_of
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.models import Annotation, Assignment, Counter, Repeat, Stage, Suggestion, User
from annotator.work.answering.queries.contexts import waiting_pairs
from annotator.work.answering.queries.unstored import unstored_answer
from annotator.work.answering.queries.workspace import WorkspaceItem, workspace_parts
from annotator.work.blind.queries.blind import blind_units
from annotator.work.blind.queries.blind_subset import is_free_text

Json = dict[str, Any]
# Items that a person finishes between the two times.
BETWEEN = 50
# Own items that are looked at to find one that can be given again.
TRIES = 10


def gives_again(stage: Stage) -> bool:
    """Whether items of the stage can be given again: answers are compared, and the same is shown both times."""
    return not stage.adjudicates and not is_free_text(stage.layer) and not isinstance(kind_of(stage).intake, Projected)


def open_repeats(stage: Stage, user: User, held: Collection[int]) -> list[Repeat]:
    """The items that the person has to answer again, but those that their screen holds (ids of repeats), whose text
    changed, or that would tell them of what they answer blind by now."""
    rows = Repeat.objects.filter(stage=stage, user=user, done_at=None, assignment__unit__is_current=True)
    found = list(rows.exclude(pk__in=held).select_related("assignment__unit").order_by("pk"))
    hidden = not_to_be_seen(stage, user, [row.assignment for row in found])
    return [row for row in found if row.assignment_id not in hidden]


def not_to_be_seen(stage: Stage, user: User, assignments: Sequence[Assignment]) -> set[int]:
    """Those of the person's assignments (ids) that would tell them of what they answer blind. Blind work shows
    nothing, the second time as the first. No query without assignments."""
    units = [row.unit for row in assignments]
    hidden = blind_units(user, stage.project, units)
    apart = waiting_pairs(user, stage.project, units)
    return {
        row.pk for row in assignments if row.unit_id in apart or (row.mode == Mode.REVIEW and row.unit_id in hidden)
    }


def own_done(stage: Stage, user: User) -> int:
    """How many items of the stage the person has done. One row, by index."""
    own = Counter.objects.filter(stage=stage, user=user).values_list(F("own_done") + F("blind_done"), flat=True)
    return own.first() or 0


def is_due(stage: Stage, user: User) -> bool:
    """Whether the person has done so many items since the last one came again that another one does. Two statements,
    by index."""
    last = Repeat.objects.filter(stage=stage, user=user).order_by("-pk").values_list("after", flat=True).first() or 0
    done = own_done(stage, user)
    return done >= BETWEEN and done - last >= stage.again


def due_item(stage: Stage, user: User) -> tuple[Assignment, Annotation] | None:
    """One of the person's items to give again, with its answer: of those that they did before the last `BETWEEN`,
    drawn by their number. Reads a few rows from a place in the index of their own items."""
    own = Assignment.objects.filter(stage=stage, user=user, state=AssignmentState.DONE)
    recent = own.order_by("-done_at").values_list("done_at", flat=True)[BETWEEN - 1 : BETWEEN].first()
    if recent is None:
        return None
    earlier = own.filter(done_at__lt=recent, unit__is_current=True, repeat=None).order_by("reading", "pk")
    number = earlier.count()
    if not number:
        return None
    drawn = random.Random(f"{stage.pk}:{user.pk}:{number}").randrange(number)  # noqa: S311 -- drawn again the same
    rows = list(earlier.select_related("unit")[max(0, drawn - TRIES + 1) : drawn + 1])[::-1]
    hidden = not_to_be_seen(stage, user, rows)
    answers = Annotation.objects.filter(user=user, layer=stage.layer, state=AnnotationState.DONE)
    answers = answers.filter(unit__in=[row.unit_id for row in rows])
    by_unit = {answer.unit_id: answer for answer in answers}
    for row in rows:
        if row.pk not in hidden and row.unit_id in by_unit:
            return row, by_unit[row.unit_id]
    return None


def repeat_items(repeats: Sequence[Repeat]) -> list[Json]:
    """Items as the API sends them: open and untouched as any other. Their ids are below zero."""
    return workspace_parts(shown_repeats(repeats), repeats[0].user) if repeats else []


def shown_repeats(repeats: Sequence[Repeat]) -> list[WorkspaceItem]:
    """Repeats of one person and stage as their workspace shows them, with the suggestions of the first time."""
    if not repeats:
        return []
    pks = [row.assignment_id for row in repeats]
    found = Assignment.objects.select_related("item", "unit__segment").in_bulk(pks)
    ids = {pk for row in found.values() for pk in row.shown}
    suggestions = Suggestion.objects.in_bulk(ids)
    stage, user = repeats[0].stage, repeats[0].user
    hidden = blind_units(user, stage.project, [row.unit for row in found.values()], stage.layer)
    shown = []
    for repeat in repeats:
        given = found[repeat.assignment_id]
        is_hidden = given.mode == Mode.BLIND or given.unit_id in hidden
        started = [] if is_hidden else [suggestions[pk] for pk in given.shown if pk in suggestions]
        item = given.item
        item.state = ItemState.FREE
        row = Assignment(
            pk=-repeat.pk, project=stage.project, stage=stage, item=item, unit=given.unit, user=user, mode=given.mode,
            state=AssignmentState.DONE if repeat.done_at else AssignmentState.OPEN, reading=given.reading,
            suggestion=started[0] if started else None, shown=[one.pk for one in started], context=given.context,
        )  # fmt: skip
        suggested = started[0].content if started else None
        answer = unstored_answer(stage, user, given.unit, repeat.answer, suggested)
        shown.append(WorkspaceItem(row, answer, started, is_hidden))
    return shown
