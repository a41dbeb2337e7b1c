"""Accepting what agrees, in projects in which people do not label: what is asked before, and what is told after it."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Gold, Role
from tests.drafts import load
from tests.factories import make_annotation, make_member, make_sentence
from tests.kinds.munch import NAMES, ONE, Munch, give

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Munch:
    """Five have written words for a sentence, and inapt ones were found."""
    scene = Munch(6)
    load(scene.project, {NAMES[0]: ONE})
    scene.write("surge", "surge", "rush", "flood", "rush")
    give(scene, "ripple")
    return scene


@pytest.fixture
def scene(made: Munch, uploads: Path) -> Munch:
    return copy.deepcopy(made)


def accept(client: Client, scene: Munch) -> str:
    client.force_login(make_member(scene.project, Role.MANAGER))
    page = client.post(reverse("accept", args=["words"]), {"language": "en"}, follow=True)
    return " ".join(page.content.decode().split())


def test_nothing_is_said_of_labels_where_nobody_labelled(scene: Munch, client: Client) -> None:
    said = accept(client, scene)
    assert (
        "Accepted as gold in en: inapt words 1. Left for adjudication (disagreement or doubt): 0. In progress: 0."
    ) in said
    assert Gold.objects.get().layer.slug == "inapt"
    assert "Accepted as gold in en: nothing." in accept(client, scene)


def test_by_the_api_neither(scene: Munch) -> None:
    stage = scene.stage("adjudicate", "inapt")
    assert scene.call(scene.people[0], "post", f"stages/{stage.pk}/accept/", {})["accepted"] == 1


def test_labels_that_are_finished_are_asked_about_before(scene: Munch, client: Client) -> None:
    make_annotation(make_sentence(scene.project, "Time flies", language="en"), scene.people[0])
    assert "Accept before a blind sample is assigned?" in accept(client, scene)
    assert not Gold.objects.exists()
