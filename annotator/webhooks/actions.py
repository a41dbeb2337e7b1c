"""Adding, changing and removing webhooks."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Project, User, Webhook, WebhookDelivery, WebhookEvent
from annotator.models.stored_error import error_columns
from annotator.models.webhook import new_salt
from annotator.webhooks.happened import finished_stages
from annotator.webhooks.sending import Reach, check_url

MAX_WEBHOOKS = 10
TEST = "test"


def site_reach() -> Reach:
    """Which addresses the site sends to: while it is developed, its own machine as well."""
    return Reach(local=settings.DEBUG)


@transaction.atomic
def add_webhook(*, project: Project, url: str, events: Sequence[str], by: User | None) -> Webhook:
    """Tell an address of events from now on. Raises ActionError for one that cannot be sent to."""
    lock_project(project)
    if project.webhooks.count() >= MAX_WEBHOOKS:
        raise ActionError(_("A project can have at most %(most)d webhooks.") % {"most": MAX_WEBHOOKS})
    webhook = Webhook.objects.create(
        project=project,
        url=_checked(url),
        events=_known(events),
        since=timezone.now(),
        finished_stages=sorted(finished_stages(project)),
        created_by=by,
    )
    _log(webhook, by, before=None, after=_about(webhook))
    return webhook


@transaction.atomic
def change_webhook(*, webhook: Webhook, url: str, events: Sequence[str], is_active: bool, by: User | None) -> Webhook:
    """Change what is told to which address, or switch it off and on. Events in between are not told.

    Raises ActionError for an address that cannot be sent to.
    """
    webhook = Webhook.objects.select_for_update(no_key=True).select_related("project").get(pk=webhook.pk)
    before = _about(webhook)
    starts = (is_active and not webhook.is_active) or not set(events) <= set(webhook.events)
    webhook.url, webhook.events, webhook.is_active = _checked(url), _known(events), is_active
    if starts:
        webhook.since = timezone.now()
        webhook.finished_stages = sorted(finished_stages(webhook.project))
    webhook.failures = 0
    for name, value in error_columns().items():
        setattr(webhook, name, value)
    webhook.save()
    _log(webhook, by, before=before, after=_about(webhook))
    return webhook


@transaction.atomic
def renew_secret(*, webhook: Webhook, by: User | None) -> Webhook:
    """Sign with another secret from now on."""
    webhook.salt = new_salt()
    webhook.save(update_fields=["salt"])
    _log(webhook, by, before=None, after={"secret": "renewed"})
    return webhook


@transaction.atomic
def delete_webhook(*, webhook: Webhook, by: User | None) -> None:
    """Remove a webhook and the list of its deliveries."""
    _log(webhook, by, before=_about(webhook), after=None)
    webhook.delete()


@transaction.atomic
def send_test(*, webhook: Webhook, by: User | None) -> WebhookDelivery:
    """Deliver a message that says nothing but that it is a test. Raises ActionError while the webhook is off."""
    if not webhook.is_active:
        raise ActionError(_("This webhook is off. Switch it on first."))
    now = timezone.now()
    body = {"event": TEST, "time": now.isoformat(), "project": webhook.project.slug, "links": {}}
    made = WebhookDelivery.objects.create(webhook=webhook, key=f"{TEST}:{uuid.uuid4()}", body=body, next_at=now)
    _log(webhook, by, before=None, after={"test": made.pk})
    return made


def _checked(url: str) -> str:
    check_url(url, site_reach())
    return url


def _known(events: Sequence[str]) -> list[str]:
    chosen = [event.value for event in WebhookEvent if event.value in events]
    if not chosen or len(chosen) != len(set(events)):
        raise ActionError(_("Choose at least one event."))
    return chosen


def _about(webhook: Webhook) -> dict[str, Any]:
    # The address may have a token in it, and the log is in project backups.
    return {"events": webhook.events, "active": webhook.is_active}


def _log(webhook: Webhook, by: User | None, *, before: Any, after: Any) -> None:
    log(project=webhook.project, actor=by, verb=Verb.WEBHOOK_CHANGE, subject=webhook, before=before, after=after)
