from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Event, Invitation, Membership, Project, Role, User
from annotator.projects.actions.invitations import invite, revoke
from annotator.projects.actions.project_settings import archive_project
from tests.factories import make_member, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
ACCOUNT = {
    "username": "cam",
    "name": "Camila",
    "email": "cam@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture
def manager(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mia")


def link(project: Project, manager: User, days: float = 7) -> str:
    _invitation, secret = invite(
        project=project, role=Role.ADJUDICATOR, valid=timedelta(days=7), by=manager,
        now=timezone.now() - timedelta(days=7 - days),
    )  # fmt: skip
    return reverse("invitation", args=[secret])


def make_link(client: Client, **more: Any) -> Any:
    given = {"invite-role": "adjudicator", "invite-days": "14", **more}
    return client.post(reverse("member-invite", args=["letters"]), given)


def test_a_manager_makes_a_link_that_is_shown_once(client: Client, project: Project, manager: User) -> None:
    client.force_login(manager)

    made = make_link(client, **{"invite-languages": ["es"], "invite-email": "cam@example.org"})
    later = client.get(reverse("members", args=["letters"])).text

    shown = re.search(r'value="http://testserver(/invitations/[\w-]+/)"', made.text)
    assert shown
    assert "no-store" in made.headers["Cache-Control"]
    assert shown[1] not in later
    assert "cam@example.org" in later
    invitation = project.invitations.get()
    assert (invitation.role, invitation.languages, invitation.invited_by) == ("adjudicator", ["es"], manager)
    assert Client().get(shown[1]).status_code == 200
    # No mail server is set, so nothing is sent, and nobody says so.
    assert mail.outbox == []
    assert "sent" not in made.text.partition('id="new-link"')[2].partition("</section>")[0]


def test_where_a_mail_server_is_set_the_link_is_sent(
    client: Client, project: Project, manager: User, settings: Any
) -> None:
    settings.SENDS_MAIL = True
    client.force_login(manager)

    made = make_link(client, **{"invite-email": "cam@example.org"})

    [sent] = mail.outbox
    address = re.search(r"http://testserver(/invitations/[\w-]+/)", str(sent.body))
    assert address
    assert sent.to == ["cam@example.org"]
    assert "letters" in sent.subject
    assert "It was sent to cam@example.org" in made.text
    assert Client().get(address[1]).status_code == 200
    assert project.invitations.get().sent_at is not None
    assert Event.objects.get(verb="invitation.sent").actor == manager


def test_a_mail_server_that_does_not_answer_loses_nothing(
    client: Client, project: Project, manager: User, settings: Any
) -> None:
    settings.SENDS_MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    client.force_login(manager)

    made = make_link(client, **{"invite-email": "cam@example.org"})

    assert "rejected the email" in made.text
    assert "/invitations/" in made.text
    assert project.invitations.get().sent_at is None


def test_somebody_with_an_account_joins_by_a_form_and_not_by_looking(
    client: Client, project: Project, manager: User
) -> None:
    address = link(project, manager)
    cam = make_user("cam")
    client.force_login(cam)

    looked = client.get(address)
    assert "mia invites you" in looked.text
    assert not Membership.objects.filter(user=cam).exists()
    joined = client.post(address, follow=True)

    assert Membership.objects.get(user=cam).role == Role.ADJUDICATOR
    assert joined.redirect_chain[-1][0] == reverse("project", args=["letters"])
    assert "Welcome to “letters”" in joined.text


def test_somebody_without_one_makes_it_there(client: Client, project: Project, manager: User) -> None:
    address = link(project, manager)

    assert f"{reverse('sign-in')}?next={address}" in client.get(address).text
    joined = client.post(address, ACCOUNT, follow=True)

    assert joined.status_code == 200
    cam = User.objects.get(username="cam")
    assert (cam.email, cam.first_name) == ("cam@example.org", "Camila")
    assert joined.wsgi_request.user == cam
    assert project.memberships.get(user=cam).role == Role.ADJUDICATOR


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"password2": "another one"}, "The two passwords do not match"),
        ({"password1": "camila", "password2": "camila"}, "too short"),
        ({"username": "MIA"}, "The account “MIA” already exists"),
        ({"email": "mia@example.org"}, "An account with this email address"),
        ({"username": "two words"}, "valid username"),
    ],
)
def test_an_account_that_cannot_be_made_leaves_the_link_open(
    client: Client, project: Project, manager: User, wrong: dict[str, str], said: str
) -> None:
    User.objects.filter(pk=manager.pk).update(email="mia@example.org")
    address = link(project, manager)

    refused = client.post(address, {**ACCOUNT, **wrong})

    assert refused.status_code == 422
    assert said in refused.text
    assert User.objects.count() == 1
    assert Invitation.objects.get().accepted_at is None
    # What was written is there still, but for the passwords.
    assert 'value="Camila"' in refused.text


