"""The page and the calls of agreement: what is computed at once, what a job stores, and who sees what of it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.jobs.running import run_job
from annotator.models import AgreementRun, Event, Job, JobKind, Mode, Project, Role, User
from annotator.reports.actions import store_run
from annotator.reports.queries import agreement_runs
from annotator.reports.queries.agreement import question
from annotator.reports.queries.agreement_runs import Computed, compute
from tests.clients import client_of
from tests.factories import (
    make_annotation,
    make_assignment,
    make_member,
    make_project,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.pages.test_cost import fill, statements, work_on
from tests.saving import save

pytestmark = pytest.mark.django_db

PAGE = reverse("agreement", args=["letters"])
COMPUTE = reverse("agreement-compute", args=["letters"])
CALL = "/api/v1/projects/letters/agreement/"
CHOICE = {"a": "ana", "b": "ben", "layer": "tokens", "language": "es"}
# Five of them are for the matrix of people, one asks whether the reader still answers blind.
MAX_OF_THE_PAGE = 36
WRITES = ("INSERT", "UPDATE", "DELETE")


@pytest.fixture
def people(project: Project) -> list[User]:
    """Ana and Ben, who share two sentences: they agree on one."""
    found = [make_member(project, username=name) for name in ("ana", "ben")]
    for labels in ((0, 0), (0, 1)):
        sentence = make_sentence(project, "Uno dos")
        for user, token in zip(found, labels, strict=True):
            make_assignment(sentence, user, stage_of(project, "correct"), mode=Mode.BLIND, done=True)
            make_annotation(sentence, user, [span(token)], mode=Mode.BLIND)
    return found


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, "judge")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two shared items are too many to compare at once."""
    monkeypatch.setattr(agreement_runs, "MAX_INLINE", 1)


def computed(project: Project) -> Computed:
    a, b = (User.objects.get(username=name) for name in ("ana", "ben"))
    return compute(question(project, a=a, b=b, layer="tokens", language="es"), now=timezone.now())


def stored(project: Project) -> AgreementRun:
    return store_run(computed=computed(project), by=None)


def page(client: Client, user: User, **more: str) -> str:
    client.force_login(user)
    # The age has spaces at which lines do not break.
    return re.sub(r"\s+", " ", client.get(PAGE, {**CHOICE, **more}).content.decode())


def kappa(project: Project) -> str:
    return f"{computed(project).agreement.overall.kappa.value:.2f}"


@pytest.mark.usefixtures("people")
class TestSmall:
    def test_it_is_computed_for_the_page_and_stored_by_the_button(
        self, client: Client, project: Project, judge: User
    ) -> None:
        text = page(client, judge)

        assert "Computed now, from 2 items." in text
        assert f'<td class="n">{kappa(project)}</td>' in text
        assert not AgreementRun.objects.exists()

        for _time in range(2):
            answer = client.post(COMPUTE, CHOICE)
            assert answer.status_code == 302
            assert answer["Location"] == f"{PAGE}?layer=tokens&a=ana&b=ben&language=es"
        run = AgreementRun.objects.get()
        assert (run.computed_by, run.a.username, run.b.username, run.units) == (judge, "ana", "ben", 2)
        assert not Job.objects.exists()
        text = page(client, judge)
        assert "The same answers were stored on" in text
        assert COMPUTE not in text

    def test_a_choice_that_makes_no_sense_stores_nothing(self, client: Client, judge: User) -> None:
        client.force_login(judge)
        answer = client.post(COMPUTE, {**CHOICE, "b": "ana"}, follow=True)
        assert "Choose two different people" in answer.content.decode()
        assert not AgreementRun.objects.exists()

    def test_the_api_stores_it_too_and_names_the_inputs(self, project: Project, judge: User) -> None:
        told = client_of(judge).get(CALL, CHOICE).json()
        assert told["since"] is None
        assert not AgreementRun.objects.exists()

        answer = client_of(judge).post(CALL, CHOICE)

        assert answer.status_code == 200
        run = AgreementRun.objects.get()
        assert answer.json()["rows"] == told["rows"]
        assert told["inputs"] == answer.json()["inputs"]
        assert told["inputs"]["sha256"] == run.sha256
        assert (told["inputs"]["units"], told["inputs"]["blind"]) == (2, 2)


