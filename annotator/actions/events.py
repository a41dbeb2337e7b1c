"""The one way into the event log."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models

from annotator.actions.bulk import insert_one, insert_some
from annotator.actions.policies import check_open
from annotator.domain.verbs import Verb
from annotator.models import Event, Project, User


def log(
    *,
    project: Project | int | None,
    actor: User | None,
    verb: Verb,
    subject: models.Model,
    before: Any = None,
    after: Any = None,
    operation: uuid.UUID | None = None,
) -> Event:
    """Append an event. Call it inside the transaction of the write that it records.

    `before` and `after` name people and things by id, never by name. `operation`: one id for all events of one act.
    Raises ArchivedError in an archived project, which keeps every write out of it; whoever passes an id instead of the
    project has asked `policies.check_open` before.
    """
    if isinstance(project, Project):
        check_open(project)
    event = _event(project, actor, verb, subject, before, after, operation)
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
    return insert_some(
        [_event(project, actor, verb, subject, before, after, operation) for subject, before, after in changes]
    )


def _event(
    project: Project | int | None,
    actor: User | None,
    verb: Verb,
    subject: models.Model,
    before: Any,
    after: Any,
    operation: uuid.UUID | None,
) -> Event:
    return Event(
        project_id=project.pk if isinstance(project, Project) else project,
        actor=actor,
        verb=verb,
        subject_type=subject._meta.model_name or "",
        subject_id=subject.pk,
        before=before,
        after=after,
        operation=operation,
    )
