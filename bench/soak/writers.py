"""People who label sentences through the API, and the ledger of what the site acknowledged."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.soak.client import Client, NoAnswerError, RefusedError

FIRST_WAIT, LONGEST_WAIT = 0.5, 4.0
# Seconds between two saves of one person.
PAUSE = (0.05, 0.4)
# How many items a person has in hand, as in static/work/logic/queue.js.
AHEAD = 20
# How many of the answers before a person comes back to.
REMEMBERED = 50


class Ledger:
    """A file with a line for each acknowledged save, on the disk before the next one is sent."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a")
        self._lock = threading.Lock()
        self.lines = 0
        self.last = time.monotonic()
        self.longest_gap = 0.0

    def add(self, line: dict[str, Any]) -> None:
        with self._lock:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            now = time.monotonic()
            self.longest_gap = max(self.longest_gap, now - self.last)
            self.last = now
            self.lines += 1


class Writer(threading.Thread):
    """One person: claims items, saves them, comes back to some, and tries again what got no answer."""

    def __init__(self, number: int, seed: int, client: Client, ledger: Ledger, project: str, stage: int) -> None:
        super().__init__(name=f"writer-{number}", daemon=True)
        self._draw = random.Random(f"{seed}-{number}")
        self._client, self._ledger = client, ledger
        self._api, self._stage = f"projects/{project}/", stage
        self._held: list[dict[str, Any]] = []
        self._done: list[dict[str, Any]] = []
        self._saves = 0
        self.over = threading.Event()
        # Why the person cannot continue: the site refused what it should accept.
        self.trouble = ""

    def run(self) -> None:
        try:
            while not self.over.is_set():
                if not self._held:
                    self._claim()
                if item := self._next():
                    self._save(item)
                self.over.wait(self._draw.uniform(*PAUSE))
        except RefusedError as error:
            self.trouble = f"{self.name}: {error}"
        finally:
            self._client.close()

    def _next(self) -> dict[str, Any] | None:
        """An item that was not answered yet, or one that was, once in a while and when there are no more."""
        if self._done and (not self._held or self._draw.random() < 0.25):
            return self._draw.choice(self._done)
        return self._held.pop() if self._held else None

    def _claim(self) -> None:
        body = {"held": [], "count": AHEAD}
        answer = self._sure(lambda: self._client.json("POST", f"{self._api}stages/{self._stage}/claim/", body))
        known = {item["id"] for item in self._done}
        self._held = [item for item in answer["items"] if item["id"] not in known]

    def _save(self, item: dict[str, Any]) -> None:
        self._saves += 1
        token = self._draw.randrange(len(item["unit"]["tokens"]))
        span = {"tokens": [token], "label": "METAPHOR", "attributes": {}}
        body = {
            "version": item["annotation"]["version"],
            "content": {"spans": [span] if self._draw.random() < 0.8 else []},
            "comment": f"{self.name} {self._saves}",
            "done": True,
        }
        saved = self._sure(lambda: self._client.json("POST", f"{self._api}assignments/{item['id']}/save/", body))
        annotation = saved["annotation"]
        self._ledger.add({"assignment": item["id"], **body, "version": annotation["version"]})
        item["annotation"] = annotation
        if item not in self._done:
            self._done = [*self._done, item][-REMEMBERED:]

    def _sure(self, call: Callable[[], Any]) -> Any:
        """The answer, after as many tries as it takes. An unfinished item is finished when the work is over."""
        wait = FIRST_WAIT
        while True:
            try:
                return call()
            except NoAnswerError:
                time.sleep(wait)
                wait = min(LONGEST_WAIT, 2 * wait)
