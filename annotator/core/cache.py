"""The cache that all web processes share."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache


class SharedFileCache(FileBasedCache):
    """Django's cache in files, with an `add` that only one process can win.

    Django's own looks and then writes, so that two processes may both be told that they were first. Limits on guessing
    take turns by `add`.
    """

    def __init__(self, dir: str, params: dict[str, Any]) -> None:
        super().__init__(dir, params)
        self._lock = Path(dir) / "add.lock"

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        self._lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A lock of the file as this call opened it, so that threads of one process wait for each other, too.
        with self._lock.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return bool(super().add(key, value, timeout, version))