@pytest.mark.usefixtures("people", "large")
class TestLarge:
    def test_a_job_computes_it_and_the_page_shows_its_age(self, client: Client, project: Project, judge: User) -> None:
        text = page(client, judge)
        assert "too many answers to compare while you wait" in text
        assert kappa(project) not in text

        client.post(COMPUTE, CHOICE)

        (job,) = project.jobs.all()
        assert (job.kind, job.queue, job.created_by) == (JobKind.AGREEMENT, "default", judge)
        text = page(client, judge)
        assert "The agreement is being computed." in text
        assert 'hx-trigger="every 2s"' in text
        assert COMPUTE not in text
        assert "already in progress" in client.post(COMPUTE, CHOICE, follow=True).content.decode()

        run_job(job.pk, worker="one")

        text = page(client, judge)
        assert re.search(r"Computed (now|.* ago), from 2 items\. 0 answers since\.", text)
        assert f'<td class="n">{kappa(project)}</td>' in text
        assert "Compute again" in text

    def test_it_says_how_old_it_is_and_what_was_answered_since(
        self, client: Client, project: Project, judge: User, people: list[User]
    ) -> None:
        before = kappa(project)
        run = stored(project)
        AgreementRun.objects.filter(pk=run.pk).update(computed_at=timezone.now() - timedelta(hours=3))
        row = people[1].assignments.order_by("pk").last()
        assert row is not None
        save(row, spans(span(0)))
        assert kappa(project) != before

        text = page(client, judge)

        assert "Computed 3 hours ago, from 2 items. 1 answer since." in text
        assert f'<td class="n">{before}</td>' in text

    def test_why_the_job_failed(self, client: Client, project: Project, judge: User) -> None:
        client.force_login(judge)
        client.post(COMPUTE, CHOICE)
        Job.objects.update(state="failed", error="The disk is full.")
        text = page(client, judge)
        assert "The disk is full." in text
        assert COMPUTE in text

    def test_the_api_answers_with_the_job_and_then_with_the_run(self, project: Project, judge: User) -> None:
        client = client_of(judge)
        assert client.get(CALL, CHOICE).status_code == 404
        assert not Job.objects.exists()

        started = client.post(CALL, CHOICE)

        assert (started.status_code, started.json()["kind"]) == (202, "agreement")
        waiting = client.get(CALL, CHOICE)
        assert (waiting.status_code, waiting.json()["id"]) == (202, started.json()["id"])
        run_job(started.json()["id"], worker="one")
        told = client.get(CALL, CHOICE)
        assert told.status_code == 200
        run = AgreementRun.objects.get()
        assert told.json()["inputs"]["sha256"] == run.sha256
        assert told.json()["since"] == {"answers": 0, "more": False, "scheme": False}
        assert told.json()["rows"] == computed(project).agreement.to_json()["rows"]

    def test_the_dashboard_shows_what_is_stored(self, client: Client, project: Project, judge: User) -> None:
        client.force_login(judge)
        board = reverse("project", args=["letters"])
        assert "not computed yet" in client.get(board).content.decode()
        stored(project)
        text = client.get(board).content.decode()
        assert "not computed yet" not in text
        assert "κ" in text


