"""What came of an act on many sentences, as its event tells it: for the person who did it alone."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.verbs import Verb
from annotator.models import Event, Project, Stage, Unit, User

DONE = (Verb.SENTENCES_LABELLED, Verb.SENTENCES_UNLABELLED, Verb.SENTENCES_ASSIGNED)


@dataclass(frozen=True, slots=True)
class NotChanged:
    """A sentence that stayed as it was, and why: a code, and what an error said."""

    unit: Unit
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Act:
    """`what`: the code of its event. `undone`: what its undo says, once it was undone."""

    operation: uuid.UUID
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
    if event is None:
        return None
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
        operation=operation,
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
