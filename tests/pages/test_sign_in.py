from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotator.models import Role, User
from annotator.projects.actions.members import create_member_account
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"
# As `ACCOUNT_RATE_LIMITS` has them: by name and address, and by address alone.
LIMIT, ADDRESS_LIMIT = 10, 60


def sign_in(client: Client, username: str, password: str = PASSWORD, address: str = "127.0.0.1") -> Any:
    return client.post(reverse("sign-in"), {"username": username, "password": password}, REMOTE_ADDR=address)


def test_the_right_password_leads_to_the_page_that_was_asked_for(client: Client) -> None:
    make_user("ana")

    response = client.post(
        reverse("sign-in"), {"username": "ana", "password": PASSWORD, "next": "/projects/letters/jobs/"}
    )

    assert response.headers["Location"] == "/projects/letters/jobs/"


def test_nobody_is_led_to_another_site(client: Client) -> None:
    make_user("ana")

    response = client.post(
        reverse("sign-in"), {"username": "ana", "password": PASSWORD, "next": "https://evil.example/"}
    )

    assert response.headers["Location"] == reverse("projects")


def test_a_wrong_password_is_said_in_words_and_signs_nobody_in(client: Client) -> None:
    make_user("ana")

    response = sign_in(client, "ana", "guess")

    assert "do not match" in response.content.decode()
    assert client.get(reverse("projects")).status_code == 302


def test_after_many_failures_even_the_right_password_waits(client: Client) -> None:
    make_user("ana")
    for _attempt in range(LIMIT):
        sign_in(client, "ana", "guess")

    response = sign_in(client, "Ana")

    assert "Too many failed attempts" in response.content.decode()
    assert client.get(reverse("projects")).status_code == 302


def test_others_and_other_addresses_are_not_locked_out(client: Client) -> None:
    make_user("ana")
    make_user("ben")
    for _attempt in range(LIMIT):
        sign_in(client, "ana", "guess")

    assert sign_in(Client(), "ben").status_code == 302
    assert sign_in(Client(), "ana", address="10.0.0.9").status_code == 302


def test_signing_in_counts_as_no_failure(client: Client) -> None:
    make_user("ana")
    for _attempt in range(LIMIT + 1):
        assert sign_in(Client(), "ana").status_code == 302
    for _attempt in range(LIMIT - 1):
        sign_in(client, "ana", "guess")

    assert sign_in(Client(), "ana").status_code == 302


def test_an_account_made_by_a_manager_begins_with_a_password_of_its_own(client: Client) -> None:
    membership, password = create_member_account(project=make_project(), username="cam", role=Role.ANNOTATOR, by=None)

    first = sign_in(client, "cam", password)
    client.post(
        reverse("password"),
        {"oldpassword": password, "password1": PASSWORD, "password2": PASSWORD},
    )

    assert first.headers["Location"] == reverse("password")
    assert sign_in(Client(), "cam", password).status_code == 200
    assert sign_in(Client(), "cam").headers["Location"] == reverse("projects")
    membership.user.refresh_from_db()
    assert membership.user.check_password(PASSWORD)


def test_the_language_can_be_switched_before_signing_in(client: Client) -> None:
    client.post(reverse("set_language"), {"language": "es", "next": reverse("sign-in")})

    assert '<html lang="es">' in client.get(reverse("sign-in")).content.decode()


def test_signing_out_ends_the_session(client: Client) -> None:
    client.force_login(make_user())

    client.post(reverse("sign-out"))

    assert client.get(reverse("projects")).status_code == 302


def test_a_page_that_asks_again_is_loaded_anew_when_the_session_has_ended(client: Client) -> None:
    response = client.get(reverse("projects"), headers={"HX-Request": "true"}, follow=True)

    assert response.headers["HX-Refresh"] == "true"
    assert response.content == b""


def test_the_site_administration_has_no_sign_in_of_its_own(client: Client) -> None:
    make_user("admin", superuser=True)
    make_user("ana")

    asked = client.get("/admin/", follow=True)
    signed_in = client.post(asked.redirect_chain[-1][0], {"username": "admin", "password": PASSWORD})
    other = Client()
    sign_in(other, "ana")

    assert asked.redirect_chain[-1][0].startswith(reverse("sign-in"))
    assert signed_in.headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200
    # Whoever is signed in and is no admin is told so.
    assert other.get("/admin/", follow=True).status_code == 403


