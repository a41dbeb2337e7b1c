"""The schema is complete, and answers are what it says."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from annotator.models import Annotation, Mode
from tests.api.calls import Scene, calls
from tests.api.conftest import client_of
from tests.factories import make_annotation, make_gold, make_member, make_prediction, make_sentence, make_tag, span

pytestmark = pytest.mark.django_db


def test_schema_is_valid_without_warnings() -> None:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "/api/v1/projects/{slug}/assignments/{id}/save/" in out.getvalue()


def test_the_page_needs_nothing_from_other_sites(client: Client) -> None:
    page = client.get("/api/v1/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    assert "/static/drf_spectacular_sidecar/" in text
    assert "https://" not in text
    assert client.get("/api/v1/schema/").status_code == 200
    assert client.get("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js").status_code == 200


def difference(schema: dict[str, Any], parts: dict[str, Any], value: Any, where: str) -> list[str]:
    """Where a value is not what the schema says."""
    if "$ref" in schema:
        return difference(parts[schema["$ref"].rsplit("/", 1)[1]], parts, value, where)
    if value is None:
        return [] if schema.get("nullable") else [f"{where} is null"]
    if "allOf" in schema:
        return difference(schema["allOf"][0], parts, value, where)
    if "oneOf" in schema:
        chosen = schema["discriminator"]["mapping"][value["kind"]]
        return difference({"$ref": chosen}, parts, value, where)
    kind = schema.get("type")
    if kind == "array":
        return [fault for part in value for fault in difference(schema["items"], parts, part, f"{where}[]")]
    if kind == "object" and "properties" in schema:
        known = schema["properties"]
        faults = [f"{where}.{name} is not in the schema" for name in value if name not in known]
        faults += [f"{where}.{name} is missing" for name in schema.get("required", []) if name not in value]
        for name in value.keys() & known.keys():
            faults += difference(known[name], parts, value[name], f"{where}.{name}")
        return faults
    types: dict[Any, Any] = {
        "string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict,
    }  # fmt: skip
    right = isinstance(value, types.get(kind, object)) and (kind == "boolean" or not isinstance(value, bool))
    return [] if right else [f"{where} is {value!r}, not {kind}"]


def test_answers_are_what_the_schema_says() -> None:
    scene = Scene()
    other = make_member(scene.project)
    make_prediction(scene.sentence, [span(2)], [0.1, 0.1, 0.9])
    make_tag(scene.pair, "relevant", kind="silver")
    doubtful, differing = make_sentence(scene.project), make_sentence(scene.project)
    make_annotation(doubtful, other, doubt=True)
    make_annotation(differing, other, [span(0)])
    make_annotation(differing, scene.user, mode=Mode.BLIND)
    make_gold(make_sentence(scene.project), [span(1)])
    schema = SchemaGenerator().get_schema(request=None, public=True)
    parts = schema["components"]["schemas"]
    paths = {operation["operationId"]: operation for path in schema["paths"].values() for operation in path.values()}
    by_name = {
        ("claim", "post"): "claim", ("items", "get"): "own_items", ("no-metaphor", "get"): "proposed_no_metaphor",
        ("no-metaphor", "post"): "confirm_no_metaphor", ("lemmas", "get"): "lemma",
        ("adjudicate", "get"): "adjudication_queue", ("sentence-gold", "post"): "decide_gold",
        ("sentence-reopen", "post"): "reopen_gold", ("pair-gold", "post"): "decide_gold_tag",
        ("pair-reopen", "post"): "reopen_gold_tag", ("job-cancel", "post"): "cancel_job",
        ("accept", "post"): "accept_agreed",
    }  # fmt: skip
    client = client_of(scene.user)
    statuses = set()
    for call in calls(scene, other):
        answer = call.send(client, scene.project.slug)
        operation = paths[by_name.get((call.name, call.method), call.name)]
        said = operation["responses"].get(str(answer.status_code))
        assert said is not None, (call, answer.status_code, answer.content)
        [(_, content)] = said["content"].items()
        assert difference(content["schema"], parts, answer.json(), call.name) == []
        statuses.add(answer.status_code)
    assert statuses == {200, 400, 409}
    assert Annotation.objects.filter(annotator=scene.user).exists()
