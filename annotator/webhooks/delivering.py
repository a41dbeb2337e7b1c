"""Deliveries: collected from what happened, handed to workers, tried a few times."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.models import DeliveryState, Webhook, WebhookDelivery, WebhookEvent
from annotator.models.stored_error import error_columns
from annotator.webhooks.happened import Happened, finished_stages, happened, stage_finished
from annotator.webhooks.sending import PUBLIC, Reach, UnreachableError, post

# 30 s, 2, 8 and 32 minutes lie between the attempts.
MAX_ATTEMPTS = 5
_FIRST_WAIT = timedelta(seconds=30)
# Deliveries that fail one after the other until a webhook is switched off.
MAX_FAILURES = 5
# How long an attempt is somebody's: a lost message is sent again then.
LEASE = timedelta(minutes=1)
_KEPT = timedelta(days=30)


def collect(now: datetime) -> None:
    """Make the deliveries of what happened since the last look, each once."""
    for pk in Webhook.objects.filter(is_active=True, project__deleting_at=None).values_list("pk", flat=True):
        with transaction.atomic():
            webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=pk).first()
            if webhook is not None:
                _collect(webhook, now)


def due(now: datetime) -> list[int]:
    """The ids of deliveries to be tried now. They are nobody else's until their lease ends."""
    rows = WebhookDelivery.objects.filter(state=DeliveryState.PENDING, next_at__lte=now, webhook__is_active=True)
    found = list(rows.order_by("pk").values_list("pk", "next_at")[:100])
    own = WebhookDelivery.objects.filter(state=DeliveryState.PENDING)
    return [pk for pk, at in found if own.filter(pk=pk, next_at=at).update(next_at=now + LEASE)]


def deliver(pk: int, *, reach: Reach = PUBLIC) -> None:
    """Try a delivery. Where it fails it is tried again later, and failed in the end."""
    rows = WebhookDelivery.objects.filter(pk=pk, state=DeliveryState.PENDING, webhook__is_active=True)
    row = rows.select_related("webhook").first()
    if row is None:
        return
    now = timezone.now()
    body = json.dumps({"id": row.pk, **row.body}, ensure_ascii=False).encode()
    webhook = row.webhook
    try:
        status = post(webhook.url, body, secret=webhook.secret, timestamp=int(now.timestamp()), reach=reach)
    except UnreachableError as error:
        _failed(row, error, now)
    else:
        own = WebhookDelivery.objects.filter(pk=pk)
        own.update(state=DeliveryState.DONE, status=status, attempts=F("attempts") + 1, **error_columns())
        Webhook.objects.filter(pk=webhook.pk).update(failures=0)


def add_deliveries(webhook: Webhook, events: list[Happened], now: datetime) -> None:
    """Deliveries of events that have none."""
    keys = {one.key: one for one in events}
    known = set(webhook.deliveries.filter(key__in=keys).values_list("key", flat=True))
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, key=key, body=one.body(webhook.project), next_at=now)
        for key, one in keys.items()
        if key not in known
    )


def sweep_deliveries(now: datetime) -> None:
    """Delete old deliveries."""
    WebhookDelivery.objects.filter(created_at__lt=now - _KEPT).delete()


def _collect(webhook: Webhook, now: datetime) -> None:
    found = list(happened(webhook, now))
    if WebhookEvent.STAGE_FINISHED in webhook.events:
        stages = finished_stages(webhook.project)
        before = set(webhook.finished_stages)
        if stages.keys() != before:
            found += [stage_finished(webhook.project, one, now) for pk, one in stages.items() if pk not in before]
            Webhook.objects.filter(pk=webhook.pk).update(finished_stages=sorted(stages))
    if found:
        add_deliveries(webhook, found, now)


@transaction.atomic
def _failed(row: WebhookDelivery, error: UnreachableError, now: datetime) -> None:
    attempts = row.attempts + 1
    own = WebhookDelivery.objects.filter(pk=row.pk)
    said = {"attempts": attempts, "status": error.status, **error_columns(error.message)}
    if attempts < MAX_ATTEMPTS:
        own.update(next_at=now + _FIRST_WAIT * 4 ** (attempts - 1), **said)
        return
    own.update(state=DeliveryState.FAILED, **said)
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=row.webhook_id)
    failures = webhook.failures + 1
    Webhook.objects.filter(pk=webhook.pk).update(failures=failures)
    if failures >= MAX_FAILURES:
        why = message(
            _("Switched off because %(number)s deliveries failed. The last reason: %(reason)s"),
            number=failures,
            reason=error.message,
        )
        Webhook.objects.filter(pk=webhook.pk).update(is_active=False, **error_columns(why))
        webhook.deliveries.filter(state=DeliveryState.PENDING).update(state=DeliveryState.FAILED)