@pytest.mark.slow
def test_one_password_for_many_names_is_guessing_too(client: Client) -> None:
    make_user("ana")
    for number in range(ADDRESS_LIMIT):
        sign_in(client, f"somebody{number}", "guess")

    refused = sign_in(client, "ana")
    elsewhere = sign_in(client, "ana", address="192.0.2.7")

    assert "Too many failed attempts" in refused.content.decode()
    assert elsewhere.status_code == 302


def test_without_a_proxy_nobody_chooses_their_own_address(client: Client) -> None:
    make_user("ana")
    for number in range(LIMIT):
        client.post(
            reverse("sign-in"), {"username": "ana", "password": "guess"}, HTTP_X_FORWARDED_FOR=f"192.0.2.{number}"
        )

    assert "Too many failed attempts" in sign_in(client, "ana").content.decode()


def test_behind_a_proxy_its_word_counts_and_not_the_visitors(client: Client, settings: Any) -> None:
    settings.HTTPS = True
    make_user("ana")

    def try_from(forwarded: str, password: str) -> Any:
        return client.post(
            reverse("sign-in"), {"username": "ana", "password": password}, HTTP_X_FORWARDED_FOR=forwarded
        )

    for number in range(LIMIT):
        try_from(f"203.0.113.{number}, 192.0.2.1", "guess")

    assert "Too many failed attempts" in try_from("203.0.113.99, 192.0.2.1", PASSWORD).content.decode()
    assert try_from("192.0.2.8", PASSWORD).status_code == 302


def test_the_e_mail_address_does_for_the_name(client: Client) -> None:
    User.objects.create_user("ana", email="Ana@Example.org", password=PASSWORD)

    assert sign_in(client, "ana@example.org").status_code == 302
    assert sign_in(Client(), "ANA@example.org").status_code == 302
    assert sign_in(Client(), "ana@example.org", "guess").status_code == 200


def test_names_that_differ_in_capitals_alone_stay_two_people(client: Client) -> None:
    make_user("ana")
    other = User.objects.create_user("Ana", password="another horse battery")

    sign_in(client, "Ana", "another horse battery")

    assert client.get(reverse("projects")).wsgi_request.user == other
    assert sign_in(Client(), "ana").status_code == 302
    assert sign_in(Client(), "ana", "another horse battery").status_code == 200


def test_an_account_that_is_switched_off_is_told_so(client: Client) -> None:
    User.objects.create_user("ana", password=PASSWORD, is_active=False)

    said = client.post(reverse("sign-in"), {"username": "ana", "password": PASSWORD}, follow=True).text

    assert "deactivated" in said
    assert client.get(reverse("projects")).status_code == 302


def test_tokens_of_the_api_are_given_for_the_same_names(client: Client) -> None:
    User.objects.create_user("ana", email="ana@example.org", password=PASSWORD)

    for name in ("ana", "ana@example.org"):
        entry = {"username": name, "password": PASSWORD}
        assert client.post("/api/v1/token/", entry, content_type="application/json").status_code == 200


def test_no_cookie_has_a_name_that_another_tool_of_the_host_may_have(client: Client, settings: Settings) -> None:
    settings.SESSION_COOKIE_PATH = "/translatio"
    user = make_user("ana")
    user.set_password(PASSWORD)
    user.save()
    client.post(reverse("set_language"), {"language": "es"})
    client.get(reverse("sign-in"))
    client.post(reverse("sign-in"), {"username": "ana", "password": PASSWORD})
    names = set(client.cookies)
    assert {name.rpartition("_")[2] for name in names} >= {"session", "csrf", "language"}
    assert all(name.startswith("translatio_") for name in names), names


def test_what_the_next_page_says_is_in_a_cookie_of_the_sites_own(client: Client, settings: Settings) -> None:
    settings.SESSION_COOKIE_PATH = "/translatio"
    client.force_login(make_user("ana"))
    answer = client.post(reverse("account"), {"name": "Ana", "email": "", "password": "correct horse battery"})
    [told] = [cookie for name, cookie in answer.cookies.items() if name.endswith("_messages")]
    assert (told.key, told["path"]) == ("translatio_messages", "/translatio")
