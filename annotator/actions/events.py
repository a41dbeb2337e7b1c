"""The one way into the event log."""

from __future__ import annotations

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
    return Event.objects.create(
        project=project,
        actor=actor,
        verb=verb,
        subject_type=subject._meta.model_name or "",
        subject_id=subject.pk,
        before=before,
        after=after,
    )
