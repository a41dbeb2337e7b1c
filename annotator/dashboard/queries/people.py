"""What one person did in a project: numbers from the counters, recent work and remarks by index, a page at a time.

Nobody sees through it what they are blind on (`work/blind/queries/blind.py`): such rows come without text and without
a link.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, Model, QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.kind import own_texts
from annotator.core.permissions import Permission
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.states import Mode
from annotator.domain.verbs import WORK
from annotator.models import Annotation, Assignment, Counter, Event, Layer, Project, Stage, Unit, User
from annotator.work.blind.queries.blind import blind_units, shown_uids
from annotator.work.queue.queries.progress import held_ahead

PER_PAGE = 25
_UNITS = ("unit", "sentence")
_T = TypeVar("_T")
_M = TypeVar("_M", bound=Model)


@dataclass(frozen=True)
class StageNumbers:
    """What a person has done and has open in a stage, and how much of either is blind."""

    stage: Stage
    done: int
    open: int
    blind_done: int
    blind_open: int


@dataclass(frozen=True)
class Activity:
    """Something that a person did. `text` and `annotation` are empty where the viewer is blind (`hidden`)."""

    pk: int
    at: datetime
    act: str
    uid: str
    text: str
    language: str
    annotation: Annotation | None
    hidden: bool
    # It came with a project backup.
    restored: bool = False


@dataclass(frozen=True)
class Remark:
    """A doubt or a comment of a person, with the unit that it is about."""

    annotation: Annotation
    text: str
    uid: str


@dataclass(frozen=True)
class Page:
    """Rows of a list, newest first. `before`: with which id the next page begins; None: this is the last one."""

    rows: Sequence[object]
    before: int | None
    hidden: int = 0


@dataclass(frozen=True)
class Answer:
    """One answer of a person, as a page shows it. `own`: the assignment with which its owner opens it."""

    annotation: Annotation
    text: str
    uid: str
    labels: Sequence[str]
    value: str
    history: Sequence[Event]
    own: Assignment | None


def person_in(access: Access, pk: int) -> User:
    """Somebody whose page `access.user` may see: their own, or anybody's who is or was at work in the project.

    Http404 for others, PermissionDenied for the pages of colleagues.
    """
    worked = Counter.objects.filter(project=access.project, user=pk).values("user")
    found = User.objects.filter(pk=pk).first()
    member = access.project.memberships.filter(user=pk).exists()
    if found is None or not (member or worked.exists() or found == access.user):
        raise Http404(_("No current or former member has this number."))
    if found != access.user:
        access.require(Permission.MANAGE)
    return found


def stage_numbers(project: Project, person: User) -> list[StageNumbers]:
    """By stage, in order; stages without anything of the person are left out, and so is what a page holds in advance.
    Two queries, from the counters and by the index of what is held."""
    rows = list(
        Counter.objects.filter(project=project, user=person)
        .select_related("stage__layer")
        .order_by("stage__position", "stage")
    )
    held = held_ahead([row.stage for row in rows])
    found = []
    for row in rows:
        row.stage.project = project
        ahead = held[row.stage_id].people.get(person.pk, 0)
        blind = row.blind_open - (ahead if row.stage.mode == Mode.BLIND else 0)
        open_ = row.own_open + row.blind_open - ahead
        numbers = StageNumbers(row.stage, row.own_done + row.blind_done, open_, row.blind_done, blind)
        if numbers.done or numbers.open:
            found.append(numbers)
    return found


def deeds(access: Access, person: User, before: int | None = None) -> Page:
    """What the person did, newest first. A fixed number of queries, each by index for a page's rows at most."""
    rows: list[Event] = []
    for verb in WORK:
        found = Event.objects.filter(project=access.project, actor=person, verb=verb)
        rows += _page_of(found, before)
    page, more = _cut(nlargest(PER_PAGE + 1, rows, key=lambda row: row.pk))
    answers = _answers(person, page)
    units = _units(access.project, [
        *(row.unit_id for row in answers.values()),
        *(row.subject_id for row in page if row.subject_type in _UNITS),
    ])  # fmt: skip
    hidden = _hidden(access, person, units.values())
    texts = _texts(person, units.values(), answers.values())
    uids = shown_uids(access.user, access.project, units.values())
    made = []
    for row in page:
        answer = answers.get(row.pk)
        unit = units.get(answer.unit_id if answer else row.subject_id)
        if unit is None:
            continue
        blind = unit.pk in hidden
        made.append(
            Activity(
                pk=row.pk,
                at=row.at,
                act=row.verb,
                uid=uids[unit.pk],
                text="" if blind else texts.get(unit.pk, unit.text),
                language=unit.language,
                annotation=None if blind else answer,
                hidden=blind,
                restored=row.restored_at is not None,
            )
        )
    return Page(made, page[-1].pk if more else None)


def remarked(project: Project, person: User) -> QuerySet[Annotation]:
    """The person's answers that they doubt or commented on."""
    # Spelt as the index is: SQLite takes it only where no part of the condition is a parameter.
    has_one = RawSQL(
        '("annotator_annotation"."doubt" OR "annotator_annotation"."comment" > \'\')', (), output_field=BooleanField()
    )
    return Annotation.objects.filter(has_one, project=project, user=person)


