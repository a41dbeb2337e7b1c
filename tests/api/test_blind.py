"""No call hands a blind person machine labels, gold, or anything of others on the segments they are blind on."""

from __future__ import annotations

import pytest

from annotator.models import Mode, SegmentRole, StageKind
from tests.api.calls import Call, Scene, calls
from tests.api.conftest import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_prediction,
    make_projection,
    make_segment,
    make_sentence,
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
        sentence = segment.sentences.get(language="es")
        make_prediction(sentence, [secret_span(2)], [NUMBER] * sentence.token_count)
        make_annotation(sentence, other, [secret_span(1)], comment=SECRET)
        english.append(make_sentence(project, "Time flies", language="en", segment=segment))
        make_projection(sentence, english[-1], [secret_span(1)], [secret_span(2)])
        make_annotation(english[-1], other, [secret_span(1)], comment=SECRET, doubt=True)
    make_tag(scene.pair, TAG, user=other)
    make_tag(scene.pair, TAG, user=other, language="en")
    make_tag(scene.pair, TAG, kind="silver")
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
        pair_id="sibling",
        dataset="set",
        premise=scene.pair.premise,
        hypothesis=sibling.segment,
        inference="neutral",
        position=10_000,
    )
    review = stage_of(project, StageKind.PROJECT_REVIEW, "en")
    in_english = make_assignment(english[0], scene.user, review)
    judge_english = stage_of(project, StageKind.ADJUDICATE, "en")
    sample = calls(scene)[0]
    return [
        Call("assignment", "get", sample.needs, {"pk": in_english.pk}),
        Call("claim", "post", sample.needs, {"stage": review.pk}, {"count": 5}),
        Call("adjudicate", "get", sample.needs, {"stage": judge_english.pk}),
        Call("sentence-gold", "post", sample.needs, {"pk": english[1].pk}, {"version": 9, "spans": []}),
        Call("sentence-reopen", "post", sample.needs, {"pk": english[1].pk}, {"version": 9}),
    ]


def test_no_call_tells_a_blind_person_anything() -> None:
    scene = Scene(mode=Mode.BLIND)
    more = everything_known(scene)
    other = scene.project.memberships.get(user__username="other").user
    client = client_of(scene.user)
    for call in [*more, *calls(scene, other)]:
        answer = call.send(client, scene.project.slug)
        allowed = (403,) if call.name == "agreement" else (200, 400, 409)
        assert answer.status_code in allowed, (call, answer.content)
        assert leaks(answer.content.decode()) == [], call


def test_the_same_calls_tell_others_everything() -> None:
    """What the test above looks for is really there to be told."""
    scene = Scene()
    more = everything_known(scene)
    # The reviewer themself counts as an annotator who is done, so that adjudication has something to show.
    make_assignment(scene.pair.hypothesis.sentences.get(language="es"), scene.user, scene.stage, done=True)
    make_annotation(scene.pair.hypothesis.sentences.get(language="es"), scene.user)
    client = client_of(scene.user)
    told: dict[str, set[str]] = {}
    for call in [*more, *calls(scene)]:
        answer = call.send(client, scene.project.slug)
        told.setdefault(call.name, set()).update(leaks(answer.content.decode()))
    assert {SECRET, str(NUMBER)} <= told["assignment"]
    assert {SECRET, str(NUMBER)} <= told["claim"]
    assert {SECRET, NAME} <= told["adjudicate"]
    assert TAG in told["assignment"]
    assert SECRET in told["sentence-reopen"]
