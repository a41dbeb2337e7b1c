"""The dataset card in a project's settings: who may fill it in, what is refused, where empty fields are named."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Event, Project, Role
from annotator.releases.card import QUESTIONS
from tests.factories import make_gold, make_member, make_project, make_sentence, make_user

pytestmark = pytest.mark.django_db

CARD = {"licence_labels": "CC-BY-4.0", "doi": "https://doi.org/10.5281/zenodo.12", "pay": "18 € an hour"}


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def manager(client: Client, project: Project) -> Client:
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    return client


PAGE = reverse("settings-card", args=["letters"])


def test_a_manager_fills_it_in_and_the_change_is_logged(manager: Client, project: Project) -> None:
    said = manager.post(PAGE, {**CARD, "names": "on"}, follow=True).text

    project.refresh_from_db()
    assert project.dataset_card == {**CARD, "doi": "10.5281/zenodo.12", "names": True}
    assert "The dataset card was saved." in said
    assert 'value="10.5281/zenodo.12"' in said
    event = Event.objects.get(verb="project.settings")
    assert (event.before, event.after) == ({"dataset_card": {}}, {"dataset_card": project.dataset_card})

    manager.post(PAGE, {**CARD, "names": "on"})
    assert Event.objects.filter(verb="project.settings").count() == 1


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"doi": "zenodo 12"}, "“zenodo 12” is not a valid DOI."),
        ({"authors": "Ruiz, Ana; 0000-1"}, "“0000-1” is not a valid ORCID."),
        ({"authors": "; 0000-0002-1825-0097"}, "An author has no name."),
        ({"title": "x" * 301}, "at most 300 characters"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    manager: Client, project: Project, answers: dict[str, str], says: str
) -> None:
    answer = manager.post(PAGE, {**CARD, **answers})

    assert answer.status_code == 422
    assert says in answer.text
    assert "18 € an hour" in answer.text
    project.refresh_from_db()
    assert project.dataset_card == {}


def test_others_may_not(client: Client, project: Project) -> None:
    for user, status in ((make_member(project, Role.ADJUDICATOR), 403), (make_user(), 404)):
        client.force_login(user)
        assert client.get(PAGE).status_code == status
        assert client.post(PAGE, CARD).status_code == status
    project.refresh_from_db()
    assert project.dataset_card == {}


def test_an_archived_project_keeps_its_card(manager: Client, project: Project) -> None:
    project.archived_at = project.created_at
    project.save()

    manager.post(PAGE, CARD)

    project.refresh_from_db()
    assert project.dataset_card == {}


def test_the_releases_page_names_what_is_empty_to_those_who_can_fill_it_in(manager: Client, project: Project) -> None:
    make_gold(make_sentence(project))
    page = manager.get(reverse("releases", args=["letters"])).text
    assert f"The dataset card has {len(QUESTIONS) - 1} empty fields" in page
    assert "<li>Consent and ethics review</li>" in page

    manager.post(PAGE, {one.name: "10.5281/z" if one.name == "doi" else "stated" for one in QUESTIONS})
    assert "The dataset card has" not in manager.get(reverse("releases", args=["letters"])).text

    manager.post(PAGE, {})
    manager.force_login(make_member(project))
    assert "The dataset card has" not in manager.get(reverse("releases", args=["letters"])).text
