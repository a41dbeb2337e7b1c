from __future__ import annotations

import re

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.models import AgreementRun, Event, Membership, Project, Role, User
from annotator.work.queue.actions.assignments import claim
from tests.factories import (
    make_assignment,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.saving import save

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
    assert "Only adjudicators who did not annotate an item can decide on it" in said
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


def test_removing_is_shown_in_numbers_first(client: Client, project: Project, manager: User) -> None:
    ana = make_member(project, username="ana")
    make_assignment(make_sentence(project), ana, stage_of(project, "correct"), done=True)
    make_assignment(make_sentence(project), ana, stage_of(project, "correct"))
    url = reverse("member-remove", args=["letters", Membership.objects.get(user=ana).pk])

    page = client.get(url).text

    assert "1 done item will be kept." in page
    assert "1 open item will be returned to the queue." in page
    assert Membership.objects.filter(user=ana).exists()


def test_people_are_added_in_one_dialog_that_opens_by_address_too(
    client: Client, project: Project, manager: User
) -> None:
    url = reverse("members", args=["letters"])
    dialog = re.compile(r'<dialog [^>]*id="add-people"[^>]*?( open)?>')

    assert dialog.search(client.get(url).text)[1] is None  # type: ignore[index]
    assert dialog.search(client.get(url, {"add": ""}).text)[1] == " open"  # type: ignore[index]
    refused = client.post(reverse("member-add", args=["letters"]), {"add-username": "nobody", "add-role": "annotator"})
    assert dialog.search(refused.text)[1] == " open"  # type: ignore[index]
    assert re.search(r'value="existing" checked', refused.text)


class TestPassword:
    """A new password for an account that was made here, and for no other."""

    @pytest.fixture
    def cam(self, client: Client, project: Project, manager: User) -> Membership:
        client.post(reverse("member-create", args=["letters"]), {"new-username": "cam", "new-role": "annotator"})
        return project.memberships.select_related("user").get(user__username="cam")

    def reset(self, client: Client, member: Membership) -> str | None:
        answer = client.post(reverse("member-password", args=["letters", member.pk]), follow=True)
        shown = re.search(r"<code>((?:[a-z2-9]{4}-){3}[a-z2-9]{4})</code>", answer.text)
        return shown and shown[1]

    def test_it_is_shown_once_and_ends_the_old_one(self, client: Client, project: Project, cam: Membership) -> None:
        theirs = Client()
        theirs.force_login(cam.user)

        password = self.reset(client, cam)

        cam.user.refresh_from_db()
        assert password is not None
        assert cam.user.check_password(password)
        assert theirs.get(reverse("project", args=["letters"])).status_code == 302
        assert cam.user.last_login is None, "signing in asks for a password of one's own"
        event = Event.objects.get(verb="user.password")
        assert (event.subject_id, event.before, event.after) == (cam.user_id, None, None)

    @pytest.mark.parametrize("reach", ["other project", "site", "another's account"])
    def test_it_opens_nothing_beyond_the_project(
        self, client: Client, project: Project, cam: Membership, reach: str
    ) -> None:
        if reach == "other project":
            Membership.objects.create(project=make_project("other"), user=cam.user, role=Role.MANAGER)
        elif reach == "site":
            User.objects.filter(pk=cam.user_id).update(is_superuser=True)
        else:
            cam = Membership.objects.get(user=make_member(project, username="ana"))
        before = cam.user.password

        assert self.reset(client, cam) is None

        assert User.objects.get(pk=cam.user_id).password == before
        assert not Event.objects.filter(verb="user.password").exists()
        page = client.get(reverse("members", args=["letters"])).text
        assert reverse("member-password", args=["letters", cam.pk]) not in page

    def test_members_without_that_right_reset_none(self, client: Client, project: Project, cam: Membership) -> None:
        client.force_login(make_member(project))
        assert client.post(reverse("member-password", args=["letters", cam.pk])).status_code == 403


def test_managers_see_pace_time_and_agreement_and_what_they_are_of(
    client: Client, project: Project, manager: User
) -> None:
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    make_sentence(project)
    [row] = claim(stage=stage_of(project, "correct"), user=ana, now=timezone.now())
    save(row, spans(span(1)), seconds=75)
    AgreementRun.objects.create(
        project=project, layer=project.label_layer, language="es", a=ana, b=ben, dimension="spans", units=9, blind=9,
        scheme_version=1, last_event=0, sha256="", computed_at=timezone.now(),
        results={"rows": [{"kappa": {"value": 0.714}}]},
    )  # fmt: skip

    page = client.get(reverse("members", args=["letters"])).text

    deeds = f"{reverse('person', args=['letters', ana.pk])}#deeds"
    assert f'<a href="{deeds}">1</a>' in page
    assert f'<a href="{deeds}">1 min 15 s</a>' in page
    assert "?a=ana&amp;b=ben&amp;language=es&amp;layer=tokens&amp;dimension=spans" in page
    assert "κ 0.71" in page
    assert "1 item" in client.get(reverse("person", args=["letters", ana.pk])).text
    client.force_login(ana)
    assert "κ 0.71" not in client.get(reverse("members", args=["letters"])).text
    assert "κ 0.71" not in client.get(reverse("person", args=["letters", ana.pk])).text


def test_as_many_statements_for_many_people_as_for_one(client: Client, project: Project, manager: User) -> None:
    url = reverse("members", args=["letters"])

    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(url)
        return len(captured)

    make_member(project)
    few = statements()
    for _number in range(5):
        make_member(project)
    assert statements() == few
