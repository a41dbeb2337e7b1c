from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from annotator.models.project import Project


class AppendOnlyError(RuntimeError):
    """The event log is only ever added to."""


class EventQuerySet(models.QuerySet["Event"]):
    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Events cannot be changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("Events cannot be deleted.")


class Event(models.Model):
    """Who decided what, when, with what stood there before and after. Append-only.

    Subjects and people are named by id, never by name. Events with the same `operation` are one act.
    """

    project = models.ForeignKey(Project, null=True, on_delete=models.DO_NOTHING, db_index=False, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="events")
    verb = models.CharField(max_length=50)
    subject_type = models.CharField(max_length=50)
    subject_id = models.BigIntegerField()
    operation = models.UUIDField(null=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    at = models.DateTimeField(auto_now_add=True)
    # When it came with a project backup, which says what it likes; null for what happened here.
    restored_at = models.DateTimeField(null=True)

    objects = EventQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["subject_type", "subject_id", "id"]),
            models.Index(fields=["project", "id"]),
            # What one person did lately, on the page about them.
            models.Index(fields=["project", "actor", "verb", "id"], name="event_of_person"),
            models.Index(fields=["operation"], condition=models.Q(operation__isnull=False), name="event_operation"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject_type} {self.subject_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise AppendOnlyError("Events cannot be changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Events cannot be deleted.")
