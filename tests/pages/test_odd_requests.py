"""Numbers and characters that no row can have, in the address, the query and every field of every page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import reverse

from annotator.page_urls import urlpatterns
from tests.forks import ROOT
from tests.pages.test_access import (  # noqa: F401 -- fixtures, and what they need
    ADMIN,
    PAGES,
    PUBLIC,
    World,
    folders,
    made,
    own_folders,
    signed_in,
    url_of,
    world,
)

pytestmark = pytest.mark.django_db
LOOKED_AT = [name for name, page in PAGES.items() if page.needs != PUBLIC and page.method == "get"]
BEYOND = ["9223372036854775808", "-9223372036854775809", "1" + "0" * 25, "1" + "0" * 5000]
VIEWS = "".join(path.read_text() for path in sorted((ROOT / "annotator").rglob("*.py")) if "views" in str(path))
# What is asked of addresses.
FIELDS = sorted({*re.findall(r'GET(?:\.get\(|\[)"([\w-]+)"', VIEWS), "page", "start", "languages"})


class Forms(HTMLParser):
    """The forms of a page: where each is sent, how, and with which fields."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.found: list[tuple[str, str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "form":
            self.found.append((urljoin(self.address, said.get("action") or ""), said.get("method") or "get", {}))
        elif tag in ("input", "select", "textarea", "button") and said.get("name") and self.found:
            self.found[-1][2].setdefault(str(said["name"]), said.get("value") or "")


@pytest.mark.parametrize("name", [pattern.name for pattern in urlpatterns])
def test_no_page_has_a_number_that_no_database_has(world: World, name: str) -> None:  # noqa: F811
    pattern = next(pattern for pattern in urlpatterns if pattern.name == name)
    client = signed_in(ADMIN, world)
    parts = (
        world.kwargs(set(pattern.pattern.converters))
        if name in PAGES and "token" not in pattern.pattern.converters
        else {}
    )
    for part, value in parts.items():
        if isinstance(value, int):
            for number in (2**63, 10**25):
                address = reverse(name, kwargs={**parts, part: number})
                for method in ("get", "post"):
                    answer = getattr(client, method)(address)
                    assert answer.status_code in {404, 405, 302}, (method, address, answer.status_code)
        if isinstance(value, str) and part != "slug":
            address = reverse(name, kwargs={**parts, part: "STANDSFORIT"}).replace("STANDSFORIT", "a%00b")
            assert client.get(address).status_code in {404, 405, 302}, address
    if "slug" in parts:
        address = reverse(name, kwargs={**parts, "slug": "STANDSFORIT"}).replace("STANDSFORIT", "a%00b")
        assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "name", [name for name, page in PAGES.items() if page.needs != PUBLIC and page.method == "get"]
)
def test_no_page_breaks_of_what_is_typed_into_its_address(world: World, name: str) -> None:  # noqa: F811
    client = signed_in(ADMIN, world)
    address = url_of(name, world)
    for field in FIELDS:
        for value in BEYOND:
            answer = client.get(address, {field: value})
            assert answer.status_code < 500, (address, field, value)
        assert client.get(f"{address}?{field}=a%00b").status_code in {400, 404}


def test_no_form_breaks_of_what_is_typed_into_a_field(world: World) -> None:  # noqa: F811
    client = signed_in(ADMIN, world)
    seen: set[tuple[str, str, str]] = set()
    # Before forms begin further imports and the like.
    addresses = [url_of(name, world) for name in LOOKED_AT]
    for address in addresses:
        for target, method, fields in forms_of(client, address):
            for field in fields:
                if (target, method, field) in seen or field == "csrfmiddlewaretoken" or "sign-out" in target:
                    continue
                seen.add((target, method, field))
                call = client.post if method == "post" else client.get
                refused = call(target, {**fields, field: "a\x00b"})
                assert refused.status_code in {400, 404}, (target, field, refused.status_code)
                for value in BEYOND:
                    answer = call(target, {**fields, field: value})
                    assert answer.status_code < 500, (target, field, value)
    assert len(seen) > 100


def forms_of(client: Client, address: str) -> list[tuple[str, str, dict[str, str]]]:
    answer = client.get(address)
    if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
        return []
    reader = Forms(address)
    reader.feed(answer.content.decode())
    return reader.found
