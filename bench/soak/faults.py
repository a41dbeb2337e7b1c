"""Faults made on purpose, each for some seconds."""

from __future__ import annotations

import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import redis

from bench.soak.servers import Disk
from bench.soak.supervisor import Service
from tests.postgresql import PostgreSQL

# Slow clients of each kind.
EACH = 16
HEADER = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nX-More: "
BODY = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\nname="
# More than fits into what the kernel keeps for a connection.
FILE = b"GET /static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Faults:
    """Draws one after the other, in an order that the seed says: each comes once before any comes again."""

    def __init__(
        self,
        *,
        seed: int,
        web: Service,
        web_port: int,
        workers: list[Service],
        postgres: PostgreSQL,
        redis_url: str,
        disk: Disk,
    ) -> None:
        self._draw = random.Random(f"{seed}-faults")
        self._web, self._web_port, self._workers = web, web_port, workers
        self._postgres, self._redis_url, self._disk = postgres, redis_url, disk
        self.done: Counter[str] = Counter()

    def run(self, every: float, until: float, over: threading.Event) -> None:
        """A fault every so many seconds, up to a time of `time.monotonic`, or until `over`."""
        for name, fault in self._endlessly():
            began = time.monotonic()
            if over.wait(min(every, until - began)) or time.monotonic() >= until:
                return
            print(f"{time.strftime('%H:%M:%S')} {name}", flush=True)
            fault(over)
            self.done[name] += 1

    def _endlessly(self) -> Iterator[tuple[str, Callable[[threading.Event], None]]]:
        kinds = {
            "web process killed": self._kill_web,
            "worker killed": self._kill_worker,
            "PostgreSQL stopped": self._stop_postgres,
            "Redis emptied": self._empty_redis,
            "slow clients": self._slow_clients,
        }
        if self._disk.limited:
            kinds["disk filled"] = self._fill_disk
        while True:
            yield from self._draw.sample(sorted(kinds.items()), len(kinds))

    def _kill_web(self, over: threading.Event) -> None:
        self._kill([self._web])

    def _kill_worker(self, over: threading.Event) -> None:
        self._kill(self._workers)

    def _kill(self, services: list[Service]) -> None:
        """One of the processes, the parents among them."""
        if pids := [pid for service in services for pid in service.pids()]:
            with suppress(ProcessLookupError):
                os.kill(self._draw.choice(pids), signal.SIGKILL)

    def _stop_postgres(self, over: threading.Event) -> None:
        self._postgres.stop()
        over.wait(self._draw.uniform(1, 8))
        self._postgres.start()

    def _empty_redis(self, over: threading.Event) -> None:
        with redis.Redis.from_url(self._redis_url) as client:
            client.flushall()

    def _fill_disk(self, over: threading.Event) -> None:
        self._disk.fill()
        over.wait(self._draw.uniform(4, 10))
        self._disk.free()

    def _slow_clients(self, over: threading.Event) -> None:
        with ExitStack() as stack:
            for sends, room in ((HEADER, 65_536), (BODY, 65_536), (FILE * 2, 2048)):
                for _number in range(EACH):
                    with suppress(OSError):
                        self._connection(stack, sends, room)
            over.wait(10)

    def _connection(self, stack: ExitStack, sends: bytes, room: int) -> None:
        made = stack.enter_context(socket.socket())
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        made.settimeout(5)
        made.connect(("127.0.0.1", self._web_port))
        made.sendall(sends)
