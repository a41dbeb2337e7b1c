"""The Celery application. Tasks are sent by name, so that whoever sends need not import what does the work."""

from __future__ import annotations

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
# Django's system checks load every view: longer than a worker takes to start. `make check` has made them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("translatio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["annotator"])


def priority(lateness: int) -> int:
    """The priority of a message by its lateness (0 to 9), as the broker counts: for RabbitMQ more is sooner."""
    return abs(settings.CELERY_TASK_DEFAULT_PRIORITY - lateness)


def messages_in(queue: str) -> int:
    """How many messages a queue holds. Raises what kombu raises where the broker does not answer."""
    with app.connection_for_read() as connection:
        channel = connection.default_channel
        try:
            return int(channel.queue_declare(queue, passive=True).message_count)
        except connection.channel_errors:
            # There is none before the first worker or message came.
            return 0
