"""A browser as far as the soak needs one: a connection that is kept, a session or a token, and what was answered."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

# Seconds, as in static/site/api.js.
TIMEOUT = 30
UNAVAILABLE = 503
# Worth another try, as in static/site/api.js.
RETRIABLE = (408, 429)
BOUNDARY = "translatio-soak"


class Tally:
    """Answers by status, of all clients. What no client should ever be told is kept word by word."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.statuses: Counter[str] = Counter()
        self.unexpected: list[str] = []

    def count(self, status: str) -> None:
        with self._lock:
            self.statuses[status] += 1

    def note(self, what: str) -> None:
        with self._lock:
            self.unexpected.append(what)


class NoAnswerError(Exception):
    """The request did not get through, or its answer did not: it is worth another try."""


class RefusedError(Exception):
    """The site refused it; a second try would be refused, too."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body[:300]}")
        self.status = status
        self.body = body


class Client:
    """One person's. Not for several threads at once."""

    def __init__(self, port: int, tally: Tally) -> None:
        self._port, self._tally = port, tally
        self._connection: http.client.HTTPConnection | None = None
        self._cookies: dict[str, str] = {}
        self._token = ""

    def get(self, path: str) -> bytes:
        return self._ask("GET", path, None, {})

    def json(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a call of the API. Raises NoAnswerError or RefusedError."""
        text = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", **({"Content-Type": "application/json"} if text else {})}
        return json.loads(self._ask(method, f"/api/v1/{path}", text, headers))

    def upload(self, path: str, files: dict[str, str]) -> Any:
        """Send files to a call of the API."""
        parts = [
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n'
            f"Content-Type: text/plain\r\n\r\n{text}\r\n"
            for name, text in files.items()
        ]
        body = ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        return json.loads(self._ask("POST", f"/api/v1/{path}", body, headers))

    def form(self, path: str, fields: dict[str, str]) -> None:
        """Send a page's form."""
        fields = {**fields, "csrfmiddlewaretoken": self._cookies.get("translatio_csrf", "")}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        self._ask("POST", path, urlencode(fields).encode(), headers)

    def sign_in(self, name: str, password: str) -> None:
        self.get("/sign-in/")
        self.form("/sign-in/", {"username": name, "password": password})
        if "translatio_session" not in self._cookies:
            raise NoAnswerError

    def take_token(self, name: str, password: str) -> None:
        self._token = self.json("POST", "token/", {"username": name, "password": password})["token"]

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        if self._token:
            headers = {**headers, "Authorization": f"Token {self._token}"}
        elif self._cookies:
            cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            headers = {**headers, "Cookie": cookies, "X-CSRFToken": self._cookies.get("translatio_csrf", "")}
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            self._tally.count("none")
            raise NoAnswerError from error
        self._tally.count(str(answer.status))
        for line in answer.headers.get_all("Set-Cookie") or ():
            self._cookies.update((name, morsel.value) for name, morsel in SimpleCookie(line).items())
        if answer.status < http.client.BAD_REQUEST:
            return content
        text = content.decode(errors="replace")
        if answer.status >= http.client.INTERNAL_SERVER_ERROR or answer.status in RETRIABLE:
            if answer.status not in (UNAVAILABLE, *RETRIABLE):
                self._tally.note(f"{method} {path}: {answer.status} {text[:300]}")
            raise NoAnswerError
        raise RefusedError(answer.status, text)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
