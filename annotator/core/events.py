"""The one way into the event log."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models

from annotator.core.database.bulk import insert_one, insert_some
from annotator.core.files.room import grow
from annotator.core.policies import check_open
from annotator.domain.verbs import Verb
from annotator.models import Event, Layer, Project, Stage, User

# Bytes of an event that are not counted in its project. Where it is shorter, it takes years to fill a quota.
SHORT = 10_000
# What managers change. A person who answers has no say in how much a project keeps, and is not refused.
_MANAGED = (Project, Layer, Stage)


def log(
    *,
    project: Project | int | None,
    actor: User | None,
    verb: Verb,
    subject: models.Model | None,
    before: Any = None,
    after: Any = None,
    operation: uuid.UUID | None = None,
) -> Event:
    """Append an event. Call it inside the transaction of the write that it records.

    `subject`: None for the site as a whole.

    `before` and `after` name people and things by id, never by name. `operation`: one id for all events of one act.
    What it stores counts in the project, but for `SHORT`. Raises ArchivedError in an archived project, which keeps
    every write out of it; a caller that passes an id has asked `policies.check_open` before. Raises
    NoRoomError where a manager's change is longer than there is room for.
    """
    if isinstance(project, Project):
        check_open(project)
    event = _event(project, actor, verb, subject, before, after, operation)
    _count(event.project_id, actor, [(subject, before, after)])
    return insert_one(event)


def log_many(
    *,
    project: Project | int | None,
    actor: User | None,
    verb: Verb,
    changes: Iterable[tuple[models.Model, Any, Any]],
    operation: uuid.UUID | None = None,
) -> Sequence[Event]:
    """Append one event for each (subject, before, after) of a bulk write, inside its transaction: one operation."""
    if isinstance(project, Project):
        check_open(project)
    operation = operation or uuid.uuid4()
    changes = list(changes)
    events = [_event(project, actor, verb, subject, before, after, operation) for subject, before, after in changes]
    if events:
        _count(events[0].project_id, actor, changes)
    return insert_some(events)


def _count(project: int | None, actor: User | None, changes: Sequence[tuple[models.Model | None, Any, Any]]) -> None:
    """Count in the project what long events take."""
    more = sum(max(0, _stored(before) + _stored(after) - SHORT) for _subject, before, after in changes)
    if project is not None and more:
        checked = any(isinstance(subject, _MANAGED) for subject, _before, _after in changes)
        grow(project=project, by=actor, more=more, checked=checked)


def _stored(value: Any) -> int:
    """Bytes that it takes in the database, where letters beyond ASCII are spelled as escapes."""
    return 0 if value is None else len(json.dumps(value))


def _event(
    project: Project | int | None,
    actor: User | None,
    verb: Verb,
    subject: models.Model | None,
    before: Any,
    after: Any,
    operation: uuid.UUID | None,
) -> Event:
    return Event(
        project_id=project.pk if isinstance(project, Project) else project,
        actor=actor,
        verb=verb,
        subject_type="site" if subject is None else subject._meta.model_name or "",
        subject_id=0 if subject is None else subject.pk,
        before=before,
        after=after,
        operation=operation,
    )
