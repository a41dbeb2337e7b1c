"""ETags of reads, and writes over what was seen alone."""

from __future__ import annotations

import pytest
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from annotator.models import Event, Project
from annotator.work.answering.actions.annotations import save_annotation
from api.v1 import urls
from api.v1.views.base import ApiView
from tests.api.calls import Call, Scene, calls
from tests.clients import client_of

pytestmark = pytest.mark.django_db
# They have nothing that changes, or no person.
PLAIN = {"token", "schema", "docs", "nothing"}


def views(patterns: list[URLPattern | URLResolver]) -> dict[str, type]:
    found: dict[str, type] = {}
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= views(pattern.url_patterns)
        else:
            found[str(pattern.name)] = pattern.callback.cls
    return found


def test_every_address_has_the_common_mechanisms() -> None:
    assert {name for name, view in views(urls.urlpatterns).items() if not issubclass(view, ApiView)} == PLAIN


def test_every_read_has_an_etag_and_is_not_sent_twice() -> None:
    scene = Scene()
    client = client_of(scene.user)
    tagged = 0
    for call in calls(scene):
        answer = call.send(client, scene.project.slug)
        if call.method != "get" or answer.status_code != 200 or answer.headers["Content-Type"] != "application/json":
            continue
        tagged += 1
        address = call.address(scene.project.slug)
        for sent in (answer.headers["ETag"], f'"other", W/{answer.headers["ETag"]}', "*"):
            again = client.get(address, headers={"If-None-Match": sent})
            assert (again.status_code, again.content) == (304, b""), call
            assert again.headers["ETag"] == answer.headers["ETag"]
        assert client.get(address, headers={"If-None-Match": '"other"'}).json() == answer.json()
    assert tagged > 20


def test_the_etag_of_an_item_is_its_revision_and_all_that_is_shown() -> None:
    scene = Scene()
    client = client_of(scene.user)
    address = Call("assignment", "get", calls(scene)[0].needs, {"pk": scene.of_sentence.pk}).address(scene.project.slug)
    first = client.get(address).headers["ETag"]
    assert first.startswith('"0-')
    save_annotation(
        project=scene.project, assignment=scene.of_sentence.pk, by=scene.user, now=timezone.now(),
        version=0, content={"spans": []}, done=True,
    )  # fmt: skip
    after = client.get(address, headers={"If-None-Match": first})
    assert after.status_code == 200
    assert after.headers["ETag"].startswith('"1-')


def test_a_write_over_something_else_than_what_was_seen_changes_nothing() -> None:
    scene = Scene()
    client, slug = client_of(scene.user), scene.project.slug
    for address, method, body in (
        (f"/api/v1/projects/{slug}/settings/", "post", {"name": "Ours"}),
        (f"/api/v1/projects/{slug}/imports/{scene.imported.pk}/", "patch", {"licence": "CC0"}),
        (f"/api/v1/projects/{slug}/stages/{scene.stage.pk}/", "patch", {"context": "nothing"}),
    ):
        send = getattr(client, method)
        seen = client.get(address).headers["ETag"]
        before = client.get(address).json()
        refused = send(address, body, headers={"If-Match": '"other"'})
        assert (refused.status_code, refused.json()["error"]["code"]) == (412, "changed"), address
        assert "Read it again" in refused.json()["error"]["message"]
        assert client.get(address).json() == before
        assert send(address, body, headers={"If-Match": f'"other", W/{seen}'}).status_code == 200, address
        assert send(address, body, headers={"If-Match": "*"}).status_code == 200, address
    Project.objects.filter(pk=scene.project.pk).update(name="Theirs")
    address = f"/api/v1/projects/{slug}/settings/"
    seen = client.get(address).headers["ETag"]
    client.post(address, {"name": "Again"})
    assert client.post(address, {"name": "Mine"}, headers={"If-Match": seen}).status_code == 412
    assert Project.objects.get(pk=scene.project.pk).name == "Again"


def test_calls_with_a_version_of_their_own_take_no_etag() -> None:
    scene = Scene()
    client = client_of(scene.user)
    for call in calls(scene):
        if call.name in ("save", "gold", "labels", "text"):
            answer = client.post(call.address(scene.project.slug), call.body, headers={"If-Match": '"1"'})
            assert (answer.status_code, "version in its body" in answer.json()["error"]["message"]) == (400, True)
    assert not Event.objects.exists()
