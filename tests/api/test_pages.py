"""Lists page by page, while rows are added."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode

import pytest

from annotator.models import Job, JobKind, JobState, Project, Role
from tests.api.calls import Scene
from tests.clients import client_of
from tests.factories import make_member, make_project, make_user

pytestmark = pytest.mark.django_db
LISTS = {"jobs": "results", "imports": "imports", "imports/drafts": "drafts", "archives": "archives",
         "splits": "splits", "agreement/studies": "studies"}  # fmt: skip
ODD = ["x", "W10=", "bnVsbA==", "é", "[" * 900] + [
    urlsafe_b64encode(json.dumps(value).encode()).decode()
    for value in (["a"], [True], [-1], [2**63], [1.5], [1, 2], [[1]], {"a": 1}, 7, ["a\x00", 1], [None, 1])
]


def test_every_job_comes_once_while_others_are_added() -> None:
    project = make_project()
    client = client_of(make_member(project))
    there = [Job.objects.create(project=project, kind=JobKind.PREDICT).pk for _number in range(5)]
    seen, address = [], f"/api/v1/projects/{project.slug}/jobs/?page_size=2"
    while address:
        page = client.get(address).json()
        seen += [row["id"] for row in page["results"]]
        Job.objects.create(project=project, kind=JobKind.PREDICT)
        address = page["next"]
    assert seen == there[::-1]


def test_projects_come_by_name_where_names_are_alike() -> None:
    user = make_user()
    names = ["b", "a", "b", "c", "b"]
    for name in names:
        project = make_project()
        Project.objects.filter(pk=project.pk).update(name=name)
        project.memberships.create(user=user, role=Role.ANNOTATOR)
    seen, address = [], "/api/v1/projects/?page_size=2"
    while address:
        page = client_of(user).get(address).json()
        seen += [(row["name"], row["slug"]) for row in page["results"]]
        address = page["next"]
    assert [name for name, _slug in seen] == sorted(names)
    assert len(set(seen)) == 5


def test_jobs_are_filtered() -> None:
    project = make_project()
    client = client_of(make_member(project))
    wanted = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.FAILED)
    Job.objects.create(project=project, kind=JobKind.PREDICT)
    Job.objects.create(project=project, kind=JobKind.TRAIN, state=JobState.FAILED)
    address = f"/api/v1/projects/{project.slug}/jobs/"
    found = client.get(f"{address}?kind=predict&state=failed").json()["results"]
    assert [row["id"] for row in found] == [wanted.pk]
    assert client.get(f"{address}?state=gone").status_code == 400


def test_all_lists_refuse_odd_cursors_sizes_and_numbers_of_pages() -> None:
    scene = Scene()
    client = client_of(scene.user)
    addresses = {f"/api/v1/projects/{scene.project.slug}/{part}/": name for part, name in LISTS.items()}
    for address, name in {**addresses, "/api/v1/projects/": "results"}.items():
        assert client.get(address).json()[name], address
        for cursor in ODD:
            answer = client.get(address, {"cursor": cursor})
            assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["cursor"]), (address, cursor)
        for query in ("page=2", "page_size=0", "page_size=201", "page_size=x"):
            assert client.get(f"{address}?{query}").status_code == 400, (address, query)
