"""Files are sent in pieces, and from any place."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from annotator.models import Release, Role
from tests.clients import client_of
from tests.factories import make_member, make_project, make_release

pytestmark = pytest.mark.django_db
MIB = 1024 * 1024


@pytest.fixture
def release() -> Release:
    project = make_project("letters")
    make_member(project, Role.MANAGER, username="mara")
    return make_release(project, content=b"0123456789")


def get(release: Release, path: str = "/api/v1/projects/letters/releases/1/file/", **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client_of(release.project.memberships.get().user).get(path, headers=named)


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.mark.parametrize(
    "path", ["/api/v1/projects/letters/releases/1/file/", "/projects/letters/releases/1/download/"]
)
@pytest.mark.parametrize(
    ("asked", "part", "told"),
    [
        ("bytes=0-3", b"0123", "bytes 0-3/10"),
        ("bytes=7-", b"789", "bytes 7-9/10"),
        ("bytes=-2", b"89", "bytes 8-9/10"),
        ("bytes=-99", b"0123456789", "bytes 0-9/10"),
        ("bytes=5-999999999999999999", b"56789", "bytes 5-9/10"),
    ],
)
def test_a_part_is_sent(release: Release, path: str, asked: str, part: bytes, told: str) -> None:
    answer = get(release, path, Range=asked)
    assert (answer.status_code, answer.headers["Content-Range"]) == (206, told)
    assert (content(answer), answer.headers["Content-Length"]) == (part, str(len(part)))


@pytest.mark.parametrize("asked", ["bytes=0-1,4-5", "bytes=x", "lines=1-2", "bytes=" + "9" * 30 + "-", ""])
def test_what_is_no_part_is_the_whole_file(release: Release, asked: str) -> None:
    answer = get(release, Range=asked)
    assert (answer.status_code, content(answer), answer.headers["Accept-Ranges"]) == (200, b"0123456789", "bytes")


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=5-2", "bytes=-0", "bytes=-"])
def test_what_the_file_does_not_have_is_refused(release: Release, asked: str) -> None:
    answer = get(release, Range=asked)
    assert (answer.status_code, answer.headers["Content-Range"]) == (416, "bytes */10")


def test_a_part_of_another_file_is_the_whole_one(release: Release) -> None:
    tag = get(release).headers["ETag"]
    assert tag == f'"{release.sha256}"'
    assert content(get(release, Range="bytes=8-", If_Range=tag)) == b"89"
    assert content(get(release, Range="bytes=8-", If_Range='"other"')) == b"0123456789"


def test_memory_does_not_grow_with_the_file() -> None:
    project = make_project("letters")
    make_member(project, Role.MANAGER, username="mara")
    release = make_release(project, content=bytes(64 * MIB))
    for headers in ({}, {"Range": "bytes=1-"}):
        answer = get(release, **headers)
        tracemalloc.start()
        size = sum(len(chunk) for chunk in answer.streaming_content)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert size >= 64 * MIB - 1
        assert peak < MIB, headers
