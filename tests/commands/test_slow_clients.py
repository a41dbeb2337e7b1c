"""Clients that send slowly, or do not read what they asked for, hold nobody else up."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from tests.site import Site

pytestmark = pytest.mark.processes

EACH = 16
HEADER = b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\nX-More: "
BODY = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\nname="
# More than fits into what the kernel keeps for a connection.
FILE = b"GET /static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connection(address: str, sends: bytes, room: int = 65_536) -> socket.socket:
    place = urlsplit(address)
    assert place.hostname and place.port
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    made.connect((place.hostname, place.port))
    made.sendall(sends)
    return made


@pytest.fixture
def served(site: Site) -> Iterator[str]:
    with site.served("--config", "python:annotator.gunicorn_conf") as address:
        yield address


def test_sixteen_of_each_kind_leave_the_site_to_others(served: str) -> None:
    with ExitStack() as stack:
        for sends, room in ((HEADER, 65_536), (BODY, 65_536), (FILE * 2, 2048)):
            for _number in range(EACH):
                stack.enter_context(connection(served, sends, room))
        for _time in range(10):
            with urllib.request.urlopen(f"{served}/sign-in/", timeout=5) as answer:  # noqa: S310 -- a server of our own
                assert answer.status == 200
