"""The embedded broker: kombu's filesystem transport, with files that appear whole or not at all.

kombu opens a message file under its final name and then writes it, so a worker may pick it up while it is still
empty, and stumble. The same goes for the table of an exchange.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from pathlib import Path
from time import time_ns
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


def _write_whole(path: Path, data: bytes) -> None:
    """Write beside `path`, then rename onto it."""
    beside = path.parent / f".{uuid.uuid4()}.part"
    beside.write_bytes(data)
    os.replace(beside, path)


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]
        # They are taken in the order of their names: what is urgent first. Wall-clock time sorts across restarts of the
        # machine; kombu's monotonic clock does not.
        place = self._get_message_priority(payload)
        name = f"{place}_{time_ns() // 1_000_000}_{uuid.uuid4()}.{queue}.msg"
        _write_whole(Path(self.data_folder_out) / name, dumps(payload).encode())

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        path = self._exchange_file(exchange)
        with (self.control_folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            table = [list(row) for row in self.get_table(exchange)]
            row = [routing_key or "", pattern or "", queue or ""]
            if row not in table:
                _write_whole(path, dumps([row, *table]).encode())


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> Any:
        # Celery would wait for two seconds before it looks whether it has to stop, and its caller would wait, too.
        return super().drain_events(connection, timeout=self.polling_interval)
