"""What strangers and outsiders send is refused before it is read, by the server of an installation."""

from __future__ import annotations

import http.client
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from django.conf import settings

from tests.site import Site

LARGE = 600 * 1024 * 1024
INVENTED = "x" * 32
ADDRESSES = [
    "/projects/letters/import/", "/projects/letters/import/1/files/", "/restore/", "/sign-in/", "/nowhere/",
    "/api/v1/archives/", "/api/v1/projects/letters/imports/drafts/1/files/", "/api/v1/token/", "/api/v1/nowhere/",
]  # fmt: skip


@pytest.fixture
def served(site: Site, tmp_path: Path) -> Iterator[str]:
    site.env |= {"TMPDIR": str(tmp_path), "PROJECT_CREATORS": "chosen"}
    with site.served("--worker-class", "gthread", "--threads", "2", "--keep-alive", "75") as address:
        yield address


def sent(address: str, path: str, headers: dict[str, str], body: bytes = b"") -> int:
    """The status that is answered to a body that is announced, and never sent but for its beginning."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.putrequest("POST", path)
    for name, value in {"Content-Type": "multipart/form-data; boundary=b", **headers}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.processes
def test_strangers_and_outsiders_are_refused_before_they_send_anything(served: str, site: Site, tmp_path: Path) -> None:
    site.python(
        "from tests.factories import make_member, make_project, make_user\nmake_member(make_project('letters'))\n"
        "from django.contrib.auth.hashers import make_password\nfrom annotator.models import User\nmake_user('olga')\n"
        "User.objects.filter(username='olga').update(password=make_password('open sesame', hasher='pbkdf2_sha256'))\n"
    )
    invented = {"Cookie": f"{settings.CSRF_COOKIE_NAME}={INVENTED}", "X-CSRFToken": INVENTED}
    length = {"Content-Length": str(LARGE)}
    cookies, token = signed_in(served)

    for path in ADDRESSES:
        for who in (invented, {"Cookie": cookies, "X-CSRFToken": token}):
            begun = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n' + b"x" * 10_000
            assert sent(served, path, {**who, **length}, begun) in {302, 401, 403, 404, 413, 415}, path
            # Without a length, in pieces: the first of them, and no end.
            pieces = b"2710\r\n" + b"x" * 10_000 + b"\r\n"
            assert sent(served, path, {**who, "Transfer-Encoding": "chunked"}, pieces) < 500, path
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 9_000_000] == []


def signed_in(address: str) -> tuple[str, str]:
    """The cookies of somebody who is a member of nothing, and their form token."""
    jar = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    page = browser.open(f"{address}/sign-in/").read().decode()
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found
    entry = {"username": "olga", "password": "open sesame", "csrfmiddlewaretoken": found[1]}
    browser.open(f"{address}/sign-in/", urllib.parse.urlencode(entry).encode())
    kept = {cookie.name: cookie.value or "" for cookie in jar}
    assert settings.SESSION_COOKIE_NAME in kept
    return "; ".join(f"{name}={value}" for name, value in kept.items()), kept[settings.CSRF_COOKIE_NAME]
