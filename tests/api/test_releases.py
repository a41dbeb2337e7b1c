"""Releases and members through the API: made, listed, downloaded; who may."""

from __future__ import annotations

import pytest

from annotator.jobs.running import run_job
from annotator.models import Event, Job, Mode, Project, Role
from tests.clients import client_of
from tests.factories import make_assignment, make_gold, make_member, make_project, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db
BASE = "/api/v1/projects/corpus/"


@pytest.fixture
def project() -> Project:
    return make_project("corpus")


def test_a_release_is_made_listed_and_downloaded(project: Project) -> None:
    make_gold(make_sentence(project))
    client = client_of(make_member(project, Role.MANAGER))

    job = client.post(f"{BASE}releases/", {"partial": True}).json()
    run_job(job["id"], worker="one")

    [row] = client.get(f"{BASE}releases/").json()["releases"]
    assert (row["number"], row["job"], row["partial"], row["file"]) == (1, job["id"], True, "corpus-1.zip")
    file = client.get(f"{BASE}releases/1/file/")
    content = b"".join(file.streaming_content)
    assert (len(content), content[:2]) == (row["size"], b"PK")
    assert client.get(f"{BASE}releases/2/file/").status_code == 404


def test_a_release_starts_for_managers_alone_and_with_settings_that_are(project: Project) -> None:
    refused = client_of(make_member(project, Role.ADJUDICATOR)).post(f"{BASE}releases/", {"partial": True})
    wrong = client_of(make_member(project, Role.MANAGER)).post(f"{BASE}releases/", {"splits": [77]})

    assert (refused.status_code, wrong.status_code) == (403, 400)
    assert not Job.objects.exists()


def test_who_answers_blind_gets_no_file(project: Project) -> None:
    sentence = make_sentence(project)
    make_gold(sentence)
    manager, blind = make_member(project, Role.MANAGER), make_member(project)
    job = client_of(manager).post(f"{BASE}releases/", {"partial": True}).json()
    run_job(job["id"], worker="one")
    make_assignment(sentence, blind, stage_of(project, "correct"), mode=Mode.BLIND)

    answer = client_of(blind).get(f"{BASE}releases/1/file/")

    assert answer.status_code == 403
    assert set(client_of(blind).get(f"{BASE}releases/").json()["releases"][0]) == {
        "number", "job", "partial", "file", "size", "sha256", "created_at",
    }  # fmt: skip


def test_a_manager_adds_who_has_an_account(project: Project) -> None:
    client, ana = client_of(make_member(project, Role.MANAGER, "mara")), make_user("ana")

    added = client.post(f"{BASE}members/", {"username": "ana", "role": "adjudicator"})
    nobody = client.post(f"{BASE}members/", {"username": "zoe"})
    again = client.post(f"{BASE}members/", {"username": "ana"})

    assert added.json() == {"id": ana.pk, "username": "ana", "role": "adjudicator", "languages": []}
    assert (nobody.status_code, again.status_code) == (400, 400)
    assert "“zoe”" in nobody.json()["error"]["message"]
    assert [row["username"] for row in client.get(f"{BASE}members/").json()["members"]] == ["ana", "mara"]
    assert Event.objects.filter(verb="member.add", subject_type="membership").count() == 1
