"""The rows that say who must not see what (`work/blind/queries/blind.py` reads them)."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.models import Assignment, BlindMark, Stage


def mark_blind(assignments: Iterable[Assignment], stage: Stage) -> None:
    """From now on these people must not see labels on what their units touch. Assignments come with their unit."""
    BlindMark.objects.bulk_create(
        (
            BlindMark(
                project_id=row.project_id, assignment=row, user_id=row.user_id, segment_id=segment, layer=stage.layer
            )
            for row in assignments
            for segment in row.unit.touches
        ),
        batch_size=500,
        ignore_conflicts=True,
    )
