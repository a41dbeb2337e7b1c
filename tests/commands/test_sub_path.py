"""An installation below a path of a host, as gunicorn serves it: nothing leads out of it, its cookies are its own."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from typing import Any

import pytest

from tests.site import Site

PREFIX = "/translatio"
FILLED = """
from tests.factories import make_member, make_project, make_sentence, stage_of
from django.contrib.auth.hashers import make_password
from annotator.models import User
project = make_project("letters")
make_member(project, "manager", "mia")
make_sentence(project)
User.objects.update(password=make_password("open sesame", hasher="pbkdf2_sha256"), is_superuser=True, is_staff=True)
print(stage_of(project, "correct").pk)
"""
pytestmark = pytest.mark.processes


@pytest.fixture
def served(site: Site) -> Iterator[str]:
    site.env["SCRIPT_NAME"] = PREFIX
    with site.served("--preload", "--threads", "2") as address:
        yield address


class Browser:
    """Somebody's browser: it follows redirects, and keeps cookies."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies)).open

    def get(self, path: str) -> tuple[str, str]:
        """Where it ends, and what is there."""
        with self.open(f"{self.address}{path}") as answer:
            return answer.url, answer.read().decode()

    def post(self, path: str, sent: dict[str, Any], page: str) -> HTTPResponse:
        """Send a form as the page has it."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token
        entry = {"csrfmiddlewaretoken": token[1], **sent}
        answer: HTTPResponse = self.open(f"{self.address}{path}", urllib.parse.urlencode(entry).encode())
        return answer


def addresses(page: str) -> list[str]:
    found: list[str] = re.findall(r'\s(?:src|href|action|hx-get|hx-post)="([^"]*)"', page)
    return [one for one in found if not one.startswith(("#", "?"))]


def test_everything_is_below_the_path(served: str, site: Site) -> None:
    stage = site.python(FILLED)
    browser = Browser(served)
    where, page = browser.get("/projects/letters/")
    assert where == f"{served}/sign-in/?next={PREFIX}/projects/letters/"
    entry = {"username": "mia", "password": "open sesame", "next": f"{PREFIX}/projects/letters/"}
    with browser.post("/sign-in/", entry, page) as answer:
        assert answer.url == f"{served}/projects/letters/"

    for path in (
        "/", "/projects/letters/", "/projects/letters/import/", "/projects/letters/members/", "/account/", "/admin/",
        f"/projects/letters/stages/{stage}/work/", "/api/v1/docs/", "/projects/letters/settings/",
    ):  # fmt: skip
        where, page = browser.get(path)
        assert where == f"{served}{path}"
        found = addresses(page)
        assert found, path
        assert [one for one in found if not f"{one}/".startswith(f"{PREFIX}/")] == [], path
        for one in found:
            if one.endswith((".js", ".css", ".svg")):
                with browser.open(served.removesuffix(PREFIX) + one) as file:
                    assert file.status == 200, one
    assert f'"api": "{PREFIX}/api/v1/projects/letters/"' in browser.get(f"/projects/letters/stages/{stage}/work/")[1]
    # The address of a form leads to the page above it.
    assert browser.get("/projects/letters/members/add/")[0] == f"{served}/projects/letters/members/"
    where, answered = browser.get("/api/v1/projects/")
    assert json.loads(answered)["results"]
    with browser.post("/i18n/setlang/", {"language": "es", "next": f"{PREFIX}/account/"}, page) as answer:
        assert answer.url == f"{served}/account/"
        assert 'lang="es"' in answer.read().decode()

    # A session, the token of forms and the language: each by a name of its own, for this path alone.
    names = {cookie.name for cookie in browser.cookies}
    assert {cookie.path for cookie in browser.cookies} == {PREFIX}
    assert all(name.startswith("translatio_") for name in names)
    assert len(names) == 3
    with browser.post("/sign-out/", {}, page) as answer:
        assert answer.url == f"{served}/sign-in/"

    assert site.manage("healthy", "--port", str(urllib.parse.urlsplit(served).port)).stdout.strip() == "ok"


def test_what_is_beside_the_path_is_not_its(served: str) -> None:
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"{served.removesuffix(PREFIX)}/sign-in/")  # noqa: S310 -- a server of our own
