"""The page on which work is assigned: what it tells before, what it does, its undo, and moving."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotator.core.starts import STARTS
from annotator.models import Annotation, Assignment, Project, Role, Stage, User
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.queue.queries.dealing import blind_refusal, refusal, workers
from tests.factories import make_annotation, make_gold, make_member, make_sentence, spans, stage_of
from tests.saving import save
from tests.scenarios import Scenario

pytestmark = pytest.mark.django_db
ASKED = {
    "amount": "number", "number": 5, "sample": "order", "shared_amount": "number", "shared": 1, "sharers": 2,
    "turns": "turn",
}  # fmt: skip


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def ben(project: Project) -> User:
    return make_member(project, username="ben")


@pytest.fixture
def stage(project: Project) -> Stage:
    for _number in range(6):
        make_sentence(project)
    return stage_of(project, "correct")


def words(response: object) -> str:
    return re.sub(r"\s+", " ", response.content.decode())  # type: ignore[attr-defined]  # the client's answer


def test_it_is_told_done_and_undone(
    client: Client, project: Project, stage: Stage, ana: User, ben: User, mara: User
) -> None:
    client.force_login(mara)
    address = reverse("assign", args=[project.slug, stage.pk])
    asked = {**ASKED, "users": [ana.pk, ben.pk]}
    before = words(client.get(address, asked))
    assert "5 items of 6 in the stage will be assigned. 1 of them is shared." in before
    assert "Assign 5 items" in before
    assert not Assignment.objects.exists()

    start = re.search(r'action="([^"]+/assign/[0-9a-f-]{36}/)"', before)
    assert start is not None
    after = words(client.post(start[1], asked, follow=True))
    assert "6 assignments made." in after
    assert "6 items are not started." in after
    # The form sent once more.
    assert "0 assignments made." in words(client.post(start[1], asked, follow=True))
    assert Assignment.objects.count() == 6

    save(Assignment.objects.filter(user=ana).order_by("reading")[0], spans())
    undone = words(client.post(f"{start[1]}undo/", follow=True))
    assert "5 assignments returned. Kept because someone started them: 1." in undone
    assert Assignment.objects.exclude(state="returned").get().state == "done"
    assert Annotation.objects.count() == 1


def test_it_says_why_somebody_cannot_have_items_blind(
    client: Client, project: Project, stage: Stage, ana: User, mara: User
) -> None:
    client.force_login(mara)
    first, second, *_rest = project.units.order_by("pk")
    make_annotation(first, ana)
    make_gold(second)
    asked = {**ASKED, "amount": "all", "shared": 0, "users": [ana.pk], "blind": "on"}
    text = words(client.get(reverse("assign", args=[project.slug, stage.pk]), asked))
    assert "4 items of 6 in the stage will be assigned." in text
    assert "1 seen with suggestions" in text
    assert "1 item is left out: it is decided, done or assigned." in text
    assert "1 item is left out: none of these people can have it." in text


def test_not_started_items_are_moved(
    client: Client, project: Project, stage: Stage, ana: User, ben: User, mara: User
) -> None:
    client.force_login(mara)
    address = reverse("assign", args=[project.slug, stage.pk])
    client.post(f"{address}00000000-0000-0000-0000-000000000001/", {**ASKED, "shared": 0, "users": [ana.pk]})
    assert f"{ana}, Review: 5" in words(client.get(address))
    moved = client.post(
        f"{address}move/", {"move-whose": f"{ana.pk}-review", "move-to": ben.pk, "move-count": 2}, follow=True
    )
    assert "2 items moved." in words(moved)
    assert Assignment.objects.filter(user=ben, state="open").count() == 2
    back = client.post(f"{address}move/", {"move-whose": f"{ana.pk}-review", "move-to": "queue"}, follow=True)
    assert "3 items moved." in words(back)
    assert not Assignment.objects.filter(user=ana, state="open").exists()


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"users": ["7" * 40]}, "Select a valid choice"),
        ({"users": []}, "Choose at least one person."),
        ({"amount": "share", "number": 101}, "Enter a percentage from 0 to 100."),
        ({"sharers": 3}, "more people than you chose"),
    ],
)
def test_what_cannot_be_is_said_in_the_form(
    client: Client, project: Project, stage: Stage, ana: User, mara: User, odd: dict[str, object], why: str
) -> None:
    client.force_login(mara)
    answer = client.get(reverse("assign", args=[project.slug, stage.pk]), {**ASKED, "users": [ana.pk], **odd})
    assert answer.status_code == 422
    assert why in words(answer)


def test_members_who_do_not_manage_assign_nothing(client: Client, project: Project, stage: Stage, ana: User) -> None:
    client.force_login(ana)
    address = reverse("assign", args=[project.slug, stage.pk])
    assert client.get(address).status_code == 403
    start = f"{address}00000000-0000-0000-0000-000000000001/"
    assert client.post(start, {**ASKED, "users": [ana.pk]}).status_code == 403
    assert not Assignment.objects.exists()


@pytest.mark.parametrize("template", sorted(STARTS))
def test_every_stage_of_every_template_has_the_page(client: Client, template: str) -> None:
    scene = Scenario(template, people=2)
    for language in scene.project.languages:
        scene.sentence(language=language)
    client.force_login(scene.manager)
    for stage in scene.project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer", "project"):
        # Two people, but in stages for managers alone.
        users = [user.pk for user in workers(stage)]
        for blind in ({}, {"blind": "on"}):
            address = reverse("assign", args=[scene.project.slug, stage.pk])
            answer = client.get(address, {**ASKED, "amount": "all", "shared": 0, "users": users, **blind})
            if refusal(stage):
                assert escape(refusal(stage)) in answer.text
            elif blind and blind_refusal(stage):
                assert answer.status_code == 422
            else:
                assert answer.status_code == 200
                assert "in the stage will be assigned." in words(answer)


def test_managers_who_work_blind_cannot_group_by_labels(
    client: Client, project: Project, stage: Stage, ben: User, mara: User
) -> None:
    client.force_login(mara)
    address = reverse("assign", args=[project.slug, stage.pk])
    asked = {
        **ASKED,
        "shared": 0,
        "amount": "each",
        "sample": "random",
        "seed": 1,
        "strata": ["labels"],
        "users": [ben.pk],
    }
    assert client.get(address, asked).status_code == 200
    assign_blind(project=project, language=stage.language, users=[mara], pairs=1, seed=1, by=None)
    assert "Suggested or gold labels" not in words(client.get(address))
    assert client.get(address, asked).status_code == 422
