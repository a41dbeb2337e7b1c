"""Files that a job writes before it knows whether they are wanted: they have no name yet, and go away without one."""

from __future__ import annotations

import hashlib
import os
import uuid
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO


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
    """A new file in `folder` with what `write` writes; what that raises leaves nothing behind."""
    # A name that nobody else has: another worker may be at the same job, whose lease this one lost.
    path = folder / f".{uuid.uuid4().hex}.part"
    folder.mkdir(parents=True, exist_ok=True)
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
