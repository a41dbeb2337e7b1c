"""What a page merely holds in advance is nobody's work, on whatever counts work."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.models import Assignment, Project, Role, Stage, User
from annotator.work.queue.actions.assignments import claim
from tests.clients import client_of
from tests.factories import make_assignment, make_member, make_project, make_sentence, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project("letters")
    for _ in range(30):
        make_sentence(project)
    return project


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "correct")


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project)


@pytest.fixture
def mia(project: Project) -> User:
    return make_member(project, Role.MANAGER)


def look(stage: Stage, user: User) -> list[Assignment]:
    """What opening the workspace does."""
    return claim(stage=stage, user=user, count=20, now=timezone.now())


def page(user: User, name: str, *args: object) -> str:
    client = Client()
    client.force_login(user)
    return re.sub(r"\s+", " ", client.get(reverse(name, args=args)).text)


def told(user: User, stage: Stage) -> dict[str, int]:
    """What the API says of the stage."""
    answer = client_of(user).get("/api/v1/projects/letters/").json()
    [found] = [row["progress"] for row in answer["stages"] if row["id"] == stage.pk]
    return {name: found[name] for name in ("done", "open", "total")}


class TestDashboard:
    def test_after_a_mere_look_nothing_waits_and_all_is_free(self, stage: Stage, ana: User) -> None:
        before = page(ana, "project", "letters")
        assert "30 items are free." in before
        look(stage, ana)
        after = page(ana, "project", "letters")
        assert "waiting for you" not in after
        assert "30 items are free." in after

    def test_what_was_begun_waits_and_nothing_else(self, stage: Stage, ana: User) -> None:
        first, *_others = look(stage, ana)
        save(first, spans(), done=False)
        assert "1 item is waiting for you." in page(ana, "project", "letters")

    def test_what_somebody_was_given_waits_for_them(self, project: Project, stage: Stage, ana: User) -> None:
        make_assignment(make_sentence(project), ana, stage)
        look(stage, ana)
        assert "1 item is waiting for you." in page(ana, "project", "letters")

    def test_what_others_hold_cannot_be_had_for_now(self, stage: Stage, ana: User, mia: User) -> None:
        look(stage, ana)
        client = client_of(mia)
        client.post(f"/api/v1/projects/letters/stages/{stage.pk}/claim/", {"count": 3})
        assert "10 items are free." in page(mia, "job", "letters", _finished_import(stage.project).pk)

    @pytest.mark.parametrize("wanted", [1, 2])
    def test_of_a_stage_nothing_is_open(self, stage: Stage, ana: User, mia: User, wanted: int) -> None:
        stage.answers_wanted = wanted
        stage.save()
        stage.items.update(answers_wanted=wanted)
        look(stage, ana)
        assert "30 left" in page(mia, "project", "letters")
        assert "20 open" not in page(mia, "project", "letters")


def _finished_import(project: Project):  # type: ignore[no-untyped-def]
    from annotator.models import Job, JobKind, JobState

    return Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.DONE, params={}, result={})


class TestApi:
    def test_a_claim_says_that_nothing_is_open(self, stage: Stage, ana: User) -> None:
        answer = client_of(ana).post(f"/api/v1/projects/letters/stages/{stage.pk}/claim/", {"count": 20}).json()
        assert len(answer["items"]) == 20
        assert (answer["progress"]["done"], answer["progress"]["open"], answer["progress"]["total"]) == (0, 0, 30)
        assert told(ana, stage) == {"done": 0, "open": 0, "total": 30}

    def test_a_save_says_what_is_begun(self, stage: Stage, ana: User) -> None:
        first, second, *_others = look(stage, ana)
        sent = {"version": 0, "content": spans(), "done": False}
        path = "/api/v1/projects/letters/assignments/{}/save/"
        begun = client_of(ana).post(path.format(first.pk), sent).json()["progress"]
        assert (begun["done"], begun["open"]) == (0, 1)
        done = client_of(ana).post(path.format(second.pk), {**sent, "done": True}).json()["progress"]
        assert (done["done"], done["open"], done["mine"]) == (1, 1, 1)
        assert told(ana, stage) == {"done": 1, "open": 1, "total": 30}

    def test_own_items_are_those_that_something_was_done_to(self, stage: Stage, ana: User) -> None:
        first, second, *_others = look(stage, ana)
        path = f"/api/v1/projects/letters/stages/{stage.pk}/items/"
        assert client_of(ana).get(path).json()["results"] == []
        save(first, spans(), done=False)
        save(second, spans())
        assert [row["id"] for row in client_of(ana).get(path).json()["results"]] == [first.pk, second.pk]


class TestOtherPages:
    def test_my_items(self, project: Project, stage: Stage, ana: User) -> None:
        given = make_assignment(make_sentence(project, "Esto se me dio"), ana, stage)
        look(stage, ana)
        shown = page(ana, "items", "letters", stage.pk)
        assert f"?item={given.pk}" in shown
        assert len(set(re.findall(r"\?item=\d+", shown))) == 1

    def test_members_and_person(self, stage: Stage, ana: User, mia: User) -> None:
        look(stage, ana)
        assert not re.search(r">\s*20\s*<", page(mia, "members", "letters"))
        assert not re.search(r">\s*20\s*<", page(mia, "person", "letters", ana.pk))

    def test_projects(self, stage: Stage, ana: User) -> None:
        look(stage, ana)
        assert "20 open" not in page(ana, "projects")

    def test_what_removing_a_stage_would_take_back(self, stage: Stage, ana: User, mia: User) -> None:
        first, *_others = look(stage, ana)
        save(first, spans(), done=False)
        assert client_of(mia).get(f"/api/v1/projects/letters/stages/{stage.pk}/").json()["open"] == 1

    def test_what_somebody_gives_back(self, stage: Stage, ana: User) -> None:
        first, *_others = look(stage, ana)
        save(first, spans(), done=False)
        client = Client()
        client.force_login(ana)
        answer = client.post(reverse("hand-back", args=["letters", stage.pk]), {}, follow=True)
        assert "1 item returned to the queue" in answer.text
        # What the page holds goes back with it.
        assert not Assignment.objects.filter(user=ana, state="open").exists()
