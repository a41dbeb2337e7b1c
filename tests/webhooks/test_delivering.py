"""From what happens in a project to a message at a program: once, tried again, switched off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.jobs.actions import cancel_job, start_job
from annotator.jobs.running import run_job
from annotator.models import (
    DeliveryState,
    Event,
    Job,
    JobKind,
    JobState,
    Mode,
    Project,
    Role,
    Webhook,
    WebhookDelivery,
)
from annotator.webhooks.actions import (
    MAX_WEBHOOKS,
    add_webhook,
    change_webhook,
    delete_webhook,
    renew_secret,
    send_test,
    site_reach,
)
from annotator.webhooks.delivering import (
    LEASE,
    MAX_ATTEMPTS,
    MAX_FAILURES,
    collect,
    deliver,
    due,
    sweep_deliveries,
)
from tests.drafts import load, make_plain
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    make_webhook,
    span,
    spans,
    stage_of,
)
from tests.saving import save
from tests.webhooks.program import LOCAL, Program, listening

pytestmark = pytest.mark.django_db
URL = "https://program.example/hook"


@pytest.fixture
def program() -> Iterator[Program]:
    with listening() as found:
        yield found


@pytest.fixture
def project() -> Project:
    return make_project("corpus")


def look(now: datetime | None = None) -> None:
    """What workers do every few seconds."""
    now = now or timezone.now()
    collect(now)
    for pk in due(now):
        deliver(pk, reach=LOCAL)


def events(program: Program) -> list[str]:
    return [message["event"] for message in program.messages]


def test_a_release_is_told_with_its_job_once(project: Project, program: Program) -> None:
    make_gold(make_sentence(project))
    make_webhook(project, url=program.url)
    job = start_job(project=project, kind=JobKind.RELEASE, params={"partial": True}, by=None)
    look()
    assert not program.received
    run_job(job.pk, worker="one")

    look()
    look()

    ended, made = sorted(program.messages, key=lambda one: one["event"])
    release = project.releases.get()
    assert (ended["event"], ended["project"], ended["job"]) == (
        "job.ended", "corpus", {"id": job.pk, "kind": "release", "state": "done"},
    )  # fmt: skip
    assert ended["links"] == {
        "api": f"/api/v1/projects/corpus/jobs/{job.pk}/", "page": f"/projects/corpus/jobs/{job.pk}/",
    }  # fmt: skip
    assert (made["event"], made["release"]) == (
        "release.made", {"number": 1, "sha256": release.sha256, "job": job.pk},
    )  # fmt: skip
    assert made["links"]["api"] == "/api/v1/projects/corpus/releases/1/file/"
    assert {one.state for one in WebhookDelivery.objects.all()} == {DeliveryState.DONE}
    assert len({message["id"] for message in program.messages}) == 2


def test_a_job_that_fails_and_ends_again_is_told_twice(project: Project, program: Program) -> None:
    make_webhook(project, "job.ended", url=program.url)
    job = Job.objects.create(project=project, kind=JobKind.PREDICT)
    for state in (JobState.FAILED, JobState.DONE):
        Job.objects.filter(pk=job.pk).update(state=state, finished_at=timezone.now())
        look()

    assert [message["job"]["state"] for message in program.messages] == ["failed", "done"]


def test_a_cancelled_job_has_ended(project: Project, program: Program) -> None:
    make_webhook(project, "job.ended", url=program.url)
    cancel_job(job=start_job(project=project, kind=JobKind.COUNT, params={}, by=None), by=None)
    look()
    assert [message["job"]["state"] for message in program.messages] == ["cancelled"]


@pytest.mark.usefixtures("uploads")
def test_an_import_is_told(program: Program) -> None:
    project = make_plain()
    make_webhook(project, url=program.url)

    load(project, {"uno.csv": "id,text:es\n1,El secreto arde .\n"})
    look()

    [message] = program.messages
    assert (message["event"], message["import"]["id"]) == ("import.finished", project.imports.get().pk)
    assert "secreto" not in json.dumps(message)


def test_a_stage_is_told_each_time_it_is_finished(project: Project, program: Program) -> None:
    ana, stage = make_member(project), stage_of(project, "correct")
    first = make_assignment(make_sentence(project), ana, stage)
    make_webhook(project, "stage.finished", url=program.url)
    look()
    assert not program.received

    save(first, spans(span(1)))
    look()
    look()
    assert [message["stage"] for message in program.messages] == [
        {"id": stage.pk, "kind": "correct", "language": "es", "layer": "labels"}
    ]

    second = make_assignment(make_sentence(project), ana, stage)
    look()
    assert len(program.received) == 1
    save(second, spans(span(0)))
    look()
    assert len(program.received) == 2


def test_what_was_finished_or_happened_before_is_not_told(project: Project, program: Program) -> None:
    ana, stage = make_member(project), stage_of(project, "correct")
    save(make_assignment(make_sentence(project), ana, stage), spans(span(1)))
    Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.DONE, finished_at=timezone.now())
    make_webhook(project, url=program.url)

    look()

    assert not program.received


def test_other_events_and_other_projects_are_not_told(project: Project, program: Program) -> None:
    make_webhook(project, "release.made", url=program.url)
    for one in (project, make_project("other")):
        Job.objects.create(project=one, kind=JobKind.PREDICT, state=JobState.DONE, finished_at=timezone.now())
    look()
    assert not program.received


def test_messages_have_no_labels_texts_names_or_numbers(project: Project, program: Program) -> None:
    """Of a project in which a manager answers blind."""
    zoe = make_member(project, Role.MANAGER, "zoe")
    sentence = make_sentence(project, "Unverwechselbar vuela")
    make_annotation(sentence, make_member(project, username="quirin"), [span(1)], comment="Geheimnis")
    make_assignment(sentence, zoe, stage_of(project, "correct"), mode=Mode.BLIND)
    make_gold(make_sentence(project))
    make_webhook(project, url=program.url)
    job = start_job(project=project, kind=JobKind.RELEASE, params={"partial": True}, by=zoe)
    run_job(job.pk, worker="one")
    look()

    allowed = {
        *("id", "event", "time", "project", "links", "job", "kind", "state", "release", "number", "sha256"),
        *("import", "stage", "language", "layer", "api", "page"),
    }
    said = " ".join(body.decode() for _path, _headers, body in program.received)
    assert len(program.received) >= 2
    assert not [word for word in ("zoe", "quirin", "Unverwechselbar", "Geheimnis", "METAPHOR") if word in said]
    for message in program.messages:
        keys = {*message, *(key for value in message.values() if isinstance(value, dict) for key in value)}
        assert keys <= allowed


def test_what_fails_is_tried_again_later_and_then_no_more(project: Project, program: Program) -> None:
    webhook = make_webhook(project, url=program.url)
    program.status = 500
    send_test(webhook=webhook, by=None)
    now = timezone.now()
    waits = []
    for attempt in range(1, MAX_ATTEMPTS + 1):
        look(now)
        look(now)
        row = WebhookDelivery.objects.get()
        assert (row.attempts, row.status, len(program.received)) == (attempt, 500, attempt)
        assert row.error_shown == "The address answered with 500."
        waits.append(round((row.next_at - timezone.now()).total_seconds()))
        now = row.next_at + timedelta(seconds=1)

    assert row.state == DeliveryState.FAILED
    assert waits[:-1] == [30, 120, 480, 1920]
    assert len({json.dumps(message["id"]) for message in program.messages}) == 1
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.is_active) == (1, True)


def test_a_success_on_the_way_ends_the_count(project: Project, program: Program) -> None:
    webhook = make_webhook(project, url=program.url)
    Webhook.objects.filter(pk=webhook.pk).update(failures=MAX_FAILURES - 1)
    send_test(webhook=webhook, by=None)
    look()
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.is_active) == (0, True)


def test_after_failures_in_a_row_it_is_switched_off_with_the_reason(project: Project, program: Program) -> None:
    webhook = make_webhook(project, url=program.url)
    program.status = 404
    Webhook.objects.filter(pk=webhook.pk).update(failures=MAX_FAILURES - 1)
    for _number in range(2):
        send_test(webhook=webhook, by=None)
    last = WebhookDelivery.objects.order_by("pk").first()
    assert last is not None
    WebhookDelivery.objects.filter(pk=last.pk).update(attempts=MAX_ATTEMPTS - 1)

    deliver(last.pk, reach=LOCAL)

    webhook.refresh_from_db()
    assert not webhook.is_active
    assert webhook.error_shown == (
        "Switched off because 5 deliveries failed. The last reason: The address answered with 404."
    )
    assert {row.state for row in webhook.deliveries.all()} == {DeliveryState.FAILED}
    Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.DONE, finished_at=timezone.now())
    look()
    assert len(program.received) == 1

    change_webhook(webhook=webhook, url=URL, events=["job.ended"], is_active=True, by=None)
    Webhook.objects.update(url=program.url)
    look()
    webhook.refresh_from_db()
    assert (webhook.is_active, webhook.error_shown, len(program.received)) == (True, "", 1)


def test_a_delivery_is_one_workers_until_its_lease_ends(project: Project) -> None:
    send_test(webhook=make_webhook(project), by=None)
    now = timezone.now()

    [pk] = due(now)
    assert due(now) == []
    assert due(now + LEASE + timedelta(seconds=1)) == [pk]


def test_a_worker_sends_nothing_to_private_addresses(project: Project, program: Program) -> None:
    webhook = make_webhook(project, url=f"https://127.0.0.1:{program.server_port}/")
    made = send_test(webhook=webhook, by=None)

    deliver(made.pk, reach=site_reach())

    made.refresh_from_db()
    assert (made.state, made.attempts) == (DeliveryState.PENDING, 1)
    assert "private network" in made.error_shown
    assert not program.received


def test_adding_changing_and_removing_is_logged_without_address_and_secret(project: Project) -> None:
    mara = make_member(project, Role.MANAGER)
    webhook = add_webhook(project=project, url=f"{URL}?token=abc", events=["job.ended"], by=mara)
    first = webhook.secret
    change_webhook(webhook=webhook, url=URL, events=["job.ended", "release.made"], is_active=False, by=mara)
    webhook.refresh_from_db()
    assert renew_secret(webhook=webhook, by=mara).secret != first
    delete_webhook(webhook=webhook, by=mara)

    rows = Event.objects.filter(verb="webhook.change").order_by("pk")
    assert [(row.actor_id, row.subject_type) for row in rows] == [(mara.pk, "webhook")] * 4
    logged = json.dumps([[row.before, row.after] for row in rows])
    assert not [word for word in ("abc", "program.example", first) if word in logged]
    assert not Webhook.objects.exists()


def test_what_cannot_be_is_refused(project: Project) -> None:
    for url, chosen in (("http://program.example/", ["job.ended"]), (URL, []), (URL, ["job.ended", "gold.decided"])):
        with pytest.raises(ActionError):
            add_webhook(project=project, url=url, events=chosen, by=None)
    off = make_webhook(project)
    Webhook.objects.update(is_active=False)
    off.refresh_from_db()
    with pytest.raises(ActionError, match="is off"):
        send_test(webhook=off, by=None)
    for _number in range(MAX_WEBHOOKS - 1):
        make_webhook(project)
    with pytest.raises(ActionError, match="at most 10"):
        add_webhook(project=project, url=URL, events=["job.ended"], by=None)
    assert not Event.objects.exists()


def test_old_deliveries_are_deleted(project: Project) -> None:
    send_test(webhook=make_webhook(project), by=None)
    sweep_deliveries(timezone.now() + timedelta(days=29))
    assert WebhookDelivery.objects.exists()
    sweep_deliveries(timezone.now() + timedelta(days=31))
    assert not WebhookDelivery.objects.exists()


def test_a_look_costs_the_same_however_much_was_delivered(
    project: Project, django_assert_max_num_queries: object
) -> None:
    webhook = make_webhook(project, "job.ended")
    Job.objects.bulk_create(
        Job(project=project, kind=JobKind.PREDICT, state=JobState.DONE, finished_at=timezone.now())
        for _number in range(50)
    )
    collect(timezone.now())
    assert webhook.deliveries.count() == 50
    with django_assert_max_num_queries(8):
        collect(timezone.now())