@pytest.mark.usefixtures("people")
class TestWhoSees:
    def send(self, user: User) -> dict[str, Any]:
        client = Client()
        client.force_login(user)
        return {
            "page": client.get(PAGE, CHOICE),
            "compute": client.post(COMPUTE, CHOICE),
            "call": client_of(user).get(CALL, CHOICE),
            "post": client_of(user).post(CALL, CHOICE),
        }

    @pytest.mark.parametrize("is_large", [False, True])
    def test_only_those_who_adjudicate(
        self, project: Project, people: list[User], is_large: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored(project)
        if is_large:
            monkeypatch.setattr(agreement_runs, "MAX_INLINE", 1)
        outsider = make_member(make_project("other"), Role.MANAGER)
        for user, status in ((people[0], 403), (outsider, 404)):
            for name, answer in self.send(user).items():
                assert answer.status_code == status, name
        assert AgreementRun.objects.count() == 1
        assert not Job.objects.exists()

    def elsewhere(self, people: list[User]) -> list[str]:
        """Other pages that show a stored agreement of the two."""
        person = reverse("person", args=["letters", people[0].pk])
        return [reverse("project", args=["letters"]), reverse("members", args=["letters"]), person]

    @pytest.mark.parametrize("is_compared", [False, True])
    @pytest.mark.parametrize("is_large", [False, True])
    def test_not_anyone_who_still_answers_blind(
        self,
        client: Client,
        project: Project,
        people: list[User],
        judge: User,
        is_compared: bool,
        is_large: bool,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        stored(project)
        if is_large:
            monkeypatch.setattr(agreement_runs, "MAX_INLINE", 1)
        reader = people[1] if is_compared else judge
        project.memberships.filter(user=reader).update(role=Role.MANAGER)
        row = make_assignment(make_sentence(project), reader, stage_of(project, "correct"), mode=Mode.BLIND)
        events = Event.objects.count()

        for name, answer in self.send(reader).items():
            text = answer.content.decode()
            assert answer.status_code == 403, name
            assert "once you finish or return your blind items" in text, name
            for told in (kappa(project), "Computed", "since.", "stored on", "items in common"):
                assert told not in text, name
        client.force_login(reader)
        for address in self.elsewhere(people):
            assert "κ" not in client.get(address).text, address
        assert AgreementRun.objects.count() == 1
        assert not Job.objects.exists()
        assert Event.objects.count() == events
        # What others see stays as it was.
        assert "Computed" in page(client, make_member(project, Role.MANAGER))
        save(row, spans())
        assert "Computed" in page(client, reader)
        for address in self.elsewhere(people):
            assert "κ" in client.get(address).text, address

    def test_the_page_of_the_job_does_not_say_whose_it_is(
        self, client: Client, project: Project, people: list[User], judge: User, large: None
    ) -> None:
        client.force_login(judge)
        client.post(COMPUTE, CHOICE)
        job = project.jobs.get()
        run_job(job.pk, worker="one")
        client.force_login(make_member(project))

        text = client.get(reverse("job", args=["letters", job.pk])).content.decode()

        assert "Compute agreement" in text
        assert "Spanish" in text
        assert "labels on tokens" in text
        assert not re.search(r">\s*(ana|ben)\b", text)
        assert kappa(project) not in text
        told = client_of(make_member(project)).get(f"/api/v1/projects/letters/jobs/{job.pk}/").json()
        assert told["result"] == {}


def test_the_page_asks_as_much_and_writes_nothing_at_20_and_at_400_sentences(
    client: Client, project: Project, judge: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [make_member(project, username=name) for name in ("ana", "ben")]
    client.force_login(judge)
    address = f"{PAGE}?a=ana&b=ben&layer=tokens&language=es"
    work_on(project, fill(project, 20), people)
    small = statements(client, address)
    stored(project)
    work_on(project, fill(project, 380), people)
    monkeypatch.setattr(agreement_runs, "MAX_INLINE", 50)

    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200

    asked = [query["sql"] for query in captured]
    assert not [sql for sql in asked if sql.lstrip().startswith(WRITES)]
    # What both have done is not read: neither their texts nor what they said.
    assert not any('"annotator_annotation"."content"' in sql for sql in asked)
    monkeypatch.undo()
    assert statements(client, address) == small
    assert 0 < max(small, len(asked)) <= MAX_OF_THE_PAGE, len(asked)
