"""No call hands a blind person machine labels, gold, or anything of others on the segments they are blind on."""

from __future__ import annotations

import pytest

from annotator.domain.labels.tags import Role as SegmentRole
from annotator.models import Mode, Stage
from tests.api.calls import Call, Scene, calls, sentence_of
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair_unit,
    make_prediction,
    make_projection,
    make_segment,
    make_sentence,
    make_silver,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db

SECRET = "unmistakable"
NUMBER = 0.98765
NAME = "Zenobia"
TAG = "non_relevant"


def secret_span(*tokens: int) -> dict[str, object]:
    return {**span(*tokens), "attributes": {"note": SECRET}, "score": NUMBER}


def leaks(text: str) -> list[str]:
    return [marker for marker in (SECRET, str(NUMBER), NAME, TAG) if marker in text]


def everything_known(scene: Scene) -> list[Call]:
    """Fill the scene with others' work on every segment; returns calls for what this adds."""
    project = scene.project
    other = make_member(project, username="other")
    other.first_name = NAME
    other.save()
    english = []
    for segment in (scene.pair.premise, scene.pair.hypothesis):
        sentence = sentence_of(segment)
        make_prediction(sentence, [secret_span(2)], [NUMBER] * sentence.token_count)
        make_annotation(sentence, other, [secret_span(1)], comment=SECRET)
        english.append(make_sentence(project, "Time flies", language="en", segment=segment))
        make_projection(sentence, english[-1], [secret_span(1)], [secret_span(2)])
        make_annotation(english[-1], other, [secret_span(1)], comment=SECRET, doubt=True)
    english_pair = make_pair_unit(scene.pair, "en")
    make_tag(scene.pair, TAG, user=other)
    make_tag(scene.pair, TAG, user=other, language="en")
    make_silver(scene.pair, TAG, language="es", source="en")
    # Gold in the other language does not end blindness in this one.
    make_gold(english[1], [secret_span(0)])
    # The premise has a pair more, which the person has no blind work on.
    sibling = make_sentence(
        project,
        "Nadie vuela",
        segment=make_segment(project, role=SegmentRole.HYPOTHESIS, group=scene.pair.premise.group),
    )
    scene.pair.__class__.objects.create(
        project=project,
        segment=project.slots.create(kind="pair", uid="set:pair:sibling", dataset="set", position=10_000),
        pair_id="sibling",
        dataset="set",
        premise=scene.pair.premise,
        hypothesis=sibling.segment,
        inference="neutral",
        position=10_000,
    )
    review, tagging = stage_of(project, "project-review", "en"), stage_of(project, "pair-tag", "en")
    reviewed = make_assignment(english[0], scene.user, review)
    # As a claim leaves them: what was in sight when the work was handed out.
    for assignment in (reviewed, scene.of_sentence, scene.of_pair):
        assignment.shown = list(assignment.unit.suggestions.values_list("pk", flat=True))
        assignment.suggestion_id = assignment.shown[0]
        assignment.save()
    judging = [stage_of(project, Stage.ADJUDICATE, "en", layer=layer) for layer in ("labels", "interpretation")]
    needs = calls(scene)[0].needs
    return [
        Call("assignment", "get", needs, {"pk": reviewed.pk}),
        Call("claim", "post", needs, {"stage": review.pk}, {"count": 5}),
        Call("claim", "post", needs, {"stage": tagging.pk}, {"count": 5}),
        *(Call("adjudicate", "get", needs, {"stage": stage.pk}) for stage in judging),
        Call("gold", "post", needs, {"pk": english[1].pk}, {"layer": "labels", "version": 9, "content": {"spans": []}}),
        Call("reopen", "post", needs, {"pk": english[1].pk}, {"layer": "labels", "version": 9}),
        Call(
            "gold",
            "post",
            needs,
            {"pk": english_pair.pk},
            {"layer": "interpretation", "version": 9, "content": {"value": "relevant"}},
        ),
        Call("save", "post", needs, {"pk": reviewed.pk}, {"version": 0, "content": {"spans": []}, "done": False}),
        Call("save", "post", needs, {"pk": reviewed.pk}, {"version": 7, "content": {"spans": []}, "done": True}),
        Call("undo", "post", needs, {"pk": reviewed.pk}, {"version": 7}),
        Call("assignment", "get", needs, {"pk": reviewed.pk}),
        Call("items", "get", needs, {"stage": review.pk}),
        Call("no-metaphor", "get", needs, {"stage": tagging.pk}),
        Call("no-metaphor", "post", needs, {"stage": tagging.pk}, {"pairs": [scene.pair.pk]}),
    ]


TELL_THE_PROJECT = {
    "project",
    "settings",
    "labels",
    "copy",
    "archive",
    "restore",
    "languages",
    "language",
    "stages",
    "layers",
    "stage",
    "stage-order",
    "attributes",
    "rules",
}


REFUSED = {
    *(("agreement", "get"), ("agreement", "post"), ("archive-file", "get"), ("export-file", "get")),
    *(("split", "get"), ("split-file", "get"), ("release", "get"), ("release-file", "get")),
    *(("comparisons", "get"), ("comparisons", "post"), ("comparison", "get"), ("comparison-rows", "get")),
    ("comparison-file", "get"),
    ("study-file", "get"),
    *(("studies", "get"), ("studies", "post"), ("study", "get")),
}


@pytest.mark.slow
def test_no_call_tells_a_blind_person_anything() -> None:
    scene = Scene(mode=Mode.BLIND)
    more = everything_known(scene)
    other = scene.project.memberships.get(user__username="other").user
    client = client_of(scene.user)
    for call in [*more, *calls(scene, other)]:
        answer = call.send(client, scene.project.slug)
        allowed = (403,) if (call.name, call.method) in REFUSED else (200, 400, 409)
        if call.name in ("undo-many", "pairs-undo", "guideline-proposal"):
            # There is no act of theirs to undo, and no proposal that they may see.
            allowed = (404,)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code in allowed, (call, body)
        # The project lists its tags and its members, whoever asks.
        harmless = [TAG] if call.name in TELL_THE_PROJECT else [NAME] if call.name == "members" else []
        assert leaks(body.decode(errors="replace")) in ([], harmless), call


@pytest.mark.slow
def test_the_same_calls_tell_others_everything() -> None:
    """What the test above looks for is really there to be told."""
    scene = Scene()
    more = everything_known(scene)
    # The reviewer themself counts as an annotator who is done, so that adjudication has something to show.
    hypothesis = sentence_of(scene.pair.hypothesis)
    make_assignment(hypothesis, scene.user, scene.stage, done=True)
    make_annotation(hypothesis, scene.user)
    client = client_of(scene.user)
    told: dict[str, set[str]] = {}
    for call in [*more, *calls(scene)]:
        answer = call.send(client, scene.project.slug)
        if not answer.streaming:
            told.setdefault(call.name, set()).update(leaks(answer.content.decode()))
    assert {SECRET, str(NUMBER)} <= told["assignment"]
    assert {SECRET, str(NUMBER)} <= told["claim"]
    assert {SECRET, str(NUMBER)} <= told["save"]
    assert {SECRET, NAME} <= told["adjudicate"]
    assert TAG in told["assignment"]
    assert {SECRET, NAME} <= told["sentence"]
    assert SECRET in told["sentences"]
    assert SECRET in told["reopen"]
