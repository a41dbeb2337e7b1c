"""What the dashboard and an empty stage say comes first."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.core.starts import STARTS
from annotator.dashboard.queries.next_step import NextStep, Step, next_step, to_decide
from annotator.models import Role, User
from annotator.projects.actions.projects import create_project
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.queries.progress import project_progress
from tests.drafts import load
from tests.factories import make_gold, make_member, spans
from tests.kinds.impli.work import Impli

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Impli:
    return Impli()


@pytest.fixture
def scene(made: Impli) -> Impli:
    return copy.deepcopy(made)


def _step(scene: Impli, user: User) -> NextStep:
    access = project_for(user, scene.project.slug, needs=Permission.VIEW)
    progress = project_progress(scene.project, user)
    return next_step(access, progress, to_decide(access, progress))


def _page(user: User, name: str, *args: Any) -> str:
    client = Client()
    client.force_login(user)
    return client.get(reverse(name, args=["inference", *args])).content.decode()


def _config(scene: Impli, user: User, kind: str) -> dict[str, Any]:
    page = _page(user, "work", scene.stage(kind).pk)
    found = re.search(r'<script id="ws-config" type="application/json">(.*?)</script>', page)
    assert found is not None
    config: dict[str, Any] = json.loads(found[1])
    return config


def _nothing_marked(scene: Impli) -> None:
    for person in scene.people[:2]:
        for item in scene.claim(person, "correct", 1):
            scene.save(person, item, spans())
    layer = scene.project.label_layer
    accept_agreed(project=scene.project, layer=layer, language="en", by=None, without_overlap=True)


def test_where_nothing_is_marked_a_manager_is_told_so(scene: Impli) -> None:
    _nothing_marked(scene)
    page = _page(scene.manager, "project")
    assert "Mark figurative expressions first" in page
    assert "Mark expressions in sentences first, or import a dictionary." in page
    assert reverse("work", args=["inference", scene.stage("correct").pk]) in page
    assert _step(scene, scene.people[0]).step == Step.NOTHING, "an annotator can do nothing about it"


def test_an_empty_stage_says_what_comes_first_with_a_link(scene: Impli) -> None:
    for kind in ("rewrite", "define"):
        config = _config(scene, scene.manager, kind)
        assert config["before"]["url"] == reverse("work", args=["inference", scene.stage("correct").pk])
        assert config["import"] == reverse("import", args=["inference"])
    given = _config(scene, scene.people[0], "rewrite")
    assert ("import" in given, "before" in given) == (False, True), "annotators do not import"
    scene.marked(scene.people[0])
    assert "before" not in _config(scene, scene.manager, "rewrite"), "it is empty no more"


def test_what_is_left_for_a_manager_is_the_stage_that_is_empty(scene: Impli) -> None:
    for unit in scene.project.sentences.all():
        make_gold(unit)
    assert _step(scene, scene.manager) == NextStep(Step.FIRST, scene.stage("rewrite"))
    assert "Rewrite" in _page(scene.manager, "project")


def test_gold_of_pairs_that_came_in_is_released_though_nothing_is_there_to_rewrite(uploads: None) -> None:
    project = create_project(slug="idioms", preset=STARTS["impli"].preset(["en"]), by=None)
    mia = make_member(project, Role.MANAGER)
    load(project, {"manual_e.tsv": "He spilt the beans.\tHe told it.\n"}, dataset="idioms", labels_as="gold")
    access = project_for(mia, project.slug, needs=Permission.VIEW)

    assert next_step(access, project_progress(project, mia), {}).step == Step.RELEASE


@pytest.fixture(scope="class")
def marked(made: Impli, kept_rows_of_class: None) -> Impli:
    scene = copy.deepcopy(made)
    scene.marked(scene.people[0])
    return scene


class TestOnceExpressionsAreMarked:
    @pytest.fixture
    def scene(self, marked: Impli) -> Impli:
        return copy.deepcopy(marked)

    def test_finished_definitions_are_the_managers_next_step_until_pairs_are_made_of_them(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        layer = scene.project.label_layer
        accept_agreed(project=scene.project, layer=layer, language="en", by=None, without_overlap=True)
        assert _step(scene, scene.manager).step == Step.START
        scene.defined(ben)
        assert _step(scene, scene.manager) == NextStep(Step.DUE, scene.stage("define"))
        assert "have not been turned into pairs yet" in _page(scene.manager, "project")
        assert '<details class="more" open>' in _page(scene.manager, "work", scene.stage("define").pk)
        assert _step(scene, scene.people[2]).step == Step.START, "that is no matter of annotators"
        scene.bring("pairs")
        assert _step(scene, scene.manager).step == Step.START

    def test_what_comes_after_definitions_is_said_where_people_look(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        action = "Make pairs from definitions"
        define = reverse("work", args=["inference", scene.stage("define").pk])
        assert action not in _page(scene.manager, "project")
        scene.defined(ben)

        # Also before labels are gold, and where there is nothing to validate yet.
        assert f'<a href="{define}">{action}</a>' in _page(scene.manager, "project")
        given = _config(scene, scene.manager, "validate")
        assert given["before"] == {"url": define, "name": action}
        assert "have not been turned into pairs yet" in given["empty"]
        assert action in _page(scene.manager, "work", scene.stage("define").pk)
        assert _config(scene, scene.manager, "rewrite").get("before") is None, "it has something"

        assert action not in _page(scene.people[2], "project"), "managers make them"
        assert "by rule" not in _config(scene, scene.people[2], "validate")["empty"]
        scene.bring("pairs")
        assert action not in _page(scene.manager, "project")

    def test_definitions_that_make_no_pair_are_not_asked_for_again(self, scene: Impli) -> None:
        _ana, ben, *_ = scene.people
        scene.defined(ben, {"correct": "with all the work", "adversarial": "", "antonym": ""})
        assert scene.bring("pairs")["made"] == 0
        assert _step(scene, scene.manager).step != Step.DUE
