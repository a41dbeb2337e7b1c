"""The one way into the event log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models

from annotator.models import Event, Project, User


def log(
    *,
    project: Project | None,
    actor: User | None,
    verb: str,
    subject: models.Model,
    before: Any = None,
    after: Any = None,
) -> Event:
    """Append an event. Call it inside the transaction of the write that it records."""
    event = _event(project, actor, verb, subject, before, after)
    event.save()
    return event


def log_many(
    *,
    project: Project | None,
    actor: User | None,
    verb: str,
    changes: Iterable[tuple[models.Model, Any, Any]],
) -> None:
    """Append one event for each (subject, before, after) of a bulk write, inside its transaction."""
    Event.objects.bulk_create(
        [_event(project, actor, verb, subject, before, after) for subject, before, after in changes], batch_size=500
    )


def _event(
    project: Project | None, actor: User | None, verb: str, subject: models.Model, before: Any, after: Any
) -> Event:
    return Event(
        project=project,
        actor=actor,
        verb=verb,
        subject_type=subject._meta.model_name or "",
        subject_id=subject.pk,
        before=before,
        after=after,
    )
