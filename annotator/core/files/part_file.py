"""Files that a job writes before it knows whether they are wanted: they have no name yet, and go away without one."""

from __future__ import annotations

import hashlib
import os
import time
import uuid
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from django.conf import settings

# Seconds after which nobody writes to a file any more, since its process was killed: what is written now was touched a
# moment ago, and what is written gets its name within seconds.
STRAY_AFTER = 3600.0


@dataclass(eq=False)
class PartFile:
    """A file that is whole and on the disk; it goes away with this object unless it gets a name."""

    path: Path
    sha256: str
    size: int

    def name(self, path: Path) -> None:
        """Put it at `path`, in the folder that it is in."""
        os.replace(self.path, path)


def written(folder: Path, write: Callable[[IO[bytes]], None]) -> PartFile:
    """A new file in `folder` with what `write` writes; what that raises leaves nothing behind.

    What writers who were killed have left in the folder goes.
    """
    # A name that nobody else has: another worker may be at the same job, whose lease this one lost.
    path = folder / f".{uuid.uuid4().hex}.part"
    folder.mkdir(parents=True, exist_ok=True)
    sweep_parts(folder, now=time.time())
    try:
        with path.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    part = PartFile(path, sha256, path.stat().st_size)
    # The job may be cancelled before it is stored.
    weakref.finalize(part, path.unlink, missing_ok=True)
    return part


def sweep_parts(folder: Path, *, now: float) -> int:
    """Delete the files without a name that killed writers have left in `folder`, at `now` (seconds of the epoch).

    Returns how many it was.
    """
    gone = 0
    for path in folder.glob(".*.part"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < now - STRAY_AFTER:
                path.unlink()
                gone += 1
    return gone


def sweep_unnamed(*, now: datetime) -> int:
    """Delete what killed jobs have left of archives and releases that they wrote. Returns how many files it was."""
    homes = [Path(settings.ARCHIVES_DIR), Path(settings.RELEASES_DIR)]
    folders = [folder for home in homes if home.is_dir() for folder in home.iterdir() if folder.is_dir()]
    return sum(sweep_parts(folder, now=now.timestamp()) for folder in folders)
