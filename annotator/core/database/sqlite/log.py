"""SQLite's log on its way to the disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Between two times that the log is brought to the disk.
SYNC_SECONDS = 0.01


@contextmanager
def synced_beside(database: str) -> Iterator[None]:
    """While the block runs, a thread brings the log of a database to the disk again and again.

    For a block whose transactions do not wait for the disk themselves. What they leave unsynced, the next transaction
    that does wait writes as well, and that one is somebody's save. A database without a log is left alone.
    """
    try:
        # Closing it again is safe: SQLite's locks are on its other files, and a process that closes one of those
        # loses them.
        log = os.open(f"{database}-wal", os.O_RDONLY)
    except OSError:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_sync, args=(log, over), name="log", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        os.close(log)


def _sync(log: int, over: threading.Event) -> None:
    # macOS and Windows have no fdatasync.
    sync = getattr(os, "fdatasync", os.fsync)
    # What is wrong with the disk is said to SQLite, too, when it waits for it.
    with suppress(OSError):
        while not over.wait(SYNC_SECONDS):
            sync(log)
