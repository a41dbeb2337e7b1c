"""Webhooks in the settings and through the API; who may; and a worker that sends."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import DeliveryState, Project, Role, Webhook, WebhookDelivery
from annotator.models.stored_error import error_columns
from tests.clients import client_of
from tests.factories import make_member, make_project, make_webhook
from tests.site import Site, wait_until
from tests.webhooks.program import listening

URL = "https://program.example/hook"
BASE = "/api/v1/projects/corpus/webhooks/"


@pytest.fixture
def project(db: None) -> Project:
    return make_project("corpus")


@pytest.fixture
def manager(client: Client, project: Project) -> Client:
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    return client


def page(hook: Webhook | None = None) -> str:
    return (
        reverse("settings-webhook", args=["corpus", hook.pk]) if hook else reverse("settings-webhooks", args=["corpus"])
    )


def test_a_manager_adds_one_and_sees_its_secret_once(manager: Client) -> None:
    said = manager.post(page(), {"url": URL, "events": ["job.ended", "release.made"]}).text

    hook = Webhook.objects.get()
    assert (hook.url, hook.events, hook.is_active) == (URL, ["job.ended", "release.made"], True)
    assert hook.secret in said
    assert "shown only once" in said
    for address in (page(), page(hook)):
        assert hook.secret not in manager.get(address).text
    assert URL in manager.get(page()).text


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"url": "http://program.example/", "events": ["job.ended"]}, "The address must begin with https://."),
        ({"url": "https://ana:x@program.example/", "events": ["job.ended"]}, "cannot contain a name or password"),
        ({"url": URL}, "This field is required."),
        ({"url": URL, "events": ["gold.decided"]}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_entered(
    manager: Client, answers: dict[str, object], says: str
) -> None:
    answer = manager.post(page(), answers)

    assert answer.status_code == 422
    assert says in answer.text
    assert str(answers["url"]) in answer.text
    assert not Webhook.objects.exists()


def test_its_page_changes_it_tests_it_renews_its_secret_and_removes_it(manager: Client, project: Project) -> None:
    hook = make_webhook(project)
    before = hook.secret

    assert (
        "was saved"
        in manager.post(
            page(hook), {"save": "1", "url": f"{URL}/2", "events": ["import.finished"], "is_active": "on"}, follow=True
        ).text
    )
    hook.refresh_from_db()
    assert (hook.url, hook.events, hook.is_active) == (f"{URL}/2", ["import.finished"], True)

    assert "will be sent in a few seconds" in manager.post(page(hook), {"test": "1"}, follow=True).text
    assert hook.deliveries.get().body["event"] == "test"
    WebhookDelivery.objects.update(
        state=DeliveryState.FAILED, attempts=5, **error_columns("The address answered with 500.")
    )
    said = re.sub(r"\s+", " ", manager.get(page(hook)).text)
    assert 'Failed<br><span class="small">The address answered with 500.</span>' in said

    said = manager.post(page(hook), {"secret": "1"}).text
    hook.refresh_from_db()
    assert hook.secret in said
    assert hook.secret != before

    manager.post(page(hook), {"save": "1", "url": URL, "events": ["job.ended"]})
    said = manager.post(page(hook), {"test": "1"}, follow=True).text
    assert said.count("This webhook is off.") == 2
    assert hook.deliveries.count() == 1

    assert "The webhook was removed." in manager.post(page(hook), {"remove": "1"}, follow=True).text
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(("role", "status"), [(Role.ADJUDICATOR, 403), (None, 404)])
def test_nobody_else_sees_or_changes_one(client: Client, project: Project, role: str | None, status: int) -> None:
    hook = make_webhook(project)
    client.force_login(make_member(project if role else make_project(), role or Role.MANAGER))

    for answer in (
        client.get(page()), client.get(page(hook)), client.post(page(hook), {"remove": "1"}),
        client.post(page(), {"url": URL, "events": ["job.ended"]}), client.get(BASE), client.get(f"{BASE}{hook.pk}/"),
    ):  # fmt: skip
        assert answer.status_code == status
        assert "program.example" not in answer.text
    assert Webhook.objects.count() == 1


def test_the_webhook_of_another_project_is_not_there(manager: Client) -> None:
    hook = make_webhook(make_project("other"))
    assert manager.get(page(hook)).status_code == 404
    assert manager.post(page(hook), {"remove": "1"}).status_code == 404
    assert manager.delete(f"{BASE}{hook.pk}/").status_code == 404
    assert Webhook.objects.exists()


def test_the_same_by_calls(project: Project) -> None:
    client = client_of(make_member(project, Role.MANAGER))

    made = client.post(BASE, {"url": URL, "events": ["release.made", "job.ended"]}).json()
    hook = Webhook.objects.get()
    assert (made["id"], made["events"], made["secret"]) == (hook.pk, ["job.ended", "release.made"], hook.secret)
    assert client.post(BASE, {"url": "http://x.example/", "events": ["job.ended"]}).status_code == 400

    one = f"{BASE}{hook.pk}/"
    assert client.patch(one, {"is_active": False}).json()["is_active"] is False
    assert client.post(f"{one}test/").status_code == 400
    assert client.patch(one, {"is_active": True}).json()["url"] == URL
    sent = client.post(f"{one}test/").json()
    assert (sent["event"], sent["state"], sent["attempts"]) == ("test", "pending", 0)
    assert [row["id"] for row in client.get(one).json()["deliveries"]] == [sent["id"]]
    secret = client.post(f"{one}secret/").json()["secret"]
    assert secret != made["secret"]
    for answer in (client.get(BASE), client.get(one)):
        assert secret not in answer.content.decode()
    assert client.delete(one).json() == {"id": hook.pk}
    assert client.get(BASE).json() == {"webhooks": []}


def test_a_worker_sends_what_happens(any_site: Site) -> None:
    """Celery's clock, its tasks and the network, with a site that is developed."""
    any_site.env["DEBUG"] = "1"
    with listening() as program:
        any_site.python(
            "from annotator.jobs.actions import start_job\nfrom tests.factories import *\n"
            f"project = make_project('corpus')\nmake_webhook(project, 'job.ended', url={program.url!r})\n"
            "start_job(project=project, kind='count', params={}, by=None)"
        )
        any_site.worker()
        wait_until(lambda: program.received, seconds=60, what=any_site.logs())

    assert program.messages[0]["job"]["state"] == "done"
    wait_until(lambda: any_site.value("SELECT state FROM annotator_webhookdelivery") == "done", what=any_site.logs())
