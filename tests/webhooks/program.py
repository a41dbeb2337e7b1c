"""A program that is told of events: an HTTP server of our own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from annotator.webhooks.sending import Reach

# Tests send to this machine.
LOCAL = Reach(local=True)


class Program(ThreadingHTTPServer):
    """What it was sent, and what it answers: `status`, `location` of redirects, `body`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 204
        self.location = ""
        self.body = b""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?of=us"

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _path, _headers, body in self.received]


class _Handler(BaseHTTPRequestHandler):
    server: Program

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.received.append((self.path, dict(self.headers), body))
        self.send_response(self.server.status)
        if self.server.location:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_args: Any) -> None:
        pass


@contextmanager
def listening() -> Iterator[Program]:
    program = Program()
    thread = threading.Thread(target=program.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield program
    finally:
        program.shutdown()
        thread.join()
        program.server_close()
