from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from annotator.models import Event, Membership, Project, Role, User
from tests.factories import make_assignment, make_member, make_pair, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(client: Client, project: Project) -> User:
    user = make_member(project, Role.MANAGER, "mia")
    client.force_login(user)
    return user


def test_a_manager_adds_somebody_by_user_name(client: Client, project: Project, manager: User) -> None:
    make_user("ana")

    response = client.post(
        reverse("member-add", args=["letters"]), {"add-username": "Ana", "add-role": "adjudicator"}, follow=True
    )

    assert project.memberships.get(user__username="ana").role == Role.ADJUDICATOR
    assert "ana is now a member" in response.content.decode()


@pytest.mark.parametrize(
    ("username", "said"), [("nobody", "No account has the username"), ("mia", "is already a member of this project")]
)
def test_who_cannot_be_added_is_said(client: Client, project: Project, manager: User, username: str, said: str) -> None:
    response = client.post(reverse("member-add", args=["letters"]), {"add-username": username, "add-role": "annotator"})

    assert response.status_code == 422
    assert said in response.content.decode()
    assert project.memberships.count() == 1


def test_a_new_account_shows_its_password_once_and_it_works(client: Client, project: Project, manager: User) -> None:
    made = client.post(
        reverse("member-create", args=["letters"]),
        {"new-username": "cam", "new-name": "Camila Souza", "new-role": "annotator"},
    )
    later = client.get(reverse("members", args=["letters"])).content.decode()

    shown = re.search(r"<code>((?:[a-z2-9]{4}-){3}[a-z2-9]{4})</code>", made.content.decode())
    assert shown is not None
    password = shown[1]
    assert "no-store" in made.headers["Cache-Control"]
    assert password not in later
    # It is kept nowhere on the way, either.
    assert password not in str([session.get_decoded() for session in Session.objects.all()])
    assert User.objects.get(username="cam").check_password(password)
    assert project.memberships.get(user__username="cam").role == Role.ANNOTATOR
    # The log names people by id, so that an account can be renamed.
    assert Event.objects.get(verb="user.create").subject_id == User.objects.get(username="cam").pk
    logged = str(list(Event.objects.values_list("before", "after")))
    assert "cam" not in logged
    assert password not in logged


@pytest.mark.parametrize(
    ("username", "said"), [("MIA", "The account “MIA” already exists"), ("two words", "valid username")]
)
def test_an_account_that_cannot_be_made_is_said(
    client: Client, project: Project, manager: User, username: str, said: str
) -> None:
    response = client.post(
        reverse("member-create", args=["letters"]), {"new-username": username, "new-role": "annotator"}
    )

    assert response.status_code == 422
    assert said in response.content.decode()
    assert User.objects.count() == 1


def test_roles_change(client: Client, project: Project, manager: User) -> None:
    member = Membership.objects.get(user=make_member(project))

    client.post(reverse("member-role", args=["letters", member.pk]), {"role": "manager"})

    member.refresh_from_db()
    assert member.role == Role.MANAGER


def test_the_table_names_what_people_did_as_the_stages_are_called(
    client: Client, project: Project, manager: User
) -> None:
    correct = stage_of(project, "correct")
    correct.title = "First reading"
    correct.save()
    make_assignment(make_sentence(project), make_member(project), correct, done=True)
    make_assignment(make_pair(project), make_member(project), stage_of(project, "pair-tag"), done=True)

    page = client.get(reverse("members", args=["letters"])).text

    assert re.findall(r"<li>([^:<]*): <span class=\"number\">(\d+)</span>", page) == [
        ("First reading", "1"),
        ("Tag pairs", "1"),
    ]


def test_who_leaves_loses_the_project(client: Client, project: Project, manager: User) -> None:
    ana = make_member(project, username="ana")
    member = Membership.objects.get(user=ana)

    client.post(reverse("member-remove", args=["letters", member.pk]))

    client.force_login(ana)
    assert client.get(reverse("project", args=["letters"])).status_code == 404


def test_members_without_that_right_see_no_forms(client: Client, project: Project) -> None:
    client.force_login(make_member(project))

    page = client.get(reverse("members", args=["letters"])).content.decode()

    assert reverse("member-add", args=["letters"]) not in page
    assert "Remove" not in page


def test_a_manager_bars_adjudicators_from_their_own_items(client: Client, project: Project, manager: User) -> None:
    url = reverse("adjudicate-own", args=["letters"])
    assert re.search(r'name="own-allowed"[^>]*checked', client.get(reverse("members", args=["letters"])).text)

    said = client.post(url, {}, follow=True).text

    project.refresh_from_db()
    assert not project.adjudicate_own
    assert "only by adjudicators who did not annotate them" in said
    assert not re.search(r'name="own-allowed"[^>]*checked', said)
    event = Event.objects.get(verb="project.adjudicate_own")
    assert (event.actor, event.subject_id, event.before, event.after) == (
        manager,
        project.pk,
        {"allowed": True},
        {"allowed": False},
    )
    # Sent again, it changes nothing; sent with the box ticked, it is as it was.
    client.post(url, {})
    assert Event.objects.filter(verb="project.adjudicate_own").count() == 1
    client.post(url, {"own-allowed": "on"})
    project.refresh_from_db()
    assert project.adjudicate_own
