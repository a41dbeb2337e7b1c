"""The page of one's own API tokens."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import ApiToken, Event, Role, User
from tests.factories import make_member, make_project, make_token

pytestmark = pytest.mark.django_db
NEW = {"name": "nightly", "scope": "read", "project": "", "days": "30", "password": "correct horse battery"}


@pytest.fixture
def ana(client: Client) -> User:
    user = make_member(make_project("letters"), Role.ANNOTATOR, username="ana")
    client.force_login(user)
    return user


def test_a_token_is_shown_once_and_works(client: Client, ana: User) -> None:
    made = client.post(reverse("tokens"), NEW)
    [secret] = re.findall(r'id="secret"[^>]*value="([^"]+)"', made.text)
    assert "no-store" in made.headers["Cache-Control"]
    listed = client.get(reverse("tokens")).text
    assert ("nightly" in listed, secret in listed) == (True, False)
    answer = Client().get("/api/v1/projects/", headers={"Authorization": f"Token {secret}"})
    assert answer.status_code == 200
    event = Event.objects.get()
    assert (event.verb, event.actor, event.after["scope"]) == ("api_token.create", ana, "read")


@pytest.mark.parametrize("wrong", [{"password": "guess"}, {"scope": "all"}, {"project": "other"}, {"days": "7"}])
def test_what_is_wrong_makes_no_token(client: Client, ana: User, wrong: dict[str, str]) -> None:
    other = make_project()
    sent = {**NEW, **wrong}
    if "project" in wrong:
        sent["project"] = str(other.pk)
    assert client.post(reverse("tokens"), sent).status_code == 422
    assert not ApiToken.objects.exists()


def test_passwords_cannot_be_tried_for_long(client: Client, ana: User) -> None:
    tries = [client.post(reverse("tokens"), {**NEW, "password": "guess"}).status_code for _time in range(11)]
    assert tries[-1] == 429


def test_one_revokes_ones_own_and_nobody_elses(client: Client, ana: User) -> None:
    own, secret = make_token(ana)
    foreign, _secret = make_token(make_member(make_project()))
    assert client.post(reverse("token-revoke", args=[foreign.pk])).status_code == 404
    client.post(reverse("token-revoke", args=[own.pk]))
    assert list(ApiToken.objects.all()) == [foreign]
    assert Client().get("/api/v1/projects/", headers={"Authorization": f"Token {secret}"}).status_code == 401
    assert Event.objects.filter(verb="api_token.revoke", actor=ana, subject_id=own.pk).exists()
