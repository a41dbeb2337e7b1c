"""Assigning work, progress and releases by calls."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.models import Assignment, Event, Job, JobState, Project, Role
from annotator.work.answering.actions.annotations import save_annotation
from tests.api.calls import Scene
from tests.clients import client_of
from tests.factories import make_assignment, make_member, make_project, make_release, make_sentence, stage_of

pytestmark = pytest.mark.django_db


def call(project: Project, path: str, body: Any = None) -> Any:
    manager = project.memberships.filter(role=Role.MANAGER).first()
    client = client_of(manager.user)
    address = f"/api/v1/projects/{project.slug}/{path}"
    return client.get(address) if body is None else client.post(address, body)


@pytest.fixture
def project() -> Project:
    made = make_project()
    make_member(made, Role.MANAGER)
    for name in ("ana", "ben", "eva"):
        make_member(made, username=name)
    for _number in range(10):
        make_sentence(made)
    return made


def given(project: Project) -> dict[str, int]:
    rows = Assignment.objects.filter(project=project, state="open").values_list("user__username", flat=True)
    return {name: list(rows).count(name) for name in set(rows)}


def test_work_is_assigned_as_counted_before_moved_and_taken_back(project: Project) -> None:
    stage = f"stages/{stage_of(project, 'correct').pk}/assign/"
    wanted = {"users": ["ana", "ben"], "amount": "number", "number": 6, "seed": 7}

    plan = call(project, stage, {**wanted, "dry_run": True}).json()
    assert {part["user"]: part["items"] for part in plan["plan"]["people"]} == {"ana": 3, "ben": 3}
    assert (plan["plan"]["total"], plan["key"], given(project)) == (10, None, {})

    done = call(project, stage, wanted).json()
    assert done["given"] == given(project) == {"ana": 3, "ben": 3}
    listed = call(project, stage).json()
    assert {(row["user"], row["items"]) for row in listed["unstarted"]} == {("ana", 3), ("ben", 3)}
    assert set(listed["people"]) > {"ana", "ben", "eva"}

    moved = call(project, f"{stage}move/", {"user": "ana", "mode": "review", "to": "eva", "count": 2}).json()
    assert (moved, given(project)) == ({"moved": 2, "refused": 0}, {"ana": 1, "ben": 3, "eva": 2})
    undone = call(project, f"{stage}{done['key']}/undo/", {}).json()
    assert undone["returned"] >= 4


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"users": ["nobody"]}, "users"),
        ({"users": []}, "users"),
        ({"amount": "share", "number": 101}, "number"),
        ({"strata": ["moon"]}, "strata.0"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_cannot_be_assigned_changes_nothing(project: Project, wrong: dict[str, Any], field: str) -> None:
    stage = f"stages/{stage_of(project, 'correct').pk}/assign/"
    refused = call(project, stage, {"users": ["ana"], "amount": "number", "number": 1, **wrong})
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (400, [field])
    assert not Event.objects.exists()


def test_progress_is_told_by_stage_language_and_person(project: Project) -> None:
    ana = project.memberships.get(user__username="ana").user
    sentence = project.sentences.order_by("pk")[0]
    row = make_assignment(sentence, ana, stage_of(project, "correct"))
    save_annotation(
        project=project, assignment=row.pk, by=ana, now=timezone.now(), version=0, content={"spans": []}, done=True
    )
    found = call(project, "progress/").json()
    assert [one["user"] for one in found["people"]] == ["ana"]
    assert {"es", "en"} <= {one["language"] for one in found["languages"]}


def test_a_failed_job_is_retried() -> None:
    scene = Scene()
    Job.objects.filter(pk=scene.job.pk).update(state=JobState.FAILED)
    found = call(scene.project, f"jobs/{scene.job.pk}/retry/", {}).json()
    assert found["state"] == "queued"
    assert call(scene.project, f"jobs/{scene.job.pk}/retry/", {}).status_code == 400


def test_jobs_are_started_by_kind_and_settings(project: Project) -> None:
    body = {"kind": "project", "params": {"source": "es", "target": "en"}}
    started = call(project, "jobs/", body).json()
    assert (started["kind"], started["params"]["source"]) == ("project", "es")
    assert call(project, "jobs/", body).status_code == 400
    for wrong in ({"kind": "delete"}, {"kind": "train", "params": {"language": ["es"]}}, {"kind": "release", "x": 1}):
        assert call(project, "jobs/", wrong).status_code == 400
    assert Job.objects.count() == 1


def test_releases_are_listed_looked_into_and_downloaded_by_those_who_may(project: Project) -> None:
    make_release(project, manifest={"files": {"answers/x.jsonl": {}}, "left_out": [{"id": "a"}]})
    listed = call(project, "releases/").json()["releases"]
    assert [(row["number"], row["refusal"]) for row in listed] == [(1, "")]
    assert "left_out" not in call(project, "releases/1/").json()["manifest"]
    sent = call(project, "releases/1/file/")
    assert b"".join(sent.streaming_content) == b"PK a release"
    ana = client_of(project.memberships.get(user__username="ana").user)
    # It has tables of other people's answers.
    address = f"/api/v1/projects/{project.slug}/releases/"
    assert "adjudicators" in ana.get(address).json()["releases"][0]["refusal"]
    assert [ana.get(f"{address}1/{part}").status_code for part in ("", "file/")] == [403, 403]


def test_open_items_are_returned_by_their_person_and_unassigned_by_managers(project: Project) -> None:
    stage = stage_of(project, "correct")
    ana, ben = (project.memberships.get(user__username=name).user for name in ("ana", "ben"))
    rows = [make_assignment(make_sentence(project), ana, stage) for _number in range(3)]
    blind = make_assignment(make_sentence(project), ana, stage, mode="blind")
    theirs = make_assignment(make_sentence(project), ben, stage)
    at, mine = f"/api/v1/projects/{project.slug}/stages/{stage.pk}/", client_of(ana)
    for wrong in (theirs.pk, blind.pk):
        assert mine.post(f"{at}return/", {"assignment": wrong}).json() == {"returned": 0}
    assert mine.post(f"{at}return/", {"assignment": rows[0].pk}).json() == {"returned": 1}
    assert given(project) == {"ana": 3, "ben": 1}
    assert mine.post(f"{at}return/", {}).json() == {"returned": 2}
    assert mine.post(f"{at}unassign/", {"user": "ben"}).status_code == 403

    assert call(project, f"stages/{stage.pk}/unassign/", {"user": "ben"}).json() == {"returned": 1}
    assert call(project, f"stages/{stage.pk}/unassign/", {"user": "ana", "mode": "blind"}).json() == {"returned": 1}
    assert given(project) == {}
    assert call(project, f"stages/{stage.pk}/unassign/", {"user": "zoe"}).status_code == 400
