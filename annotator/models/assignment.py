from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.domain.states import AssignmentState, Mode
from annotator.models.item import Item
from annotator.models.project import Project
from annotator.models.stage import Stage
from annotator.models.suggestion import Suggestion
from annotator.models.unit import Unit


class Assignment(models.Model):
    """One person's answer to an item: claimed by themselves, given by a manager, or drawn for blind work."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="assignments")
    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, db_index=False, related_name="assignments")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, db_index=False, related_name="assignments")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, db_index=False, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    mode = models.CharField(max_length=10, default=Mode.REVIEW)
    state = models.CharField(max_length=10, default=AssignmentState.OPEN)
    # The item's place in reading order.
    reading = models.BigIntegerField()
    # Of its unit's annotation, for the list of own items.
    doubtful = models.BooleanField(default=False)
    # What the answer begins from, and the ids of all suggestions that were shown, that one first.
    suggestion = models.ForeignKey(Suggestion, null=True, on_delete=models.PROTECT, related_name="assignments")
    shown = models.JSONField(default=list)
    # What its page may show around the unit, as the stage said when it was assigned (`domain/context.py`).
    context = models.CharField(max_length=20, blank=True)
    # Claimed, and not worked on yet: at this time others may have it. Null: it stays.
    expires_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["reading", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "user"], name="assignment_once_per_person"),
            models.CheckConstraint(condition=Q(mode__in=[mode.value for mode in Mode]), name="assignment_mode_known"),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in AssignmentState]), name="assignment_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "user", "state", "reading"], name="assignment_own"),
            models.Index(fields=["unit", "state"], name="assignment_of_unit"),
            models.Index(
                fields=["stage", "expires_at"], condition=Q(expires_at__isnull=False), name="assignment_expiring"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.unit} → {self.user} ({self.mode})"
