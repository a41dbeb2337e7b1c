"""Answers that somebody took over from a writer who had left (`work/queue/actions/orphaned_answers.py`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event


def left_by(answers: Iterable[int]) -> dict[int, int]:
    """By the id of an answer, of these, that was handed over, the person from whom. One query."""
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "", subject_id__in=answers, verb=Verb.ANNOTATION_HANDED_OVER
    )
    return {subject: (after or {})["user"] for subject, after in events.values_list("subject_id", "after")}


def taken_over(answers: QuerySet[Annotation]) -> dict[int, Annotation]:
    """By unit, of answers of one person, those that theirs were handed over from. One query where none was, else
    three."""
    whose = left_by(answers.values_list("pk", flat=True))
    if not whose:
        return {}
    places = {
        (unit, layer, whose[pk])
        for pk, unit, layer in answers.filter(pk__in=whose).values_list("pk", "unit_id", "layer_id")
    }
    rows = Annotation.objects.filter(unit__in={place[0] for place in places}, user__in=set(whose.values()))
    return {row.unit_id: row for row in rows if (row.unit_id, row.layer_id, row.user_id) in places}


def taken_by(answers: Collection[Annotation]) -> dict[int, list[Annotation]]:
    """By the id of each of these answers, those that were handed over from it. One query where none was, else two."""
    if not answers:
        return {}
    beside = Annotation.objects.filter(unit__in={answer.unit_id for answer in answers})
    whose = left_by(beside.values_list("pk", flat=True))
    taken = beside.filter(pk__in=whose) if whose else ()
    found: dict[int, list[Annotation]] = {}
    places = {(answer.unit_id, answer.layer_id, answer.user_id): answer.pk for answer in answers}
    for row in taken:
        place = (row.unit_id, row.layer_id, whose[row.pk])
        if place in places:
            found.setdefault(places[place], []).append(row)
    return found


def in_hands(answers: Collection[Annotation]) -> dict[int, list[Annotation]]:
    """The same without those that were handed back. One query where none was handed over, else three."""
    taken = taken_by(answers)
    ids = [row.pk for rows in taken.values() for row in rows]
    if not ids:
        return {}
    own = Assignment.objects.filter(
        unit=OuterRef("unit"), user=OuterRef("user"), stage__layer=OuterRef("layer")
    ).exclude(state=AssignmentState.RETURNED)
    held = set(Annotation.objects.filter(Exists(own), pk__in=ids).values_list("pk", flat=True))
    held_rows = {pk: [row for row in rows if row.pk in held] for pk, rows in taken.items()}
    return {pk: rows for pk, rows in held_rows.items() if rows}
