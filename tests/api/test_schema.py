"""The schema is complete, and answers are what it says."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import NotCarried, Outcome, SourceOutcome
from annotator.models import Annotation, Mode
from annotator.work.derivation.actions.sources import recount_sources
from tests.api.calls import OUTSIDE, Call, Scene, calls, names_of_addresses, operation_of, sentence_of
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_projection,
    make_sentence,
    make_silver,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_schema_is_valid_without_warnings() -> None:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    assert "/api/v1/projects/{slug}/assignments/{id}/save/" in out.getvalue()


def test_the_page_needs_nothing_from_other_sites(client: Client) -> None:
    page = client.get("/api/v1/docs/")
    assert page.status_code == 200
    text = page.content.decode()
    assert f"{settings.STATIC_URL}drf_spectacular_sidecar/" in text
    assert "https://" not in text
    assert client.get("/api/v1/schema/").status_code == 200
    assert client.get("/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js").status_code == 200


def difference(schema: dict[str, Any], parts: dict[str, Any], value: Any, where: str) -> list[str]:
    """Where a value is not what the schema says."""
    if "$ref" in schema:
        return difference(parts[schema["$ref"].rsplit("/", 1)[1]], parts, value, where)
    if value is None:
        return [] if schema.get("nullable") or not schema else [f"{where} is null"]
    if "allOf" in schema:
        return difference(schema["allOf"][0], parts, value, where)
    if "oneOf" in schema:
        chosen = schema["discriminator"]["mapping"][value["kind"]]
        return difference({"$ref": chosen}, parts, value, where)
    kind = schema.get("type")
    if kind == "array":
        if not isinstance(value, list):
            return [f"{where} is {value!r}, not a list"]
        return [fault for part in value for fault in difference(schema["items"], parts, part, f"{where}[]")]
    if kind == "object" and "properties" in schema:
        known = schema["properties"]
        faults = [f"{where}.{name} is not in the schema" for name in value if name not in known]
        # What is sent is what is described: a field that is described and not sent is drift, too.
        optional = set(known) - set(schema.get("required", []))
        faults += [f"{where}.{name} is missing" for name in known if name not in value and name not in optional]
        for name in value.keys() & known.keys():
            faults += difference(known[name], parts, value[name], f"{where}.{name}")
        return faults
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        if not isinstance(value, dict):
            return [f"{where} is {value!r}, not an object"]
        of_parts = schema["additionalProperties"]
        return [fault for name, part in value.items() for fault in difference(of_parts, parts, part, f"{where}.{name}")]
    types: dict[Any, Any] = {
        "string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict,
    }  # fmt: skip
    right = isinstance(value, types.get(kind, object)) and (kind in (None, "boolean") or not isinstance(value, bool))
    return [] if right else [f"{where} is {value!r}, not {kind}"]


def full_scene() -> tuple[Scene, list[Call]]:
    """A scene in which every part of every answer has something in it, and calls for what this adds."""
    scene = Scene()
    project, user = scene.project, scene.user
    other = make_member(project, username="other")
    make_prediction(scene.sentence, [span(2)], [0.1, 0.1, 0.9])
    make_silver(scene.pair, "relevant", language="es", source="en")
    english = make_sentence(project, "Time flies", language="en", segment=scene.pair.premise)
    make_projection(scene.sentence, english, [span(1)], [span(2)])
    suggestion = english.suggestions.get()
    # As they are stored, so that the schema is held to what really is.
    told = Span((2,), "METAPHOR")
    suggestion.detail["outcomes"] = [
        SourceOutcome(told, Outcome.PROJECTED, None, Span((1,), "METAPHOR"), ((0, NotCarried.PUNCTUATION),)).to_json(),
        SourceOutcome(told, Outcome.DROPPED, NotCarried.PUNCTUATION, None).to_json(),
    ]
    suggestion.save()
    review = stage_of(project, "project-review", "en")
    reviewed = make_assignment(english, user, review)
    # Others reviewed it, from what nobody decided any more.
    make_annotation(english, other, [span(1)], stage=review)
    recount_sources(project)
    for assignment in (scene.of_sentence, scene.of_pair, reviewed):
        assignment.shown = list(assignment.unit.suggestions.values_list("pk", flat=True))
        assignment.suggestion_id = assignment.shown[0]
        assignment.save()
    doubtful, differing = make_sentence(project), make_sentence(project)
    make_annotation(doubtful, other, doubt=True)
    make_annotation(differing, other, [span(0)])
    make_annotation(differing, user, mode=Mode.BLIND)
    make_prediction(differing, [span(0)], [0.9, 0.1, 0.1])
    make_gold(make_sentence(project), [span(1)])
    disputed, bare = make_pair(project), make_pair(project)
    make_tag(disputed, "relevant", user=other)
    make_tag(disputed, "discarded", user=user, mode=Mode.BLIND)
    for segment in (bare.premise, bare.hypothesis):
        make_gold(sentence_of(segment))
    tagging = {"stage": scene.tagging.pk}
    needs = calls(scene)[0].needs
    return scene, [
        Call("no-metaphor", "get", needs, tagging),
        Call("no-metaphor", "post", needs, tagging, {"pairs": [bare.pk]}),
        Call("assignment", "get", needs, {"pk": reviewed.pk}),
        Call("source-changed", "get", needs, {"stage": review.pk}),
        Call("gold", "post", needs, {"pk": differing.pk}, {"layer": "labels", "version": 0, "content": {"spans": []}}),
        Call(
            "gold",
            "post",
            needs,
            {"pk": differing.pk},
            {"layer": "labels", "version": 5, "content": {"spans": [span(0)]}},
        ),
        Call("reopen", "post", needs, {"pk": differing.pk}, {"layer": "labels", "version": 1}),
        Call("save", "post", needs, {"pk": 999_999}, {"version": 0, "content": {}, "done": True}),
    ]


@pytest.mark.slow
def test_answers_are_what_the_schema_says() -> None:
    scene, more = full_scene()
    other = scene.project.memberships.get(user__username="other").user
    schema = SchemaGenerator().get_schema(request=None, public=True)
    parts = schema["components"]["schemas"]
    client = client_of(scene.user)
    statuses, called = set(), set()
    first = calls(scene, other)
    # Decisions end the queue, so it is looked at before them.
    ordered = [call for call in first if call.name in ("adjudicate", "assignment", "claim")]
    for call in [*ordered, *more, *first]:
        answer = call.send(client, scene.project.slug)
        operation = operation_of(call, scene.project.slug, schema)
        said = operation["responses"].get(str(answer.status_code))
        assert said is not None, (call, answer.status_code, answer.content)
        kind = answer.headers["Content-Type"].partition(";")[0]
        assert kind in said["content"], (call, kind)
        if kind == "application/json":
            assert difference(said["content"][kind]["schema"], parts, answer.json(), call.name) == []
        statuses.add(answer.status_code)
        called.add(call.name)
    assert statuses == {200, 400, 404, 409}
    assert called == names_of_addresses() - OUTSIDE
    assert Annotation.objects.filter(user=scene.user).exists()


def test_the_scene_of_that_test_leaves_no_answer_empty() -> None:
    scene, more = full_scene()
    client = client_of(scene.user)

    def told(name: str, **path: Any) -> Any:
        found = [call for call in [*calls(scene), *more] if call.name == name and call.method == "get"]
        [call] = [call for call in found if call.path == path][:1]
        return call.send(client, scene.project.slug).json()

    item = told("assignment", pk=scene.of_sentence.pk)
    assert item["suggestion"]["probabilities"]
    assert item["context"]["after"]
    assert item["context"]["pair"]
    pair = told("assignment", pk=scene.of_pair.pk)
    assert pair["suggestion"]["content"] == {"value": "relevant"}
    reviewed = client.get(more[2].address(scene.project.slug)).json()
    assert reviewed["source"]["links"]
    assert reviewed["sources"][0]["outcomes"]
    assert reviewed["source_changed"]
    assert told("source-changed", stage=reviewed["stage"]["id"])["results"]
    assert len(told("adjudicate", stage=scene.judging.pk)["items"]) == 2
    assert told("adjudicate", stage=scene.judging_tags.pk)["items"][0]["answers"]
    assert told("no-metaphor", stage=scene.tagging.pk)["pairs"]
