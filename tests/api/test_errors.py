"""Whatever goes wrong is told in one shape."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from annotator.models import Annotation, ApiToken, Event
from api.parsers import MAX_BYTES
from api.v1.requests import MAX_COMMENT, MAX_HELD, MAX_TEXT, MAX_VALUES
from tests.api.calls import Scene
from tests.clients import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Scene:
    return Scene()


@pytest.fixture
def scene(made: Scene, db: None) -> Scene:
    scene = copy.deepcopy(made)
    assert client_of(scene.user).get(address(scene, "")).status_code == 200
    return scene


def address(scene: Scene, what: str = "save/") -> str:
    return f"/api/v1/projects/{scene.project.slug}/assignments/{scene.of_sentence.pk}/{what}"


def error(answer: Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    body = answer.json()
    assert list(body) == ["error"]
    assert body["error"]["code"] == code
    assert body["error"]["message"]
    assert set(body["error"]) <= {"code", "message", "fields", "theirs", "mine"}
    return body["error"]


def save(scene: Scene, **changes: Any) -> Response:
    body = {"version": 0, "content": {"spans": []}, "done": True, **changes}
    return client_of(scene.user).post(address(scene), body)


def raw(client: APIClient, path: str, body: str | bytes, content_type: str = "application/json") -> Response:
    return client.generic("POST", path, body, content_type=content_type)  # type: ignore[return-value]


@pytest.mark.parametrize(
    "body", ["{", "[1, ", '{"version": NaN}', "\xff".encode("latin-1"), "[" * 100_000, '"text"', "[]"]
)
def test_malformed_bodies(scene: Scene, body: str | bytes) -> None:
    error(raw(client_of(scene.user), address(scene), body), 400, "invalid")
    assert not Event.objects.filter(verb="annotation.saved").exists()


SPAN: dict[str, Any] = {"tokens": [0], "label": "METAPHOR"}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"spans": value}
    return value


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": None}, "version"),
        ({"version": 10**30}, "version"),
        ({"version": -1}, "version"),
        ({"version": "one"}, "version"),
        ({"content": None}, "content"),
        ({"content": "all"}, "content"),
        ({"content": []}, "content"),
        ({"content": {"spans": [{**SPAN, "attributes": {"note": "\x00"}}]}}, "content.spans.0.attributes.note"),
        ({"content": {"spans": [{**SPAN, "label": "x" * (MAX_TEXT + 1)}]}}, "content.spans.0.label"),
        ({"content": {"spans": [SPAN, {**SPAN, "tokens": [10**30]}]}}, "content.spans.1.tokens.0"),
        ({"content": {"spans": [0] * MAX_VALUES}}, "content"),
        ({"content": nested(50)}, "content"),
        ({"comment": "x" * (MAX_COMMENT + 1)}, "comment"),
        ({"comment": "a\x00b"}, "comment"),
        ({"doubt": "perhaps"}, "doubt"),
        ({"done": None}, "done"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": "long"}, "seconds"),
    ],
)
def test_fields_are_named(scene: Scene, changes: dict[str, Any], field: str) -> None:
    told = error(save(scene, **changes), 400, "invalid")
    assert field in told["fields"]
    assert not Annotation.objects.exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"held": [0]}, "held.0"),
        ({"held": list(range(1, MAX_HELD + 2))}, "held"),
        ({"count": 0}, "count"),
        ({"count": 21}, "count"),
        ({"only": "easy"}, "only"),
    ],
)
def test_fields_of_a_claim_are_named(scene: Scene, changes: dict[str, Any], field: str) -> None:
    path = f"/api/v1/projects/{scene.project.slug}/stages/{scene.stage.pk}/claim/"
    assert field in error(client_of(scene.user).post(path, changes), 400, "invalid")["fields"]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"spans": "all"},
        {"spans": [], "more": 1},
        {"value": "relevant"},
        {"spans": [{}]},
        {"spans": [{**SPAN, "tokens": []}]},
        {"spans": [{**SPAN, "tokens": [2, 1]}]},
        {"spans": [{**SPAN, "tokens": [-1]}]},
        {"spans": [{**SPAN, "tokens": ["x"]}]},
        {"spans": [{**SPAN, "tokens": [99]}]},
        {"spans": [{**SPAN, "label": ""}]},
        {"spans": [{**SPAN, "label": "SIMILE"}]},
        {"spans": [{**SPAN, "attributes": {"note": 1}}]},
    ],
)
def test_what_the_content_type_or_the_scheme_forbids_is_refused_in_words(scene: Scene, content: dict[str, Any]) -> None:
    told = error(save(scene, content=content), 400, "refused")
    assert told["fields"] == {"content": [told["message"]]}
    assert not Annotation.objects.exists()


def test_a_refusal_names_the_token(scene: Scene) -> None:
    told = error(save(scene, content={"spans": [{**SPAN, "tokens": [99]}]}), 400, "refused")
    assert "no token 100" in told["message"]


@pytest.mark.parametrize("where", ["comment", "content"])
def test_lone_surrogates_are_refused(scene: Scene, where: str) -> None:
    odd = "\ud800" if where == "comment" else {"spans": [{**SPAN, "label": "\ud800"}]}
    body = json.dumps({"version": 0, "content": {"spans": []}, "done": True, where: odd})
    error(raw(client_of(scene.user), address(scene), body), 400, "invalid")


def test_conflict_has_both_sides(scene: Scene) -> None:
    assert save(scene, content={"spans": [SPAN]}).status_code == 200
    told = error(save(scene, comment="mine"), 409, "conflict")
    both = {"version", "content", "doubt", "comment", "state"}
    assert set(told["theirs"]) == set(told["mine"]) == both
    assert (told["theirs"]["version"], told["theirs"]["content"]["spans"][0]["tokens"]) == (1, [0])
    assert (told["mine"]["version"], told["mine"]["content"], told["mine"]["comment"]) == (0, {"spans": []}, "mine")


def test_other_kinds_of_refusal(scene: Scene) -> None:
    client = client_of(scene.user)
    error(client.get("/api/v1/nothing/of/this/kind"), 404, "not_found")
    error(client.get(address(scene, "nothing/")), 404, "not_found")
    error(client.get(address(scene)), 405, "method_not_allowed")
    error(raw(client, address(scene), b"version=1", "application/x-www-form-urlencoded"), 415, "unsupported_media_type")
    error(raw(client, address(scene), b'"' + b"x" * MAX_BYTES + b'"'), 413, "too_large")
    error(client_of().get("/api/v1/projects/"), 401, "not_authenticated")
    nobodys = f"/api/v1/projects/{scene.project.slug}/assignments/999999/save/"
    error(client.post(nobodys, {"version": 0, "content": {"spans": []}, "done": True}), 404, "not_found")


def test_sessions_need_the_csrf_token(scene: Scene) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.default_format = "json"
    client.force_login(scene.user)
    body = {"version": 0, "content": {"spans": []}, "done": True}
    error(client.post(address(scene), body), 403, "forbidden")
    assert not Event.objects.filter(verb="annotation.saved").exists()


def test_a_token_signs_in_without_session_and_csrf(scene: Scene) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.default_format = "json"
    sent = {"username": scene.user.username, "password": "correct horse battery"}
    token = client.post("/api/v1/token/", sent).json()["token"]
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    assert client.post(address(scene), {"version": 0, "content": {"spans": []}, "done": True}).status_code == 200
    assert ApiToken.objects.get().secret_hash == ApiToken.hashed(token)
    client.credentials(HTTP_AUTHORIZATION="Token wrong")
    error(client.get("/api/v1/projects/"), 401, "not_authenticated")


def test_guessing_passwords_is_slowed_down_by_name_and_by_address(scene: Scene) -> None:
    wrong = {"username": scene.user.username, "password": "guess"}
    for number in range(10):
        answer = client_of().post("/api/v1/token/", wrong, REMOTE_ADDR=f"192.0.2.{number}")
        error(answer, 400, "invalid")
    right = {**wrong, "password": "correct horse battery"}
    error(client_of().post("/api/v1/token/", right, REMOTE_ADDR="192.0.2.99"), 429, "too_many_requests")
    for number in range(10):
        client_of().post(
            "/api/v1/token/",
            {**wrong, "username": f"name{number}"},
            REMOTE_ADDR="198.51.100.1",
            HTTP_X_FORWARDED_FOR=f"203.0.113.{number}",  # a pretended address helps nobody
        )
    error(
        client_of().post("/api/v1/token/", {**wrong, "username": "one more"}, REMOTE_ADDR="198.51.100.1"),
        429,
        "too_many_requests",
    )


def test_people_who_may_not_sign_in_get_no_token(scene: Scene) -> None:
    scene.user.is_active = False
    scene.user.save()
    sent = {"username": scene.user.username, "password": "correct horse battery"}
    error(client_of().post("/api/v1/token/", sent), 400, "invalid")


def test_what_the_domain_refuses_is_said_in_the_language_of_the_page(scene: Scene) -> None:
    body = {"version": 0, "content": {"spans": [{"tokens": [0, 1], "label": "SIMILE"}]}, "done": True}
    said = {}
    for language in ("en", "es"):
        refused = client_of(scene.user).post(address(scene), body, headers={"accept-language": language})
        said[language] = error(refused, 400, "refused")["message"]
    assert said["en"] == "'SIMILE' on tokens 1–2 is not a label of this project. Its labels are METAPHOR."
    assert "no es una etiqueta de este proyecto" in said["es"]
    assert "tokens 1–2" in said["es"]
