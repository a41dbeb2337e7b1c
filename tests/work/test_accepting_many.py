"""Accepting many answers by a rule: a job counts them, and makes gold of what the rule decides."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotator.domain.merging.rules import Rule, RuleName
from annotator.jobs.running import Taker, run_job, steps_of, take
from annotator.models import Gold, GoldSource, Job, JobKind, JobState, Mode, Project, Role, Stage, Unit, User
from annotator.work.gold.actions import accepting
from annotator.work.gold.actions.accepting import Acceptance, accept, count
from tests.deciding import decide_gold
from tests.factories import make_assignment, make_member, make_project, make_sentence, make_user, span, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db

PAGE = "/projects/letters/accept/rules/"
ACCEPT = "/projects/letters/accept/"
AT_LEAST = {"language": "es", "rule": "at_least", "agreeing": "2", "answers": "2"}
TWO_OF_TWO = Rule(RuleName.AT_LEAST, agreeing=2, answers=2)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "MAX_INLINE", 1)


@pytest.fixture
def project() -> Project:
    return make_project("letters")


@pytest.fixture
def units(project: Project) -> list[Unit]:
    """Two agree on the first two sentences, and differ on the third."""
    Stage.objects.filter(project=project).update(answers_wanted=2)
    correct = stage_of(project, "correct")
    people = [make_member(project, username=name) for name in ("ana", "ben")]
    found = []
    for place in range(3):
        sentence = make_sentence(project, "El tiempo vuela")
        for number, person in enumerate(people):
            save(make_assignment(sentence, person, correct), spans(span(number if place == 2 else place)))
        found.append(sentence)
    return found


@pytest.fixture
def boss(project: Project) -> User:
    return make_member(project, Role.MANAGER, "boss")


def asked(project: Project, by: User, rule: Rule = TWO_OF_TWO) -> Acceptance:
    return Acceptance(project, [project.label_layer], "es", rule, by)


def done(job: Job) -> Job:
    run_job(job.pk, worker="tests")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def text_of(client: Client, user: User, address: str, **query: str) -> str:
    client.force_login(user)
    return re.sub(r"\s+", " ", client.get(address, query).content.decode())


def gold(units: list[Unit]) -> dict[int, Any]:
    return dict(Gold.objects.filter(unit__in=units).values_list("unit_id", "content"))


def test_the_job_counts_and_accepts_the_same_numbers(project: Project, units: list[Unit], boss: User) -> None:
    counting = count(asked(project, boss))
    assert isinstance(counting, Job)
    numbers = done(counting).result["layers"]
    assert not Gold.objects.exists()

    accepted = accept(asked(project, boss), without_overlap=True)
    assert isinstance(accepted, Job)
    assert done(accepted).result["layers"] == numbers == {"labels": {"accepted": 2, "differing": 1}}
    assert gold(units) == {unit.pk: spans(span(place)) for place, unit in enumerate(units[:2])}
    assert set(Gold.objects.values_list("source", "decided_by")) == {(GoldSource.AGREED, boss.pk)}


def test_what_somebody_decided_since_it_was_planned_stays(project: Project, units: list[Unit], boss: User) -> None:
    job = accept(asked(project, boss), without_overlap=True)
    assert isinstance(job, Job)
    [begin] = steps_of(job)
    steps = take(begin, Taker("tests"))
    decide_gold(unit=units[0].pk, layer=project.label_layer, content=spans(span(2)), by=boss)
    for step in steps:
        take(step, Taker("tests"))
    assert done(job).result["layers"]["labels"] == {"accepted": 1, "differing": 1}
    assert gold(units) == {units[0].pk: spans(span(2)), units[1].pk: spans(span(1))}


def test_an_estimate_decides_as_it_does_at_once(
    project: Project, units: list[Unit], boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Rule(RuleName.DAWID_SKENE, limit=0.4)
    job = count(asked(project, boss, rule))
    assert isinstance(job, Job)
    by_job = done(job).result["layers"]
    monkeypatch.setattr(accepting, "MAX_INLINE", 100)
    [(layer, summary)] = count(asked(project, boss, rule))
    assert by_job == {layer.slug: {name: number for name, number in vars(summary).items() if number}}


def test_pages_count_first_and_then_accept(project: Project, units: list[Unit], boss: User, client: Client) -> None:
    before = text_of(client, boss, PAGE, **AT_LEAST)
    assert "Count in the background" in before
    assert "Will become gold" not in before
    assert not Job.objects.exists(), "looking starts nothing"

    answer = client.post(ACCEPT, {**AT_LEAST, "count": "1"})
    assert answer["Location"].startswith(PAGE)
    assert 'id="job-progress"' in text_of(client, boss, answer["Location"])
    done(Job.objects.get())
    counted = text_of(client, boss, answer["Location"])
    assert "Accept 2 items into gold" in counted
    assert not Gold.objects.exists()

    assert client.post(ACCEPT, AT_LEAST).status_code == 200, "nobody has labelled blind: it asks before"
    assert Job.objects.count() == 1
    answer = client.post(ACCEPT, {**AT_LEAST, "sure": "1"})
    job = Job.objects.filter(params__dry_run=False).get()
    assert answer["Location"] == f"/projects/letters/jobs/{job.pk}/"
    done(job)
    assert "What became gold" in text_of(client, boss, answer["Location"])
    assert len(gold(units)) == 2


def test_counts_of_another_manager_are_not_shown(
    project: Project, units: list[Unit], boss: User, client: Client
) -> None:
    job = count(asked(project, boss))
    assert isinstance(job, Job)
    done(job)
    other = make_member(project, Role.MANAGER, "other")
    assert "Count in the background" in text_of(client, other, PAGE, **AT_LEAST)


@pytest.mark.parametrize("role", [Role.MANAGER, Role.ANNOTATOR])
def test_who_works_blind_is_told_no_numbers(
    project: Project, units: list[Unit], boss: User, role: Role, client: Client
) -> None:
    reader = make_member(project, role, "reader")
    job = accept(asked(project, boss), without_overlap=True)
    assert isinstance(job, Job)
    done(job)
    address = f"/projects/letters/jobs/{job.pk}/"
    assert "What became gold" in text_of(client, reader, address)
    make_assignment(make_sentence(project, "Cae la noche"), reader, stage_of(project, "correct"), mode=Mode.BLIND)
    assert "What became gold" not in text_of(client, reader, address)
    if role == Role.MANAGER:
        client.post(ACCEPT, {**AT_LEAST, "count": "1"})
        done(Job.objects.get(created_by=reader))
        shown = text_of(client, reader, PAGE, **AT_LEAST)
        assert "Numbers of what others answered are shown once" in shown
        assert "Will become gold" not in shown


def test_the_api_answers_with_the_job(project: Project, units: list[Unit], boss: User) -> None:
    stage: Stage = stage_of(project, "adjudicate")
    api = APIClient()
    api.force_authenticate(boss)
    address = f"/api/v1/projects/letters/stages/{stage.pk}/accept/"
    refused = api.post(address, {"rule": "at_least"}, format="json")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "blind_overlap")
    assert not Job.objects.exists()

    answer = api.post(address, {"rule": "at_least", "without_overlap": True}, format="json")
    assert (answer.status_code, answer.json()["kind"]) == (202, JobKind.ACCEPT)
    job = Job.objects.get()
    done(job)
    result = api.get(f"/api/v1/projects/letters/jobs/{job.pk}/").json()["result"]
    assert result == {"layers": {"labels": {"accepted": 2, "differing": 1}}}


def test_others_cannot(project: Project, units: list[Unit], client: Client) -> None:
    for user, status in ((make_member(project, Role.ADJUDICATOR, "judge"), 403), (make_user("outsider"), 404)):
        client.force_login(user)
        assert client.post(ACCEPT, {**AT_LEAST, "sure": "1"}).status_code == status
    assert not Job.objects.exists()
