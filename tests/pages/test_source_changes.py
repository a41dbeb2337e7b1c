"""Items whose source changed: counted on the dashboard, listed, told in the workspace and over the API."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Assignment, BlindMark, User
from annotator.work.gold.actions.agreed import accept_agreed
from tests.clients import client_of
from tests.factories import make_assignment, make_member, stage_of
from tests.work.test_source_changes import ENGLISH, World, changed

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    """Reviewed by Ana; then the gold of its source became another."""
    return changed()


def page(user: User, name: str, *args: object) -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def listed(world: World, user: User, *, kind: str = "project-review") -> str:
    stage = stage_of(world.project, kind, "en", "labels" if kind == "adjudicate" else "")
    return page(user, "source-changed", world.project.slug, stage.pk)


def test_the_dashboard_counts_them_and_leads_to_the_list(world: World) -> None:
    told = page(world.ana, "project", world.project.slug)
    address = reverse("source-changed", args=[world.project.slug, stage_of(world.project, "project-review", "en").pk])
    assert "1 item whose source changed" in told
    assert told.count(address) == 1
    assert told.count("whose source changed</span>") == 1, "in no other stage"
    world.save(2)
    assert "whose source changed" not in page(world.ana, "project", world.project.slug)


def test_the_list_opens_what_somebody_reviewed_themselves(world: World) -> None:
    own = Assignment.objects.get(user=world.ana, unit=world.unit("en"))
    told = listed(world, world.ana)
    assert ENGLISH in told
    assert f"?item={own.pk}" in told
    # Others see it, and where it is.
    told = listed(world, make_member(world.project))
    assert ENGLISH in told
    assert "?item=" not in told
    assert reverse("sentence", args=[world.project.slug, world.segment.pk]) in told


def test_what_is_decided_is_opened_by_adjudicators(world: World) -> None:
    accept_agreed(project=world.project, layer=world.layer, language="en", by=world.zoe, without_overlap=True)
    judging = stage_of(world.project, "adjudicate", "en", "labels")
    address = reverse("gold-open", args=[world.project.slug, judging.pk, world.unit("en").pk])
    for kind in ("project-review", "adjudicate"):
        assert address in listed(world, world.zoe, kind=kind)
        assert address not in listed(world, world.ana, kind=kind)
    assert page(world.zoe, "project", world.project.slug).count("whose source changed</span>") == 2
    # Opened there once, it is an item.
    client = Client()
    client.force_login(world.zoe)
    opened = client.post(address)["Location"]
    assert re.search(r"\?item=\d+$", opened)
    assert opened in listed(world, world.zoe, kind="adjudicate")


def test_nothing_is_listed_where_the_reader_is_blind(world: World) -> None:
    ben = make_member(world.project)
    make_assignment(world.unit("en"), ben, stage_of(world.project, "project-review", "en"), mode="blind")
    assert BlindMark.objects.filter(user=ben, live=True).exists()
    assert ENGLISH not in listed(world, ben)


@pytest.mark.parametrize("after", ["x", "-1", "50", "9" * 40, "٣"])
def test_any_place_in_the_list_is_a_page(world: World, after: str) -> None:
    client = Client()
    client.force_login(world.ana)
    stage = stage_of(world.project, "project-review", "en")
    answer = client.get(reverse("source-changed", args=[world.project.slug, stage.pk]), {"after": after})
    assert answer.status_code == 200


def test_the_api_says_the_same(world: World) -> None:
    stage = stage_of(world.project, "project-review", "en")
    own = Assignment.objects.get(user=world.ana, unit=world.unit("en"))
    base = f"/api/v1/projects/{world.project.slug}/"
    client = client_of(world.ana)

    stages = {row["id"]: row["source_changed"] for row in client.get(base).json()["stages"]}
    assert stages.pop(stage.pk) == 1
    assert set(stages.values()) == {0}
    assert client.get(f"{base}stages/{stage.pk}/source-changed/").json() == {
        "results": [
            {
                "unit": world.unit("en").pk,
                "uid": world.segment.uid,
                "text": ENGLISH,
                "sources": ["es"],
                "gold": False,
                "assignment": own.pk,
                "item": None,
            }
        ],
        "more": False,
    }
    item = client.get(f"{base}assignments/{own.pk}/").json()
    assert item["source_changed"] == [{"language": "es", "decided": True, "labels": []}]
    world.decide("es", 1)
    item = client.get(f"{base}assignments/{own.pk}/").json()
    assert item["source_changed"] == [{"language": "es", "decided": True, "labels": ["ciudad (METAPHOR)"]}]
    world.reopen("es")
    item = client.get(f"{base}assignments/{own.pk}/").json()
    assert item["source_changed"] == [{"language": "es", "decided": False, "labels": []}]

    body = {"version": item["annotation"]["version"], "content": item["annotation"]["content"], "done": True}
    assert client.post(f"{base}assignments/{own.pk}/save/", body).status_code == 200
    assert client.get(f"{base}assignments/{own.pk}/").json()["source_changed"] == []
    assert client.get(f"{base}stages/{stage.pk}/source-changed/").json()["results"] == []


def test_adjudicators_are_told_too(world: World) -> None:
    accept_agreed(project=world.project, layer=world.layer, language="en", by=world.zoe, without_overlap=True)
    judging = stage_of(world.project, "adjudicate", "en", "labels")
    client = Client()
    client.force_login(world.zoe)
    item = client.post(reverse("gold-open", args=[world.project.slug, judging.pk, world.unit("en").pk]))["Location"]
    found = client_of(world.zoe).get(
        f"/api/v1/projects/{world.project.slug}/stages/{judging.pk}/adjudicate/", {"item": item.rpartition("=")[2]}
    )
    assert found.json()["items"][0]["source_changed"] == [{"language": "es", "decided": True, "labels": []}]
