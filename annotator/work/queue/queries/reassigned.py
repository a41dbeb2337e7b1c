"""Answers that somebody took over from a writer who had left (`work/queue/actions/orphaned_answers.py`)."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event


def taken_from(answer: Annotation) -> Annotation | None:
    """The answer that one was handed over from, if it was. Two queries at most."""
    return taken_over(Annotation.objects.filter(pk=answer.pk)).get(answer.unit_id)


def taken_over(answers: QuerySet[Annotation]) -> dict[int, Annotation]:
    """By unit, of answers of one person, those that theirs were handed over from. One query where none was, else
    three."""
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "",
        subject_id__in=answers.values("pk"),
        verb=Verb.ANNOTATION_HANDED_OVER,
    )
    left_by = {event.subject_id: (event.after or {})["user"] for event in events.order_by("pk")}
    if not left_by:
        return {}
    places = {
        (unit, layer, left_by[pk])
        for pk, unit, layer in answers.filter(pk__in=left_by).values_list("pk", "unit_id", "layer_id")
    }
    rows = Annotation.objects.filter(unit__in={place[0] for place in places}, user__in=set(left_by.values()))
    return {row.unit_id: row for row in rows if (row.unit_id, row.layer_id, row.user_id) in places}


def taken_by(answers: Collection[Annotation]) -> dict[int, list[Annotation]]:
    """By the id of each of these answers, those that were handed over from it. One query where none was, else two."""
    if not answers:
        return {}
    beside = Annotation.objects.filter(unit__in={answer.unit_id for answer in answers})
    events = Event.objects.filter(
        subject_type=Annotation._meta.model_name or "",
        subject_id__in=beside.values("pk"),
        verb=Verb.ANNOTATION_HANDED_OVER,
    )
    left_by = {event.subject_id: (event.after or {})["user"] for event in events}
    taken = beside.filter(pk__in=left_by) if left_by else ()
    found: dict[int, list[Annotation]] = {}
    places = {(answer.unit_id, answer.layer_id, answer.user_id): answer.pk for answer in answers}
    for row in taken:
        place = (row.unit_id, row.layer_id, left_by[row.pk])
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
    kept = {pk: [row for row in rows if row.pk in held] for pk, rows in taken.items()}
    return {pk: rows for pk, rows in kept.items() if rows}
