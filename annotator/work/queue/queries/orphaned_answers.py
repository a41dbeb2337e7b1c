"""What went back to people who are given no work in its language any more, or whose account is deactivated: others mend
it, or it is discarded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.permissions import works_in
from annotator.domain.content import Written, content_type
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.models import Annotation, Assignment, Membership, Project, Stage, Unit, User
from annotator.work.answering.queries.verdicts import remarks_on
from annotator.work.queue.queries.reassigned import in_hands
from annotator.work.queue.queries.returned import sent_back, unsettled


@dataclass(frozen=True, slots=True)
class LeftText:
    """An open answer that its writer left, and the units that were sent back of it."""

    answer: Annotation
    units: Sequence[Unit]


def members_in(project: Project, language: str) -> list[User]:
    """The members who are given work in a language, by name. Anyone who cannot sign in is given none."""
    rows = Membership.objects.filter(project=project, user__is_active=True).select_related("user")
    return [row.user for row in rows.order_by("user__username") if works_in(row.languages, language)]


def left_shown(stage: Stage) -> list[dict[str, Any]]:
    """What waits in a stage with what was said of it, for managers. A fixed number of queries for each writer."""
    rows = orphaned_answers([stage]).get(stage.pk, [])
    parents: dict[User, list[Unit]] = {}
    for row in rows:
        parents.setdefault(row.answer.user, []).append(row.answer.unit)
    remarks = {writer: remarks_on(units, writer) for writer, units in parents.items()}
    return [
        {
            "answer": row.answer.pk,
            "writer": row.answer.user,
            "texts": [[line for line in unit.text.split("\n") if line] for unit in row.units],
            "remarks": remarks[row.answer.user].get(row.answer.unit_id, []),
        }
        for row in rows
    ]


def orphaned_answers(stages: Sequence[Stage]) -> dict[int, list[LeftText]]:
    """By stage of a project, what waits there for somebody who left, and is not somebody else's by now.

    Of open answers in layers of written texts alone: two queries where nothing waits, eight at most.
    """
    writing = {stage.pk: stage for stage in stages if isinstance(content_type(stage.layer.content_type), Written)}
    if not writing:
        return {}
    project = next(iter(writing.values())).project_id
    members = Membership.objects.filter(project=project, user__is_active=True)
    languages = dict(members.values_list("user", "languages"))

    def has_left(answer: Annotation) -> bool:
        own = languages.get(answer.user_id)
        return own is None or not works_in(own, answer.unit.language)

    rows = Annotation.objects.filter(stage__in=writing, state=AnnotationState.OPEN).select_related("user", "unit")
    answers = {row.pk: row for row in rows if has_left(row)}
    back = sent_back(answers) if answers else {}
    waiting = unsettled([answers[pk] for pk in back])
    taken = in_hands(waiting)
    units = Unit.objects.in_bulk([unit for answer in waiting for unit in back[answer.pk]])
    found: dict[int, list[LeftText]] = {}
    for answer in waiting:
        if answer.stage_id is None or any(not has_left(one) for one in taken.get(answer.pk, ())):
            continue
        left = LeftText(answer, [units[unit] for unit in back[answer.pk]])
        found.setdefault(answer.stage_id, []).append(left)
    return found


def to_mend(stage: Stage, user: User) -> list[Annotation]:
    """What was sent back to the person in the stage, and that neither they nor anybody else has by now: they handed it
    back, or had left. One query where there is nothing, six at most."""
    given_back = Assignment.objects.filter(stage=stage, user=user, state=AssignmentState.RETURNED)
    rows = Annotation.objects.filter(
        layer=stage.layer_id, user=user, state=AnnotationState.OPEN, unit__in=given_back.values("unit")
    )
    answers = {row.pk: row for row in rows.filter(unit__is_current=True).order_by("pk")}
    back = sent_back(answers) if answers else {}
    waiting = unsettled([answers[pk] for pk in back])
    taken = in_hands(waiting)
    return [answer for answer in waiting if answer.pk not in taken]
