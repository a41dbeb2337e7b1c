"""Invitations by calls."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Event, Invitation, Project, Role, StoredAnswer
from tests.clients import client_of
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db


def call(project: Project, path: str = "", body: Any = None, key: str = "") -> Any:
    client = client_of(project.memberships.get(role=Role.MANAGER).user)
    address = f"/api/v1/projects/{project.slug}/invitations/{path}"
    headers = {"Idempotency-Key": key} if key else {}
    return client.get(address) if body is None else client.post(address, body, headers=headers)


@pytest.fixture
def project() -> Project:
    made = make_project("letters")
    make_member(made, Role.MANAGER, username="mara")
    return made


def test_a_link_is_told_once_and_lets_one_person_join(project: Project) -> None:
    made = call(project, body={"role": "adjudicator", "languages": ["es"], "days": 3}, key="once").json()
    assert (made["role"], made["languages"], made["state"], made["invited_by"]) == (
        "adjudicator", ["es"], "open", "mara",
    )  # fmt: skip
    row = Invitation.objects.get()
    assert row.expires_at - row.created_at == pytest.approx(timedelta(days=3), abs=timedelta(minutes=1))
    secret = made["link"].rstrip("/").rsplit("/", 1)[1]
    assert row.secret_hash == Invitation.hashed(secret)

    again = call(project, body={"role": "adjudicator", "languages": ["es"], "days": 3}, key="once").json()
    assert again == {**made, "link": ""}
    assert secret not in StoredAnswer.objects.get().answer
    [listed] = call(project).json()["invitations"]
    assert listed == {name: value for name, value in made.items() if name != "link"}

    ana = make_user("ana")
    page = Client()
    page.force_login(ana)
    page.post(reverse("invitation", args=[secret]))
    assert project.memberships.get(user=ana).role == "adjudicator"
    [listed] = call(project).json()["invitations"]
    assert (listed["state"], listed["accepted_by"]) == ("accepted", "ana")
    assert call(project, f"{listed['id']}/revoke/", {}).status_code == 400


def test_a_renewed_or_revoked_link_does_not_work(project: Project) -> None:
    made = call(project, body={}).json()
    renewed = call(project, f"{made['id']}/renew/", {}).json()
    assert renewed["link"] != made["link"]
    assert Client().get(made["link"]).status_code == 404
    assert Client().get(renewed["link"]).status_code == 200
    revoked = call(project, f"{made['id']}/revoke/", {}).json()
    assert (revoked["state"], "link" in revoked) == ("revoked", False)
    assert Client().get(renewed["link"]).status_code == 410
    assert call(project, f"{made['id']}/renew/", {}).status_code == 400


def test_what_cannot_be_makes_none(project: Project) -> None:
    for body in ({"role": "x"}, {"languages": ["fr"]}, {"days": 0}, {"days": 91}, {"email": "nobody"}):
        assert call(project, body=body).status_code == 400
    assert not Invitation.objects.exists()
    assert not Event.objects.exists()
