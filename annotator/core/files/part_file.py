"""Files that a job writes before it knows whether they are wanted: they have no name yet, and go away without one."""

from __future__ import annotations

import hashlib
import os
import uuid
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import IO

from django.utils import timezone

from annotator.core.files.storage import site_files

# Where they are in the storage until then.
PARTS = "parts"
# After it nobody writes to a file any more, since its process was killed: what is written now was touched a moment ago,
# and what is written gets its name within seconds.
STRAY_AFTER = timedelta(hours=1)


@dataclass(eq=False)
class PartFile:
    """A file that is whole and in the storage; it goes away with this object unless it gets a name."""

    part: str
    sha256: str
    size: int

    def __post_init__(self) -> None:
        # The job may be cancelled before it is stored.
        self._forget = weakref.finalize(self, site_files().delete, self.part)

    def name(self, name: str) -> None:
        """Put it in the storage under `name`, in the place of what has that name."""
        site_files().rename(self.part, name)
        self._forget.detach()


def written(write: Callable[[IO[bytes]], None]) -> PartFile:
    """A new file with what `write` writes; what that raises leaves nothing behind. Call it outside of a transaction.

    Files left by killed writers are removed.
    """
    files = site_files()
    sweep_parts(now=timezone.now())
    # A name that nobody else has: another worker may be at the same job, whose lease this one lost.
    part = f"{PARTS}/{uuid.uuid4().hex}"
    path = files.here(part)
    try:
        with path.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
        files.publish(part)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return PartFile(part, sha256, size)


def sweep_parts(*, now: datetime) -> int:
    """Delete the files without a name that killed writers have left. Returns how many it was."""
    files = site_files()
    stray = [file.name for file in files.files(PARTS) if file.modified < now - STRAY_AFTER]
    for name in stray:
        files.delete(name)
    return len(stray)