def test_links_that_do_not_work_say_why(client: Client, project: Project, manager: User) -> None:
    used, over, revoked = link(project, manager), link(project, manager, days=0), link(project, manager)
    revoke(invitation=Invitation.objects.first(), by=manager, now=timezone.now())  # type: ignore[arg-type]
    client.post(used, ACCOUNT)

    for address, status, said in (
        (used, 410, "was already used"),
        (over, 410, "has expired"),
        (revoked, 410, "was revoked"),
        (reverse("invitation", args=["guessed"]), 404, "link is not valid"),
    ):
        for answer in (Client().get(address), Client().post(address, {**ACCOUNT, "username": "eve", "email": ""})):
            assert answer.status_code == status
            assert said in answer.text
    assert not User.objects.filter(username="eve").exists()


def test_a_member_is_told_so_and_the_link_stays(client: Client, project: Project, manager: User) -> None:
    address = link(project, manager)
    client.force_login(manager)

    for answer in (client.get(address), client.post(address)):
        assert "You are already a member of this project" in answer.text
    assert Invitation.objects.get().accepted_at is None


def test_nobody_joins_an_archived_project(client: Client, project: Project, manager: User) -> None:
    address = link(project, manager)
    archive_project(project=project, by=manager)
    client.force_login(manager)

    assert "The project is archived" in Client().post(address, ACCOUNT).text
    assert make_link(client).status_code == 302
    assert Invitation.objects.count() == 1
    assert project.memberships.count() == 1


def test_links_are_revoked_and_made_anew(client: Client, project: Project, manager: User) -> None:
    old = link(project, manager)
    invitation = Invitation.objects.get()
    client.force_login(manager)

    renewed = client.post(reverse("invitation-renew", args=["letters", invitation.pk]))
    new = re.search(r"http://testserver(/invitations/[\w-]+/)", renewed.text)
    assert new
    assert Client().get(old).status_code == 404
    assert Client().get(new[1]).status_code == 200
    client.post(reverse("invitation-revoke", args=["letters", invitation.pk]))
    assert Client().get(new[1]).status_code == 410


def test_languages_of_a_member_are_set_on_the_page(client: Client, project: Project, manager: User) -> None:
    ana = Membership.objects.get(user=make_member(project))
    client.force_login(manager)

    said = client.post(reverse("member-languages", args=["letters", ana.pk]), {"languages": ["es"]}, follow=True).text

    ana.refresh_from_db()
    assert ana.languages == ["es"]
    assert "is assigned work in: es" in said
    client.force_login(ana.user)
    for language, status in (("es", 200), ("en", 403)):
        stage = project.stages.get(kind="correct", language=language)
        assert client.get(reverse("work", args=["letters", stage.pk])).status_code == status
        claimed = client.post(f"/api/v1/projects/letters/stages/{stage.pk}/claim/", {}, "application/json")
        assert claimed.status_code == status


def test_the_dashboard_offers_work_in_the_languages_of_a_member(client: Client, project: Project) -> None:
    make_sentence(project, language="es")
    ana = make_member(project)
    client.force_login(ana)
    dashboard = reverse("project", args=["letters"])
    work = reverse("work", args=["letters", stage_of(project, "correct").pk])
    assert work in client.get(dashboard).text

    Membership.objects.filter(user=ana).update(languages=["en"])

    assert work not in client.get(dashboard).text
    assert "all caught up" in client.get(dashboard).text
