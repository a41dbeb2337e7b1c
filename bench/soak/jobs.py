"""A manager who starts long work all the time, through pages and the API."""

from __future__ import annotations

import hashlib
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from bench.soak.client import Client, NoAnswerError, RefusedError

# Seconds between two jobs that are asked for.
PAUSE = 3.0
# Project backups that are kept: the disk is small.
KEPT = 5
SENTENCES = 60
# fmt: off
WORDS = {
    "es": ["tiempo", "casa", "río", "voz", "luz", "vuela", "abre", "cierra", "noche", "idea", "fuego", "nuevo"],
    "en": ["time", "house", "river", "voice", "light", "flies", "opens", "closes", "night", "idea", "fire", "new"],
}
# fmt: on


class Manager(threading.Thread):
    """Asks for one job after the other; what is under way already is refused, and that is fine."""

    def __init__(self, seed: int, client: Client, project: str, name: str, password: str) -> None:
        super().__init__(name="manager", daemon=True)
        self._draw = random.Random(f"{seed}-manager")
        self._client, self._project = client, project
        self._api, self._pages = f"projects/{project}/", f"/projects/{project}/"
        self._login = (name, password)
        self.over = threading.Event()
        self.asked: Counter[str] = Counter()
        self.trouble = ""
        self._imports = 0

    def run(self) -> None:
        try:
            self.sign_in()
            for name, start in itertools.cycle(self._kinds().items()):
                if self.over.wait(PAUSE):
                    break
                try:
                    start()
                    self.asked[name] += 1
                except NoAnswerError:
                    pass
                except RefusedError as error:
                    if "already in progress" not in error.body and "room" not in error.body:
                        raise
        except RefusedError as error:
            self.trouble = f"manager: {error}"

    def sign_in(self) -> None:
        self._sure(lambda: self._client.sign_in(*self._login))

    def _kinds(self) -> dict[str, Callable[[], Any]]:
        post = self._client.json
        export = {"format": "jsonl", "layer": "labels", "whose": "gold", "undecided": True}
        return {
            "predict": lambda: self._form("predict/", language="es", detector="crf"),
            "import": self._import,
            "project": lambda: self._form(
                "project-labels/", source="es", target="en", aligner="lexical", labels="annotations"
            ),
            "export": lambda: post("POST", f"{self._api}exports/", export),
            "release": lambda: self._form("releases/start/", partial="on"),
            "archive": self._archive,
            "train": lambda: self._form("train/", language="es", engine="crf"),
            "count": lambda: self._form("reports/count/"),
        }

    def _form(self, path: str, **fields: str) -> None:
        self._client.form(f"{self._pages}{path}", fields)

    def _archive(self) -> None:
        for old in self._client.json("GET", f"{self._api}archives/")["archives"][KEPT:]:
            self._client.json("DELETE", f"{self._api}archives/{old['id']}/file/")
        self._client.json("POST", f"{self._api}archives/", {"pseudonyms": False})

    def _import(self) -> None:
        """Two files of parallel sentences, as the wizard takes them."""
        self._imports += 1
        name = f"book{self._imports}"
        draft = self._client.json("POST", f"{self._api}imports/drafts/")["id"]
        chosen = [self._draw.choices(range(len(WORDS["es"])), k=8) for _number in range(SENTENCES)]
        files = {f"{name}.{language}.txt": _text(words, chosen) for language, words in WORDS.items()}
        self._client.upload(f"{self._api}imports/drafts/{draft}/files/", files)
        self._client.json("PATCH", f"{self._api}imports/drafts/{draft}/", {"dataset": name, "publishable": True})
        self._client.json("POST", f"{self._api}imports/drafts/{draft}/start/")

    def damaged_files(self) -> list[str]:
        """Project backups that cannot be downloaded as they were written."""
        found = []
        for archive in self._sure(lambda: self._client.json("GET", f"{self._api}archives/"))["archives"]:
            path = f"/api/v1/{self._api}archives/{archive['id']}/file/"
            try:
                content = self._sure(partial(self._client.get, path))
            except RefusedError as error:
                found.append(f"The project backup {archive['name']} is refused: {error}")
                continue
            if hashlib.sha256(content).hexdigest() != archive["sha256"]:
                found.append(f"The project backup {archive['name']} is another file than was written.")
        return found

    def _sure(self, call: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 120
        while True:
            try:
                return call()
            except NoAnswerError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)


def _text(words: list[str], chosen: list[list[int]]) -> str:
    """A line for each sentence, with the words that were chosen."""
    return "".join(" ".join(words[place] for place in places) + " .\n" for places in chosen)
