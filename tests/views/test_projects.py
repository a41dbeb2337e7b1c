from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Project, Role
from tests.factories import make_gold, make_member, make_project, make_sentence, make_user

pytestmark = pytest.mark.django_db
NEW = {"name": "Letters", "slug": "letters", "preset": "meta4xnli-es-en"}


def test_people_see_their_own_projects_with_role_and_progress(client: Client) -> None:
    mine, other = make_project("mine"), make_project("other-effort")
    make_gold(make_sentence(mine))
    make_sentence(mine)
    make_member(other)
    client.force_login(make_member(mine, Role.ADJUDICATOR))

    page = client.get(reverse("projects")).content.decode()

    assert "mine" in page
    assert "Adjudicator" in page
    assert "1 / 2" in page
    assert "other-effort" not in page


def test_who_is_in_no_project_reads_what_to_do(client: Client) -> None:
    client.force_login(make_user("lola"))

    page = client.get(reverse("projects")).content.decode()

    assert "Ask the manager of a project to add you" in page
    assert "lola" in page
    assert "New project" not in page


def test_a_site_admin_creates_a_project_and_manages_it(client: Client) -> None:
    admin = make_user(superuser=True)
    client.force_login(admin)

    response = client.post(reverse("projects"), NEW)

    assert response.headers["Location"] == reverse("project", args=["letters"])
    project = Project.objects.get()
    assert (project.name, project.languages) == ("Letters", ["es", "en"])
    assert project.memberships.get().user == admin


def test_a_taken_short_name_is_said_beside_the_field(client: Client) -> None:
    make_project("letters")
    client.force_login(make_user(superuser=True))

    response = client.post(reverse("projects"), NEW)

    assert response.status_code == 422
    assert "There is a project &quot;letters&quot; already" in response.content.decode()
    assert Project.objects.count() == 1


def test_others_cannot_create_projects(client: Client) -> None:
    client.force_login(make_user())

    assert client.post(reverse("projects"), NEW).status_code == 403
    assert not Project.objects.exists()
