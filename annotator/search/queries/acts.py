"""Results of acts on many sentences, from their events, only for the person who did them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from annotator.core.access import Access
from annotator.domain.states import AssignmentState, ItemState
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, Event, Project, Stage, Suggestion, Unit, User

DONE = (Verb.SENTENCES_LABELLED, Verb.SENTENCES_UNLABELLED, Verb.SENTENCES_ASSIGNED)
# The newest acts of a person, among which one that can be undone is looked for.
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class NotChanged:
    """An unchanged sentence, and the reason: a code, and the message of an error."""

    unit: Unit
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """`what`: the code of its event. `undone`: what its undo says, once it was undone."""

    operation: uuid.UUID
    at: datetime
    what: str
    label: str
    saved: int
    claimed: int
    proposed: int
    assigned: int
    same: int
    refused: Sequence[NotChanged]
    user: User | None
    stage: Stage | None
    undone: Undone | None

    @property
    def changed(self) -> int:
        return self.saved + self.proposed + self.assigned

    @property
    def own(self) -> int:
        """How many answers were changed of those that were the person's before."""
        return self.saved - self.claimed


@dataclass(frozen=True, slots=True)
class Undone:
    restored: int
    withdrawn: int
    returned: int
    kept: Sequence[NotChanged]


def events_of(project: Project, operation: uuid.UUID, by: User) -> tuple[Event | None, Event | None]:
    """The event of an act of this person, and that of its undo."""
    rows = Event.objects.filter(operation=operation, project=project, actor=by, restored_at=None)
    found = {event.verb: event for event in rows.filter(verb__in=[*DONE, Verb.SENTENCES_UNDONE])}
    return next((found[verb] for verb in DONE if verb in found), None), found.get(Verb.SENTENCES_UNDONE)


def act_of(project: Project, operation: uuid.UUID, by: User) -> Act | None:
    """An act of this person; None where there is none. A handful of statements."""
    event, undo = events_of(project, operation, by)
    return _told(project, event, undo) if event is not None else None


def _told(project: Project, event: Event, undo: Event | None) -> Act:
    assert event.operation is not None  # noqa: S101 -- for the type checker: acts on many sentences have one
    told: dict[str, Any] = event.after or {}
    kept = (undo.after or {}) if undo is not None else {}
    rows = [*told.get("refused", ()), *kept.get("kept", ())]
    found = Unit.objects.filter(project=project, pk__in=[row[0] for row in rows]).select_related("segment")
    units = {unit.pk: unit for unit in found.defer("lemmas", "content_words")}
    stays = [
        [NotChanged(units[pk], *rest) for pk, *rest in part if pk in units]
        for part in (told.get("refused", ()), kept.get("kept", ()))
    ]
    return Act(
        operation=event.operation,
        at=event.at,
        what=event.verb,
        label=told.get("label", ""),
        saved=len(told.get("saved", ())),
        claimed=sum(bool(row[3]) for row in told.get("saved", ())),
        proposed=len(told.get("proposed", ())),
        assigned=len(told.get("assigned", ())),
        same=told.get("same", 0),
        refused=stays[0],
        user=User.objects.filter(pk=told["user"]).first() if "user" in told else None,
        stage=Stage.objects.filter(project=project, pk=told["stage"]).first() if "stage" in told else None,
        undone=Undone(kept["restored"], kept["withdrawn"], kept["returned"], stays[1]) if undo is not None else None,
    )


def last_undoable(access: Access) -> Act | None:
    """The newest of the person's last acts that an undo would still change something of. A bounded number of
    statements; one for who did none."""
    project, user = access.project, access.user
    rows = Event.objects.filter(project=project, actor=user, verb__in=DONE, restored_at=None)
    # Not by the key alone: PostgreSQL would walk back through the whole log by it.
    newest = list(rows.exclude(operation=None).order_by((F("pk") + 0).desc())[:_LOOKED_AT])
    if not newest:
        return None
    operations = [event.operation for event in newest]
    undone = Event.objects.filter(operation__in=operations, project=project, verb=Verb.SENTENCES_UNDONE)
    over = set(undone.values_list("operation", flat=True))
    for event in newest:
        if event.operation not in over and _stands(project, event.after or {}):
            return _told(project, event, None)
    return None


def _stands(project: Project, told: dict[str, Any]) -> bool:
    """Whether anything of an act is as the act left it, and can be changed."""
    saved, proposed, assigned = (told.get(name, ()) for name in ("saved", "proposed", "assigned"))
    return _any_answer(project, saved) or _any_proposal(project, proposed) or _any_assigned(project, assigned)


def _any_answer(project: Project, saved: Sequence[Sequence[Any]]) -> bool:
    if not saved:
        return False
    held = Assignment.objects.filter(project=project, pk__in=[row[1] for row in saved], unit__is_current=True)
    held = held.exclude(state=AssignmentState.RETURNED).exclude(item__state__in=[ItemState.DECIDED, ItemState.VOID])
    there = set(held.values_list("pk", flat=True))
    answers = Annotation.objects.filter(project=project, pk__in=[row[0] for row in saved])
    versions = dict(answers.values_list("pk", "version"))
    return any(row[1] in there and versions.get(row[0]) == row[2] for row in saved)


def _any_proposal(project: Project, proposed: Sequence[Sequence[Any]]) -> bool:
    if not proposed:
        return False
    rows = Suggestion.objects.filter(project=project, pk__in=[row[0] for row in proposed], is_current=True)
    open_ones = set(rows.filter(unit__is_current=True).values_list("pk", flat=True))
    # A person who has started from it has answered it.
    begun = Annotation.objects.filter(suggestion__in=open_ones).values_list("suggestion", flat=True)
    return bool(open_ones - set(begun))


def _any_assigned(project: Project, assigned: Sequence[Sequence[Any]]) -> bool:
    if not assigned:
        return False
    rows = Assignment.objects.filter(project=project, pk__in=[row[0] for row in assigned], state=AssignmentState.OPEN)
    places = {row[0]: row[1:] for row in rows.values_list("pk", "unit_id", "stage__layer_id", "user_id")}
    answers = Annotation.objects.filter(unit__in=[place[0] for place in places.values()])
    versions = {
        tuple(place): version for *place, version in answers.values_list("unit_id", "layer_id", "user_id", "version")
    }
    return any(row[0] in places and versions.get(places[row[0]], 0) == row[1] for row in assigned)
