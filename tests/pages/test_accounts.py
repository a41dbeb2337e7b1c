"""Passwords, accounts where the site is open, and one's own name and address."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from annotator.models import Event, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
NEW = "another horse battery"
ACCOUNT = {"username": "cam", "email": "Cam@Example.org", "password1": PASSWORD, "password2": PASSWORD}
FORGOTTEN = "account_reset_password"


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana", email="ana@example.org", password=PASSWORD)


@pytest.fixture
def sends_mail(settings: Any) -> None:
    settings.SENDS_MAIL = True


def ask(client: Client, email: str) -> Any:
    return client.post(reverse(FORGOTTEN), {"email": email}, follow=True)


def test_without_a_mail_server_the_page_says_so_and_who_can_help(client: Client, ana: User) -> None:
    for answer in (client.get(reverse(FORGOTTEN)), ask(client, "ana@example.org")):
        assert "This site has no mail server" in answer.text
        assert "manage.py changepassword" in answer.text
        assert 'name="email"' not in answer.text
    assert mail.outbox == []


@pytest.mark.usefixtures("sends_mail")
def test_the_link_sets_a_new_password_once(client: Client, ana: User) -> None:
    asked = ask(client, "Ana@example.org")

    [sent] = mail.outbox
    address = re.search(r"http://testserver(/password/new/\S+)", str(sent.body))
    assert address
    assert (sent.to, "ana" in str(sent.body)) == (["ana@example.org"], True)
    assert "Check your email" in asked.text
    form = client.get(address[1], follow=True)
    set_ = client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW}, follow=True)
    assert "Your password has been changed" in set_.text
    ana.refresh_from_db()
    assert ana.check_password(NEW)
    assert "no longer works" in Client().get(address[1], follow=True).text


@pytest.mark.usefixtures("sends_mail")
def test_nobody_learns_who_has_an_account(client: Client, ana: User) -> None:
    # The token that forms carry is another one each time.
    known, unknown = (
        re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", ask(Client(), email).text)
        for email in ("ana@example.org", "nobody@example.org")
    )

    assert known == unknown
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("sends_mail")
def test_one_address_is_not_flooded(client: Client, ana: User) -> None:
    answers = [ask(client, "ana@example.org").status_code for _time in range(7)]

    assert answers == [200] * 5 + [429] * 2
    assert len(mail.outbox) == 5
    assert "Too many attempts" in ask(client, "ana@example.org").text


@pytest.mark.usefixtures("sends_mail")
def test_a_mail_server_that_does_not_answer_is_said(client: Client, ana: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    assert "rejected the email" in ask(client, "ana@example.org").text


def test_a_password_is_changed_by_whoever_knows_it(client: Client, ana: User) -> None:
    client.force_login(ana)
    wrong = client.post(reverse("password"), {"oldpassword": "guess", "password1": NEW, "password2": NEW})
    assert "This password is not correct" in wrong.text
    weak = client.post(reverse("password"), {"oldpassword": PASSWORD, "password1": "ana", "password2": "ana"})
    assert "too short" in weak.text

    done = client.post(reverse("password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}, follow=True)

    assert "Your password has been changed" in done.text
    ana.refresh_from_db()
    assert ana.check_password(NEW)
    # At a screen that was left open nobody tries passwords for long.
    tries = [
        client.post(reverse("password"), {"oldpassword": "guess", "password1": NEW, "password2": NEW}).status_code
        for _time in range(10)
    ]
    assert tries[-1] == 429


def test_accounts_are_made_by_invitation_unless_the_site_says_otherwise(client: Client) -> None:
    for answer in (client.get(reverse("register")), client.post(reverse("register"), ACCOUNT)):
        assert answer.status_code == 403
        assert "Accounts are created by invitation" in answer.text
    assert reverse("register") not in client.get(reverse("sign-in")).text
    assert not User.objects.exists()


def test_an_open_site_lets_anybody_make_one(client: Client, settings: Any) -> None:
    settings.OPEN_REGISTRATION = True
    assert reverse("register") in client.get(reverse("sign-in")).text
    weak = client.post(reverse("register"), {**ACCOUNT, "password1": "password", "password2": "password"})
    assert "too common" in weak.text

    made = client.post(reverse("register"), ACCOUNT)

    assert made.headers["Location"] == reverse("projects")
    assert client.get(reverse("projects")).wsgi_request.user.username == "cam"
    assert User.objects.get().email == "cam@example.org"
    assert Event.objects.get(verb="user.register").actor == User.objects.get()


def test_name_and_e_mail_are_changed_by_whoever_knows_the_password(client: Client, ana: User) -> None:
    ben = make_user("ben")
    User.objects.filter(pk=ben.pk).update(email="ben@example.org")
    client.force_login(ana)
    new = {"name": "Ana Ruiz", "email": "Ruiz@Example.org"}

    refused = client.post(reverse("account"), {**new, "password": "guess"})
    taken = client.post(reverse("account"), {**new, "email": "BEN@example.org", "password": PASSWORD})
    ana.refresh_from_db()
    assert (refused.status_code, taken.status_code, ana.email) == (422, 422, "ana@example.org")
    client.post(reverse("account"), {**new, "password": PASSWORD})

    ana.refresh_from_db()
    assert (ana.get_full_name(), ana.email) == ("Ana Ruiz", "ruiz@example.org")
    event = Event.objects.get(verb="user.change")
    assert (event.actor, event.after) == (ana, {"changed": ["name", "email"]})
    entry = {"username": "ruiz@example.org", "password": PASSWORD}
    assert Client().post(reverse("sign-in"), entry).status_code == 302
    entry["username"] = "ana@example.org"
    assert Client().post(reverse("sign-in"), entry).status_code == 200
