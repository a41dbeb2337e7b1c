"""POSTs with an `Idempotency-Key` take effect once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from annotator.models import Event, ImportDraft, Job, Project, Role, StoredAnswer
from annotator.tasks import sweep_files
from annotator.web.repeats import KEPT_FOR, begin_call
from tests.api.calls import Scene, calls
from tests.clients import client_of
from tests.factories import make_member
from tests.site import Site

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "6f1c"}


def test_the_same_call_gets_the_first_answer_again_at_every_address() -> None:
    scene = Scene()
    scene.user.creates_projects = True
    scene.user.save()
    client, slug = client_of(scene.user), scene.project.slug
    stored = 0
    for number, call in enumerate(call for call in calls(scene) if call.method == "post" and call.format is None):
        headers = {"Idempotency-Key": f"call {number}"}
        first = client.post(call.address(slug), call.body, headers=headers)
        events, jobs, projects = Event.objects.count(), Job.objects.count(), Project.objects.count()
        again = client.post(call.address(slug), call.body, headers=headers)
        if first.status_code in (200, 202):
            stored += 1
            # Nobody is told the link of an invitation again.
            told = first.json() | ({"link": ""} if "link" in first.json() else {})
            assert (again.status_code, again.json()) == (first.status_code, told), call
            assert again.headers["Content-Type"] == first.headers["Content-Type"]
            assert (Event.objects.count(), Job.objects.count(), Project.objects.count()) == (events, jobs, projects)
        else:
            assert again.json() == first.json(), call
    assert stored > 25
    assert StoredAnswer.objects.count() == stored


def test_another_body_or_address_is_refused() -> None:
    scene = Scene()
    client, slug = client_of(scene.user), scene.project.slug
    address = f"/api/v1/projects/{slug}/imports/drafts/"
    assert client.post(address, {"dataset": "news"}, headers=KEY).status_code == 200
    drafts = ImportDraft.objects.count()
    for where, body in ((address, {"dataset": "other"}), (f"/api/v1/projects/{slug}/settings/", {"dataset": "news"})):
        refused = client.post(where, body, headers=KEY)
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "key_used")
    assert ImportDraft.objects.count() == drafts
    # Somebody else's keys are theirs.
    colleague = client_of(make_member(scene.project, Role.MANAGER))
    assert colleague.post(address, {"dataset": "other"}, headers=KEY).status_code == 200


def test_while_the_first_runs_others_wait() -> None:
    scene = Scene()
    client, slug = client_of(scene.user), scene.project.slug
    address = f"/api/v1/projects/{slug}/imports/drafts/"
    client.post(address, {"dataset": "news"}, headers=KEY)
    StoredAnswer.objects.update(status=None, answer="")
    drafts = ImportDraft.objects.count()
    running = client.post(address, {"dataset": "news"}, headers=KEY)
    assert (running.status_code, running.json()["error"]["code"]) == (409, "running")
    assert ImportDraft.objects.count() == drafts


def test_a_refused_call_leaves_its_key_free() -> None:
    scene = Scene()
    client, slug = client_of(scene.user), scene.project.slug
    address = f"/api/v1/projects/{slug}/settings/"
    assert client.post(address, {"train_every": -1}, headers=KEY).status_code == 400
    assert not StoredAnswer.objects.exists()
    assert client.post(address, {"train_every": 4}, headers=KEY).status_code == 200


def test_files_are_compared_by_their_content() -> None:
    scene = Scene()
    client, slug = client_of(scene.user), scene.project.slug
    address = f"/api/v1/projects/{slug}/imports/drafts/{scene.draft.pk}/files/"

    def send(content: bytes) -> int:
        files = {"files": [SimpleUploadedFile("more.txt", content)]}
        return int(client.post(address, files, format="multipart", headers=KEY).status_code)

    assert [send(b"Otra frase .\n"), send(b"Otra frase .\n"), send(b"Otra cosa .\n")] == [200, 200, 422]
    scene.draft.refresh_from_db()
    assert [one["name"] for one in scene.draft.files].count("more.txt") == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "ñ", "a\tb"])
def test_odd_keys_are_refused(key: str) -> None:
    scene = Scene()
    address = f"/api/v1/projects/{scene.project.slug}/settings/"
    answer = client_of(scene.user).post(address, {"train_every": 4}, HTTP_IDEMPOTENCY_KEY=key)
    assert answer.status_code == 400
    assert not StoredAnswer.objects.exists()


def test_answers_are_kept_for_a_day() -> None:
    scene, now = Scene(), timezone.now()
    begin_call(user=scene.user, key="old", request_hash="1", now=now - KEPT_FOR)
    begin_call(user=scene.user, key="new", request_hash="1", now=now - KEPT_FOR + timedelta(hours=1))
    # An old one gives way before it is swept.
    assert begin_call(user=scene.user, key="old", request_hash="2", now=now)[1]
    StoredAnswer.objects.filter(key="old").update(created_at=now - KEPT_FOR)
    sweep_files()
    assert [row.key for row in StoredAnswer.objects.all()] == ["new"]


AT_ONCE = """
import json, threading
from collections import Counter
from django.db import connection
from rest_framework.test import APIClient
from annotator.models import *
from tests.factories import *
project = make_project("letters")
secret = make_token(make_member(project, "manager"))[1]
start, found = threading.Barrier(6), []

def send():
    client = APIClient(SERVER_NAME="localhost")
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}", HTTP_IDEMPOTENCY_KEY="once")
    start.wait()
    try:
        answer = client.post("/api/v1/projects/letters/imports/drafts/", {"dataset": "news"}, format="json")
        found.append(answer.status_code)
    finally:
        connection.close()

threads = [threading.Thread(target=send) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps({"statuses": sorted(set(found)), "answers": len(found), "drafts": ImportDraft.objects.count()}))
"""


def test_two_at_once_are_one(any_site: Site) -> None:
    found = any_site.python(AT_ONCE)
    assert found["drafts"] == 1
    assert found["answers"] == 6
    assert set(found["statuses"]) <= {200, 409}
