"""How a person of a test saves an answer."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from annotator.models import Annotation, Assignment
from annotator.work.answering.actions.annotations import save_annotation

NOW = timezone.now()


def save(
    row: Assignment, content: dict[str, Any], *, done: bool = True, now: datetime = NOW, **more: Any
) -> Annotation:
    """Save an answer over whatever its person had saved before; `more`: doubt, comment, seconds."""
    found = Annotation.objects.filter(unit=row.unit, layer=row.stage.layer, user=row.user)
    return save_annotation(
        project=row.project,
        assignment=row.pk,
        version=found.values_list("version", flat=True).first() or 0,
        content=content,
        done=done,
        by=row.user,
        now=now,
        **more,
    )
