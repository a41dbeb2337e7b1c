"""Gold that never waited in adjudication is opened from the sentence's page: by whom, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.core.counters import recounted
from annotator.core.starts import STARTS
from annotator.models import Gold, Item, Project, Role, Segment, Sentence, Stage, Unit, User
from annotator.projects.actions.projects import create_project
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_segment,
    make_sentence,
    make_tag,
    make_user,
    span,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR)


@pytest.fixture
def accepted(project: Project, judge: User) -> Sentence:
    """One person did it, and it was accepted with all that agreed."""
    sentence, ana = make_sentence(project), make_member(project, username="ana")
    make_assignment(sentence, ana, stage_of(project, "correct"), done=True)
    make_annotation(sentence, ana, [span(2)])
    accept_agreed(project=project, layer=project.label_layer, language="es", by=judge, without_overlap=True)
    assert Gold.objects.filter(unit=sentence).exists()
    return sentence


def _page(client: Client, user: User, sentence: Sentence) -> HttpResponse:
    client.force_login(user)
    return client.get(reverse("sentence", args=["letters", sentence.segment_id]))


def _address(stage: Stage, unit: Unit) -> str:
    return reverse("gold-open", args=["letters", stage.pk, unit.pk])


def _opened(client: Client, user: User, stage: Stage, unit: Unit) -> dict[str, Any]:
    """What the workspace is sent after the button on the page was pressed."""
    client.force_login(user)
    response = client.post(_address(stage, unit))
    item = Item.objects.get(stage=stage, unit=unit)
    assert response.headers["Location"] == f"{reverse('work', args=['letters', stage.pk])}?item={item.pk}"
    assert client.get(response.headers["Location"]).status_code == 200
    sent = client_of(user).get(f"/api/v1/projects/letters/stages/{stage.pk}/adjudicate/?item={item.pk}")
    (found,) = sent.json()["items"]
    return dict(found)


def _reopen(user: User, unit: Unit, item: dict[str, Any], layer: str = "metaphors") -> None:
    body = {"layer": layer, "version": item["gold"]["version"]}
    response = client_of(user).post(f"/api/v1/projects/letters/units/{unit.pk}/gold/reopen/", body)
    assert response.status_code == 200, response.content


def test_what_was_accepted_is_opened_and_reopened(
    client: Client, project: Project, judge: User, accepted: Sentence
) -> None:
    stage = stage_of(project, "adjudicate")
    assert _address(stage, accepted) in _page(client, judge, accepted).content.decode()
    item = _opened(client, judge, stage, accepted)
    assert item["gold"]["content"]["spans"][0]["tokens"] == [2]
    assert item["why"] == "agreed"
    assert _address(stage, accepted) not in _page(client, judge, accepted).content.decode(), "it has its item now"
    _reopen(judge, accepted, item, project.label_layer.slug)
    assert not Gold.objects.filter(unit=accepted).exists()
    for one in project.stages.all():
        assert stage_progress(one).done == recounted(one)["done"], one.kind


def test_gold_on_a_pair_is_opened_from_its_sentences(client: Client, project: Project, judge: User) -> None:
    pair = make_pair(project)
    make_tag(pair, "relevant")
    unit, stage = (
        unit_of(pair),
        stage_of(project, "adjudicate", layer=project.tag_layer.slug if project.tag_layer else ""),
    )
    for side in (pair.premise, pair.hypothesis):
        sentence = Sentence.objects.get(segment=side, language="es")
        text = _page(client, judge, sentence).content.decode()
        assert _address(stage, unit) in text
        assert f"pair {pair.pair_id}" in text
    item = _opened(client, judge, stage, unit)
    assert item["gold"]["content"] == {"value": "relevant"}
    # Opened once, or waiting, it is found there again.
    address = f"{reverse('work', args=['letters', stage.pk])}?item={item['id']}"
    text = _page(client, judge, sentence).content.decode()
    assert address in text
    assert _address(stage, unit) not in text
    _reopen(judge, unit, item, "interpretation")
    Item.objects.filter(unit=unit, stage__kind="pair-tag").update(answers_wanted=2)
    for person, tag in ((make_member(project), "relevant"), (make_member(project), "nonrelevant")):
        make_assignment(unit, person, stage_of(project, "pair-tag"), done=True)
        make_annotation(unit, person, content={"value": tag})
    refresh_adjudication(project=project, unit=unit, layer=stage.layer)
    text = _page(client, judge, sentence).content.decode()
    assert address in text
    assert "Waiting for a decision" in text
    annotator = _page(client, make_member(project), sentence).content.decode()
    assert "Waiting for a decision" not in annotator
    assert "pair " not in annotator


def test_not_where_own_work_is_barred_or_in_another_language(
    client: Client, project: Project, judge: User, accepted: Sentence
) -> None:
    stage, ana = stage_of(project, "adjudicate"), User.objects.get(username="ana")
    project.memberships.filter(user=ana).update(role=Role.ADJUDICATOR)
    project.memberships.filter(user=judge).update(languages=["en"])
    Project.objects.update(adjudicate_own=False)
    for person in (ana, judge):
        assert _address(stage, accepted) not in _page(client, person, accepted).content.decode()
    client.force_login(ana)
    assert "someone else must decide" in client.post(_address(stage, accepted), follow=True).content.decode()
    assert not Item.objects.filter(stage=stage).exists()


def test_nothing_is_opened_in_an_archived_project_nor_of_a_text_that_was_replaced(
    client: Client, project: Project, judge: User, accepted: Sentence
) -> None:
    stage = stage_of(project, "adjudicate")
    client.force_login(judge)
    Unit.objects.filter(pk=accepted.pk).update(is_current=False)
    assert "Gold has not been decided here" in client.post(_address(stage, accepted), follow=True).content.decode()
    Unit.objects.filter(pk=accepted.pk).update(is_current=True)
    Project.objects.filter(pk=project.pk).update(archived_at=timezone.now())
    assert _address(stage, accepted) not in _page(client, judge, accepted).content.decode()
    assert "This project is archived" in client.post(_address(stage, accepted), follow=True).content.decode()
    assert not Item.objects.filter(stage=stage).exists()


def test_only_what_is_decided_and_only_in_a_stage_that_adjudicates(
    client: Client, project: Project, judge: User
) -> None:
    sentence = make_sentence(project)
    client.force_login(judge)
    refused = client.post(_address(stage_of(project, "adjudicate"), sentence), follow=True)
    assert "Gold has not been decided here" in refused.content.decode()
    assert client.post(_address(stage_of(project, "correct"), sentence)).status_code == 404
    elsewhere = make_sentence(make_project("other"))
    make_gold(elsewhere, [span(1)])
    refused = client.post(_address(stage_of(project, "adjudicate"), elsewhere), follow=True)
    assert "no such item" in refused.content.decode()
    assert not Item.objects.filter(stage__kind=Stage.ADJUDICATE).exists()


def test_what_is_decided_on_what_was_made_of_a_sentence_is_opened_from_it(client: Client, judge: User) -> None:
    project = create_project(slug="impli", preset=STARTS["impli"].preset(["en"]), by=judge)
    sentence = make_sentence(project, "He kicked the bucket .", language="en")
    layer = project.layers.get(slug="definitions")
    stage = project.stages.get(kind=Stage.ADJUDICATE, layer=layer)
    made = []
    # Of the expression something else was made in turn; a pair for inference has a page of its own.
    for number, (kind, parent) in enumerate([("expression", 0), ("focus", 1), ("inference-pair", 1)]):
        segment = make_segment(project, uid=f"made:{number}")
        Segment.objects.filter(pk=segment.pk).update(kind=kind)
        unit = Unit.objects.create(
            project=project, segment=segment, kind=kind, language="en", tokens=[f"{kind}<b>"], token_count=1,
            touches=[segment.pk],
        )  # fmt: skip
        unit.parents.add([sentence, *made][parent].pk)
        make_gold(unit, content={"correct": "die", "adversarial": "", "antonym": ""}, layer=layer)
        made.append(unit)
    address = reverse("sentence", args=["impli", sentence.segment_id])
    for person, shown in ((judge, [True, True, False]), (make_member(project), [False] * 3)):
        client.force_login(person)
        page = client.get(address).text
        assert [reverse("gold-open", args=["impli", stage.pk, unit.pk]) in page for unit in made] == shown
        assert [f"{unit.kind}&lt;b&gt;" in page for unit in made] == shown
    client.force_login(make_user())
    assert client.get(address).status_code == 404
