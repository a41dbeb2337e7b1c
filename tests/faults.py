"""Servers that hang, and what a site says meanwhile, and after how long."""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.site import Site

# In seconds: what the site promises.
SOON = 3.0

MAKE_PERSON = """
import json
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from annotator.models import Role
from tests.factories import make_member, make_project, make_token
project = make_project("corpus", languages=["es", "en"])
user = make_member(project, Role.MANAGER)
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
print(json.dumps({
    "Cookie": f"{settings.SESSION_COOKIE_NAME}={session.session_key}",
    "Authorization": f"Token {make_token(user)[1]}",
}))
"""


@dataclass(frozen=True)
class Answer:
    """What came, and after how many seconds."""

    status: int
    headers: Mapping[str, str]
    text: str
    seconds: float

    @property
    def json(self) -> Any:
        return json.loads(self.text)


def ask(url: str, headers: Mapping[str, str] | None = None, data: bytes | None = None) -> Answer:
    """Send a request, and wait a minute at most."""
    request = urllib.request.Request(url, data=data, headers=dict(headers or {}))  # noqa: S310 -- a server of our own
    begun = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 -- a server of our own
            status, text, got = answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            status, text, got = error.code, error.read(), error.headers
    return Answer(status, dict(got), text.decode(), time.monotonic() - begun)


@dataclass(frozen=True)
class Person:
    """A manager of the project "corpus", who asks by page (a session) or by script (a token)."""

    address: str
    headers: Mapping[str, str]

    def page(self, path: str = "/projects/corpus/") -> Answer:
        """A page, as it is shown to them."""
        return ask(f"{self.address}{path}", {"Cookie": self.headers["Cookie"]})

    def call(self, path: str = "/api/v1/projects/corpus/", data: Mapping[str, Any] | None = None) -> Answer:
        """A call of the API."""
        headers = {"Authorization": self.headers["Authorization"], "Content-Type": "application/json"}
        return ask(f"{self.address}{path}", headers, json.dumps(data).encode() if data is not None else None)


def make_person(site: Site) -> Mapping[str, str]:
    """The headers by which the site knows a manager of a new project."""
    made: Mapping[str, str] = site.python(MAKE_PERSON)
    return made


@contextmanager
def stopped(processes: Sequence[int]) -> Iterator[None]:
    """These processes stand still while the block lasts: their connections stay open, and nobody answers on them."""
    try:
        _signal(processes, signal.SIGSTOP)
        yield
    finally:
        _signal(processes, signal.SIGCONT)


def _signal(processes: Sequence[int], number: signal.Signals) -> None:
    for pid in processes:
        # PostgreSQL's end with their connections.
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def processes_of_postgres(site: Site) -> list[int]:
    """PostgreSQL's processes, that of each connection included; the one that takes new connections first."""
    backend = site.value("SELECT pg_backend_pid()")
    status = Path(f"/proc/{backend}/status").read_text()
    parent = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("PPid:"))
    return [parent, *map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())]
