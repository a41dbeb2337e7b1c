"""API tokens: what each opens, over all addresses, and how they end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotator.accounts.actions import MAX_TOKENS, create_token, mark_used, revoke_token
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.models import ApiToken, Event, Role, Scope
from tests.api.calls import Call, Scene, calls
from tests.clients import client_of
from tests.factories import make_member, make_project, make_token, make_user

pytestmark = pytest.mark.django_db
OUTSIDE_CALLS = (("post", "/api/v1/projects/"), ("put", "/api/v1/keys/"), ("post", "/api/v1/archives/"))


def client_with(secret: str) -> APIClient:
    client = APIClient()
    client.default_format = "json"
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def changes(call: Call) -> bool:
    return call.method != "get"


@pytest.mark.parametrize("scope", Scope.values)
def test_a_token_opens_what_its_scope_permits(scope: str) -> None:
    scene = Scene()
    scene.user.restores_projects = True
    scene.user.save()
    client = client_with(make_token(scene.user, scope)[1])
    for call in calls(scene):
        status = call.send(client, scene.project.slug).status_code
        beyond = changes(call) and (
            scope == Scope.READ or (scope == Scope.ANNOTATE and call.needs == Permission.MANAGE)
        )
        assert (status == 403) == beyond, (call, status)
    for method, address in OUTSIDE_CALLS:
        status = getattr(client, method)(address, {}).status_code
        assert (status == 403) == (scope != Scope.MANAGE), (address, status)
    assert client.get("/api/v1/projects/").status_code == 200
    # Beside the token's own, in the log.
    assert scope != Scope.READ or [event.verb for event in Event.objects.all()] == ["api_token.create"]


def test_a_token_never_opens_more_than_the_role() -> None:
    scene = Scene(role=Role.ANNOTATOR)
    client = client_with(make_token(scene.user)[1])
    for call in calls(scene):
        if call.needs in (Permission.ADJUDICATE, Permission.MANAGE):
            assert call.send(client, scene.project.slug).status_code == 403, call


def test_tokens_that_are_over_or_of_outsiders_open_nothing() -> None:
    scene = Scene()
    outsider = make_member(make_project(), Role.MANAGER)
    expired, late = make_token(scene.user, days=1)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now())
    revoked, gone = make_token(outsider)
    foreign = make_token(outsider)[1]
    revoke_token(token=revoked, by=outsider)
    for call in calls(scene):
        for secret, status in ((late, 401), (gone, 401), ("wrong", 401), (foreign, 404)):
            answer = call.send(client_with(secret), scene.project.slug)
            assert answer.status_code == status, (call, answer.content)
    assert "expired" in client_with(late).get("/api/v1/projects/").json()["error"]["message"]
    scene.user.is_active = False
    scene.user.save()
    secret = make_token(scene.user)[1]
    assert client_with(secret).get("/api/v1/projects/").status_code == 401


def test_a_token_of_one_project_opens_nothing_else() -> None:
    scene, elsewhere = Scene(), Scene()
    elsewhere.project.memberships.create(user=scene.user, role=Role.MANAGER)
    client = client_with(make_token(scene.user, project=scene.project)[1])
    for call in calls(elsewhere):
        assert call.send(client, elsewhere.project.slug).status_code == 403, call
    for method, address in (*OUTSIDE_CALLS, ("get", "/api/v1/projects/")):
        assert getattr(client, method)(address).status_code == 403, address
    assert client.get(f"/api/v1/projects/{scene.project.slug}/").status_code == 200
    # Whether there is such a project is not told.
    missing = client.get("/api/v1/projects/no-such-project/")
    assert missing.json() == client.get(f"/api/v1/projects/{elsewhere.project.slug}/").json()


def test_a_token_for_name_and_password_has_the_asked_scope() -> None:
    scene = Scene()
    sent = {"username": scene.user.username, "password": "correct horse battery"}
    asked = {**sent, "name": "nightly", "scope": "read", "project": scene.project.slug, "days": 7}
    secret = client_of().post("/api/v1/token/", asked).json()["token"]
    token = ApiToken.objects.get()
    assert (token.name, token.scope, token.project, token.user) == ("nightly", "read", scene.project, scene.user)
    assert token.expires_at is not None
    assert timedelta(days=6) < token.expires_at - timezone.now() <= timedelta(days=7)
    assert secret not in (token.secret_hash, str(Event.objects.get().after))
    assert client_of().post("/api/v1/token/", {**sent, "project": make_project().slug}).status_code == 404
    assert client_of().post("/api/v1/token/", {**sent, "scope": "all"}).status_code == 400
    assert ApiToken.objects.count() == 1


def test_the_last_use_is_noted_to_the_hour() -> None:
    user = make_user()
    token, secret = make_token(user)
    assert client_with(secret).get("/api/v1/projects/").status_code == 200
    token.refresh_from_db()
    assert token.used_at is not None
    before, now = token.used_at, timezone.now()
    mark_used(token=token, now=now + timedelta(minutes=59))
    token.refresh_from_db()
    assert token.used_at == before
    mark_used(token=token, now=now + timedelta(minutes=61))
    token.refresh_from_db()
    assert token.used_at == now + timedelta(minutes=61)


def test_nobody_has_too_many_and_expired_ones_make_room() -> None:
    user, now = make_user(), timezone.now()
    for _number in range(MAX_TOKENS):
        create_token(user=user, name="x", scope=Scope.READ, days=1, now=now)
    with pytest.raises(ActionError, match="at most 100"):
        create_token(user=user, name="x", scope=Scope.READ, now=now)
    create_token(user=user, name="x", scope=Scope.READ, now=now + timedelta(days=2))
    assert ApiToken.objects.filter(user=user).count() == 1
