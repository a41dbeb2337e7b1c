"""Hourly: delete drafts and uploads that are over, and files that killed jobs left without a name."""

from __future__ import annotations

import time

from django.utils import timezone

from annotator.backup.actions.uploads import sweep_uploads
from annotator.core.files.part_file import sweep_unnamed
from annotator.imports.drafts.drafts import sweep_drafts

HOUR = 3600.0


class HourlySweep:
    """Sweeps when it is called for the first time, then once an hour however often it is called."""

    def __init__(self) -> None:
        self._swept_at: float | None = None

    def __call__(self) -> None:
        if self._swept_at is None or time.monotonic() - self._swept_at > HOUR:
            self._swept_at = time.monotonic()
            sweep_drafts(now=timezone.now())
            sweep_uploads(now=timezone.now())
            sweep_unnamed(now=timezone.now())
