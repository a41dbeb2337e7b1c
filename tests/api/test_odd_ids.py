"""Numbers, characters and keys that no row or request can have, in every call of the API: refused, nothing breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from annotator.models import Event
from tests.api.calls import Call, Scene, calls, operation_of
from tests.clients import client_of
from tests.factories import make_user

pytestmark = pytest.mark.django_db

# More than a database can compare a number with, one that just does not fit, and one that a float holds.
HUGE = 10**25
BEYOND = [2**63, -(2**63) - 1, HUGE, -HUGE, 10**400]
UNSTORABLE = ["\x00", "a\x00b", "\ud800"]
JSON = {"content_type": "application/json"}
REFUSED = {400, 404}
# Beside the calls inside a project: (method, address, body).
OUTSIDE = [
    ("post", "/api/v1/token/", {"username": "ana", "password": "guess"}),
    ("get", "/api/v1/projects/", None),
    ("post", "/api/v1/projects/", {"name": "News", "languages": ["es"], "start": "labels"}),
    ("post", "/api/v1/archives/00000000-0000-0000-0000-000000000001/restore/", {"slug": "back"}),
    ("get", "/api/v1/archives/00000000-0000-0000-0000-000000000001/", None),
]  # fmt: skip


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.fixture
def client_of_all(scene: Scene) -> APIClient:
    """Of somebody who may do everything here and nothing with what the calls do."""
    client = client_of(scene.user)
    client.raise_request_exception = True
    return client


def places(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value inside a body."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield (*where, name)
            yield from places(part, (*where, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield (*where, number)
            yield from places(part, (*where, number))


def changed(body: Any, where: tuple[Any, ...], value: Any) -> Any:
    if not where:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[where[0]] = changed(copy[where[0]], where[1:], value)
    return copy


def objects(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each object inside a body whose keys are those of the schema."""
    if isinstance(value, dict):
        yield where
        for name, part in value.items():
            yield from objects(part, (*where, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from objects(part, (*where, number))


def at(body: Any, where: tuple[Any, ...]) -> Any:
    for part in where:
        body = body[part]
    return body


def sent(client: APIClient, call: Call, slug: str) -> Any:
    """As `call.send`, also for text that is not to be had in UTF-8: as JSON has it."""
    if call.format is not None:
        return call.send(client, slug)
    return post(client, call.method, call.address(slug), call.body)


def post(client: APIClient, method: str, address: str, body: Any) -> Any:
    return client.generic(method.upper(), address, json.dumps(body), content_type="application/json")


def refused(answer: Any, call: object) -> None:
    assert answer.status_code in REFUSED, (call, answer.status_code, answer.content[:300])
    assert answer.json()["error"]["code"], call


def test_no_call_finds_a_number_that_no_database_has(scene: Scene, client_of_all: APIClient) -> None:
    for call in calls(scene):
        for name, part in call.path.items():
            if isinstance(part, int):
                for number in (2**63, HUGE, 10**400):
                    odd = replace(call, path={**call.path, name: number})
                    refused(odd.send(client_of_all, scene.project.slug), odd)
    assert not Event.objects.exists()


@pytest.mark.parametrize("odd", [BEYOND[:4], UNSTORABLE], ids=["numbers", "characters"])
def test_no_call_takes_a_value_that_no_database_has(scene: Scene, client_of_all: APIClient, odd: list[Any]) -> None:
    for call in calls(scene):
        if call.format is None and call.body is not None:
            for where in places(call.body):
                for value in odd:
                    changed_call = replace(call, body=changed(call.body, where, value))
                    refused(sent(client_of_all, changed_call, scene.project.slug), changed_call)
    assert not Event.objects.exists()


def test_no_call_looks_for_a_number_that_no_database_has(scene: Scene, client_of_all: APIClient) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    asked = 0
    for call in calls(scene):
        for parameter in operation_of(call, scene.project.slug, schema).get("parameters", ()):
            if parameter["in"] == "query":
                for number in BEYOND:
                    odd = replace(call, query=f"{call.query or '?'}&{parameter['name']}={number}")
                    answer = odd.send(client_of_all, scene.project.slug)
                    asked += 1
                    # A text may look like a number, and is looked for.
                    fits = {200} if parameter["schema"]["type"] == "string" else set[int]()
                    assert answer.status_code in REFUSED | fits, (odd, answer.content[:300])
    assert asked > 50


def test_no_call_looks_for_characters_that_no_text_has(scene: Scene, client_of_all: APIClient) -> None:
    for call in calls(scene):
        slug = call.address(scene.project.slug).replace(scene.project.slug, "a%00b", 1)
        refused(getattr(client_of_all, call.method)(slug), call)
        for name, part in call.path.items():
            if isinstance(part, str):
                # Addresses are made of texts that can stand in them.
                odd = replace(call, path={**call.path, name: "STANDSFORIT"})
                address = odd.address(scene.project.slug).replace("STANDSFORIT", "a%00b")
                refused(getattr(client_of_all, call.method)(address), address)
        more = replace(call, query=f"{call.query or '?'}&odd=a%00b")
        assert more.send(client_of_all, scene.project.slug).status_code in REFUSED, more
        for pair in call.query.strip("?").split("&"):
            if pair:
                odd = replace(call, query=call.query.replace(pair, f"{pair}%00"))
                refused(sent(client_of_all, odd, scene.project.slug), odd)
    assert not Event.objects.exists()


def test_no_call_takes_a_key_that_it_does_not_have(scene: Scene, client_of_all: APIClient) -> None:
    for call in calls(scene):
        if call.method == "get":
            continue
        if call.format is not None:
            odd = replace(call, body={**(call.body or {}), "odd": "1", "files": [SimpleUploadedFile("a.txt", b"a")]})
            refused(sent(client_of_all, odd, scene.project.slug), odd)
            continue
        for where in objects(call.body or {}):
            body = changed(call.body or {}, where, {**at(call.body or {}, where), "odd": 1, "\ud800": ["\ud800", HUGE]})
            refused(sent(client_of_all, replace(call, body=body), scene.project.slug), call)
            body = changed(call.body or {}, where, {**at(call.body or {}, where), "odd": 1})
            odd = replace(call, body=body)
            refused(sent(client_of_all, odd, scene.project.slug), odd)
    assert not Event.objects.exists()


@pytest.mark.parametrize(("method", "address", "body"), OUTSIDE)
def test_neither_do_the_calls_outside_of_projects(method: str, address: str, body: dict[str, Any] | None) -> None:
    client = client_of(make_user(superuser=True))

    if body is None:
        for query in ("?cursor=a%00b", f"?page_size={HUGE}", "?page_size=%00"):
            answer = getattr(client, method)(address + query)
            assert answer.status_code in {200, *REFUSED}, (address, query)
        return
    for where in places(body):
        for odd in (*UNSTORABLE, *BEYOND[:4]):
            cache.clear()
            refused(post(client, method, address, changed(body, where, odd)), (address, where, odd))
    refused(post(client, method, address, {**body, "odd": 1}), address)


# What JSON can hold, odd values more often than by chance.
ODD = st.recursive(
    st.sampled_from([*BEYOND[:4], *UNSTORABLE, None, True, 0, -1, 1.5, 1e300, "", "x" * 300])
    | st.integers()
    | st.text(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(data=st.data())
def test_whatever_is_sent_in_any_place_of_any_call_breaks_nothing(
    scene: Scene, client_of_all: APIClient, data: st.DataObject
) -> None:
    call = data.draw(st.sampled_from([call for call in calls_of(scene) if call.format is None]))
    body = call.body or {}
    spots = list(places(body))
    if spots and data.draw(st.booleans()):
        odd = replace(call, body=changed(body, data.draw(st.sampled_from(spots)), data.draw(ODD)))
    else:
        odd = replace(call, body={**body, data.draw(st.text()): data.draw(ODD)})

    answer = sent(client_of_all, odd, scene.project.slug)

    assert answer.status_code < 500, odd


_CALLS: dict[int, list[Call]] = {}


def calls_of(scene: Scene) -> list[Call]:
    """Made once for all examples."""
    return _CALLS.setdefault(id(scene), calls(scene))
