"""For whom decisions wait: what is barred to whom, why, and how much, on pages and over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.dashboard.queries.next_step import NextStep, Step, next_step, to_decide
from annotator.models import Item, Mode, Project, Role, Stage, User
from annotator.work.gold.queries.adjudication import Waits, waits
from annotator.work.queue.queries.progress import project_progress
from tests.clients import client_of
from tests.factories import make_annotation, make_assignment, make_member, make_project, make_sentence, span, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("barred")


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, Stage.ADJUDICATE)


def differ(project: Project, blind: User, review: User, count: int) -> None:
    """Sentences on which two people differ, one of whom labelled them blind."""
    for _ in range(count):
        sentence = make_sentence(project)
        make_assignment(sentence, blind, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
        make_annotation(sentence, blind, [span(0)], mode=Mode.BLIND)
        make_annotation(sentence, review, [span(1)])
    assert Item.objects.filter(stage__kind=Stage.ADJUDICATE, state="free").count() >= count


def asked(stage: Stage, user: User) -> dict[str, Any]:
    path = f"/api/v1/projects/{stage.project.slug}/stages/{stage.pk}/adjudicate/"
    told = client_of(user).get(path).json()
    return {"items": len(told["items"]), "remaining": told["remaining"], **told["barred"]}


def step_of(project: Project, user: User) -> NextStep:
    access, progress = project_for(user, project.slug), project_progress(project, user)
    return next_step(access, progress, to_decide(access, progress))


def test_what_somebody_labelled_blind_waits_for_somebody_else(client: Client, project: Project, stage: Stage) -> None:
    blind, other = make_member(project, Role.ADJUDICATOR), make_member(project, Role.ADJUDICATOR)
    differ(project, blind, make_member(project), 7)
    assert project.adjudicate_own, "it lets adjudicators decide on what they labelled with suggestions in sight"
    assert waits(stage, blind) == Waits(mine=0, blind=7)
    assert waits(stage, other) == Waits(mine=7)
    barred = {"items": 0, "remaining": 0, "blind": 7, "own": 0, "answered": 0, "nobody": False}
    assert asked(stage, blind) == barred
    assert asked(stage, other) == barred | {"items": 7, "remaining": 7, "blind": 0}
    found = step_of(project, blind)
    assert (found.step, found.stage, found.count) == (Step.BARRED, stage, 7)
    client.force_login(blind)
    text = client.get(reverse("project", args=[project.slug])).text
    assert "7 are waiting for someone else. You labelled them blind: 7." in text
    assert "0 to decide" in text
    assert "7 for someone else" in text


def test_where_the_project_bars_own_work_that_is_told_with_its_number(project: Project, stage: Stage) -> None:
    project.adjudicate_own = False
    project.save()
    judge, ana = make_member(project, Role.ADJUDICATOR), make_member(project)
    for mine in (True, True, False):
        sentence = make_sentence(project)
        make_annotation(sentence, judge if mine else make_member(project), [span(0)])
        make_annotation(sentence, ana, [span(1)])
    assert waits(stage, judge) == Waits(mine=1, answered=2)
    differ(project, judge, ana, 1)
    found = waits(stage, judge)
    assert found == Waits(mine=1, blind=1, answered=2), "each is told once"
    assert waits(stage, judge).mine == 1
    assert step_of(project, judge).step == Step.ADJUDICATE


def test_where_nobody_else_can_decide_it_says_what_to_do(client: Client, project: Project, stage: Stage) -> None:
    only = make_member(project, Role.ADJUDICATOR)
    differ(project, only, make_member(project), 2)
    assert waits(stage, only) == Waits(blind=2, nobody=True)
    client.force_login(only)
    text = client.get(reverse("project", args=[project.slug])).text
    assert "A manager must make someone else an adjudicator." in text
    make_member(project, Role.MANAGER)
    assert waits(stage, only) == Waits(blind=2)


def test_who_does_not_decide_is_told_nothing_of_it(client: Client, project: Project, stage: Stage) -> None:
    ana = make_member(project)
    differ(project, ana, make_member(project), 2)
    client.force_login(ana)
    assert "for someone else" not in client.get(reverse("project", args=[project.slug])).text
    path = f"/api/v1/projects/{project.slug}/stages/{stage.pk}/adjudicate/"
    assert client_of(ana).get(path).status_code == 403
    assert client_of(make_member(make_project())).get(path).status_code == 404
