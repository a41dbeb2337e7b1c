from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import pgettext_lazy

from annotator.models.project import Project
from annotator.models.stored_error import StoredError

_SALT = "annotator.webhook"
# Deliveries of a list.
MAX_LISTED = 50


class WebhookEvent(models.TextChoices):
    """What a program can be told of."""

    JOB_ENDED = "job.ended", pgettext_lazy("webhook", "A job ended")
    IMPORT_FINISHED = "import.finished", pgettext_lazy("webhook", "An import finished")
    RELEASE_MADE = "release.made", pgettext_lazy("webhook", "A release was created")
    STAGE_FINISHED = "stage.finished", pgettext_lazy("webhook", "A stage was finished")


class DeliveryState(models.TextChoices):
    PENDING = "pending", pgettext_lazy("webhook", "Waiting")
    DONE = "done", pgettext_lazy("webhook", "Delivered")
    FAILED = "failed", pgettext_lazy("webhook", "Failed")


def new_salt() -> str:
    return get_random_string(32)


class Webhook(StoredError):
    """An address of a program that is told of events of a project. Its error: why it was switched off."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=2000)
    # Values of WebhookEvent.
    events = models.JSONField(default=list)
    salt = models.CharField(max_length=32, default=new_salt)
    is_active = models.BooleanField(default=True)
    # Deliveries that failed one after the other.
    failures = models.PositiveSmallIntegerField(default=0)
    # Ids of stages that were finished when it was last looked.
    finished_stages = models.JSONField(default=list)
    # Events from then on are delivered.
    since = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url

    @property
    def secret(self) -> str:
        """The key that its deliveries are signed with. It follows from the site's key, so no row has it."""
        return salted_hmac(_SALT, self.salt, algorithm="sha256").hexdigest()

    @property
    def newest_deliveries(self) -> models.QuerySet[WebhookDelivery]:
        """Those that are listed."""
        return self.deliveries.all()[:MAX_LISTED]


class WebhookDelivery(StoredError):
    """One event for one webhook: what is sent, and what came of it. Its error: why the last attempt failed."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    # What happened, so that it is delivered once.
    key = models.CharField(max_length=100)
    body = models.JSONField()
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # When it is tried again, as long as it waits.
    next_at = models.DateTimeField()
    # The HTTP status of the last answer.
    status = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "key"], name="webhook_event_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=DeliveryState.values), name="webhook_delivery_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["next_at"], condition=models.Q(state="pending"), name="webhook_delivery_due"),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id}: {self.key}"