def remarks(access: Access, person: User, before: int | None = None) -> Page:
    """The person's doubts and comments, newest first. By an index of answers that have one."""
    page, more = _cut(_page_of(remarked(access.project, person).select_related("stage__layer"), before))
    units = _units(access.project, [row.unit_id for row in page])
    hidden = _hidden(access, person, units.values())
    texts = _texts(person, units.values(), page)
    visible = [row for row in page if row.unit_id in units and row.unit_id not in hidden]
    for row in visible:
        row.unit = units[row.unit_id]
    uids = shown_uids(access.user, access.project, units.values())
    rows = [Remark(row, texts[row.unit_id], uids[row.unit_id]) for row in visible]
    return Page(rows, page[-1].pk if more else None, hidden=len([row for row in page if row.unit_id in hidden]))


def answer_of(access: Access, person: User, pk: int) -> Answer:
    """One answer of a person. Http404 where there is none, PermissionDenied while the viewer is blind there."""
    row = (
        Annotation.objects.filter(pk=pk, project=access.project, user=person)
        .select_related("unit__segment", "layer", "stage__layer")
        .first()
    )
    if row is None:
        raise Http404(_("This person has no such answer in the project."))
    if row.unit_id in _hidden(access, person, [row.unit]):
        raise PermissionDenied(_("You are annotating this item blind. You can see what others did once you finish it."))
    value = row.content.get("value") or ""
    labels = _labels(row) if row.layer.content_type == Layer.SPANS else []
    assignment = Assignment.objects.filter(stage=row.stage_id, unit=row.unit_id, user=person).first()
    subjects = [("annotation", row.pk), *([("assignment", assignment.pk)] if assignment else [])]
    history = [
        event
        for kind, subject in subjects
        for event in Event.objects.filter(subject_type=kind, subject_id=subject)
        .select_related("actor")
        .order_by("-pk")[:PER_PAGE]
    ]
    return Answer(
        annotation=row,
        text=_texts(person, [row.unit], [row])[row.unit_id],
        uid=shown_uids(access.user, access.project, [row.unit])[row.unit_id],
        labels=labels,
        value=value,
        history=sorted(history, key=lambda event: -event.pk),
        own=assignment if person == access.user else None,
    )


def _labels(row: Annotation) -> list[str]:
    """The labels of an answer, as a person reads them: the words and what they are called."""
    spans = spans_from_json(row.content["spans"])
    return [f"{' '.join(row.unit.tokens[token] for token in span.tokens)} ({span.label})".strip() for span in spans]


def _page_of(rows: QuerySet[_M], before: int | None) -> list[_M]:
    """A page's rows and one more, newest first."""
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return list(rows.order_by("-pk")[: PER_PAGE + 1])


def _cut(rows: list[_T]) -> tuple[list[_T], bool]:
    return rows[:PER_PAGE], len(rows) > PER_PAGE


def _answers(person: User, events: Iterable[Event]) -> dict[int, Annotation]:
    """By event, the annotation that it is about. The first save of an answer is logged with its assignment."""
    subjects: dict[str, dict[int, int]] = {"annotation": {}, "assignment": {}}
    for event in events:
        if event.subject_type in subjects:
            subjects[event.subject_type][event.pk] = event.subject_id
    saved = Annotation.objects.select_related("stage__layer").in_bulk(list(subjects["annotation"].values()))
    answers = {number: saved[pk] for number, pk in subjects["annotation"].items() if pk in saved}
    claimed = Assignment.objects.select_related("stage").in_bulk(list(subjects["assignment"].values()))
    first = {
        (row.unit_id, row.layer_id): row
        for row in Annotation.objects.select_related("stage__layer").filter(
            user=person, unit__in={row.unit_id for row in claimed.values()}
        )
    }
    for number, pk in subjects["assignment"].items():
        assignment = claimed.get(pk)
        if assignment is not None and (assignment.unit_id, assignment.stage.layer_id) in first:
            answers[number] = first[assignment.unit_id, assignment.stage.layer_id]
    return answers


def _units(project: Project, ids: Iterable[int]) -> dict[int, Unit]:
    return Unit.objects.filter(project=project).select_related("segment__pair").in_bulk(list(ids))


def _hidden(access: Access, person: User, units: Iterable[Unit]) -> set[int]:
    """Ids of units on which the viewer is blind; one's own work is not hidden."""
    return set() if person == access.user else blind_units(access.user, access.project, units)


def _texts(person: User, units: Iterable[Unit], answers: Iterable[Annotation]) -> dict[int, str]:
    """By unit, how lists of what the person answered name it: as its kind of work does."""
    stages = {row.unit_id: row.stage for row in answers if row.stage is not None and not row.stage.adjudicates}
    by_stage: dict[str, tuple[Stage | None, list[Unit]]] = {}
    for unit in units:
        stage = stages.get(unit.pk)
        by_stage.setdefault(stage.kind if stage else "", (stage, []))[1].append(unit)
    found: dict[int, str] = {}
    for stage, rows in by_stage.values():
        found |= own_texts(stage, rows, person) if stage else {unit.pk: unit.text for unit in rows}
    return found
