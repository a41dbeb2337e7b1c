"""The page of pairs by tag: what it lists, the numbers before a second look, what was done, and its undo."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Annotation, Assignment, Event, Project, Role, Stage, User
from tests.factories import choice, make_assignment, make_gold, make_member, make_pair, make_tag, stage_of, unit_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "pair-tag")


def text(client: Client, project: Project, **given: object) -> str:
    content = client.get(reverse("pairs", args=[project.slug]), given).content.decode()
    return re.sub(r"\s+", " ", content)


def test_it_is_counted_done_and_undone(client: Client, project: Project, stage: Stage, ana: User, mara: User) -> None:
    client.force_login(mara)
    own, gold = make_pair(project, hypothesis="La suya"), make_pair(project, hypothesis="Con gold")
    save(make_assignment(own, ana, stage), choice("non_relevant"))
    make_tag(gold, "non_relevant")
    make_tag(make_pair(project, hypothesis="Otra"), "relevant")
    asked = {"stage": stage.pk, "tag": "non_relevant", "user": ana.pk}
    before = text(client, project, **asked)
    assert "La suya" in before
    assert "Con gold" in before
    assert "Otra" not in before
    assert "1 answer of this person will be opened again, with its tag." in before
    assert "1 pair will be assigned to this person. Other answers will stay." in before
    assert "Gold will be reopened on 1 of these pairs." in before
    assert "Assign 2 pairs" in before
    assert not Event.objects.filter(verb__startswith="pairs.").exists()

    client.post(reverse("pairs-give", args=[project.slug]), asked)
    after = text(client, project, **asked)
    assert f"2 pairs tagged “Non-relevant” were assigned to {ana} for a second look." in after
    assert "Gold was reopened on 1 of them." in after
    assert set(Assignment.objects.filter(user=ana).values_list("state", flat=True)) == {"open"}
    address = re.search(r'action="([^"]+/pairs/acts/[^"]+)"', after)
    assert address is not None
    told = client.post(address[1], asked, follow=True).content.decode()
    assert "2 pairs are as they were." in told
    assert Annotation.objects.get().state == "done"
    assert "Assign 2 pairs" in text(client, project, **asked)


def test_what_makes_no_sense_is_as_good_as_nothing(client: Client, project: Project, stage: Stage, mara: User) -> None:
    client.force_login(mara)
    make_tag(make_pair(project), "non_relevant")
    assert "Choose a tag to list its pairs" in text(client, project, stage="x", tag="perhaps", user="9", whose="?")
    told = client.post(reverse("pairs-give", args=[project.slug]), {"tag": "non_relevant"}, follow=True)
    assert "Choose a tag and a person." in told.content.decode()
    assert not Assignment.objects.exists()


def test_the_list_of_sentences_leads_to_it_for_managers(
    client: Client, project: Project, ana: User, mara: User
) -> None:
    for user, leads in ((mara, True), (ana, False)):
        client.force_login(user)
        shown = client.get(reverse("find", args=[project.slug])).content.decode()
        assert (reverse("pairs", args=[project.slug]) in shown) == leads


def test_another_person_who_decides_on_it_keeps_their_gold(
    client: Client, project: Project, stage: Stage, ana: User, mara: User
) -> None:
    client.force_login(mara)
    gold = make_gold(unit_of(make_pair(project)), content={"value": "non_relevant"}, decided_by=ana)
    asked = {"stage": stage.pk, "tag": "non_relevant", "user": mara.pk}
    client.post(reverse("pairs-give", args=[project.slug]), asked)
    address = re.search(r'action="([^"]+/pairs/acts/[^"]+)"', text(client, project, **asked))
    assert address is not None
    client.post(address[1], asked)
    gold.refresh_from_db()
    assert (gold.reopened, gold.decided_by) == (False, ana)
