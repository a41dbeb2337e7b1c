from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotator.domain.states import AnnotationState, Mode
from annotator.models.corpus_import import Import
from annotator.models.layer import Layer
from annotator.models.project import Project
from annotator.models.stage import Stage
from annotator.models.suggestion import Suggestion
from annotator.models.unit import Unit


class Annotation(models.Model):
    """One person's content on one unit in one layer. Every write raises `version`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_index=False, related_name="annotations")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, db_index=False, related_name="annotations")
    layer = models.ForeignKey(Layer, on_delete=models.CASCADE, db_index=False, related_name="annotations")
    stage = models.ForeignKey(Stage, null=True, on_delete=models.SET_NULL, related_name="annotations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, db_index=False, related_name="annotations"
    )
    mode = models.CharField(max_length=10, default=Mode.REVIEW)
    state = models.CharField(max_length=10, default=AnnotationState.OPEN)
    version = models.PositiveIntegerField(default=1)
    content = models.JSONField()
    # What it began from; origins are computed from it. `shown`: ids of every suggestion that was shown.
    suggested = models.JSONField(null=True)
    suggestion = models.ForeignKey(Suggestion, null=True, on_delete=models.PROTECT, related_name="annotations")
    shown = models.JSONField(default=list)
    # What was shown around the unit when it was answered (`domain/context.py`); empty: nothing ever is, or not known.
    context = models.CharField(max_length=20, blank=True)
    scheme_version = models.PositiveIntegerField(default=1)
    guidelines_version = models.PositiveIntegerField(default=1)
    # It was imported; what a person saved since has a higher version.
    imported = models.ForeignKey(Import, null=True, on_delete=models.PROTECT, related_name="annotations")
    # How long the person was at it, as the page measured.
    seconds = models.FloatField(default=0)
    doubt = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    # The event of the newest save that was not undone; null: there is nothing to undo.
    undo_event = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["unit", "layer", "user"], name="annotation_once_per_person"),
            models.CheckConstraint(
                condition=Q(mode=Mode.REVIEW) | Q(suggestion=None), name="annotation_blind_has_no_suggestion"
            ),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in AnnotationState]), name="annotation_state_known"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "layer", "state"], name="annotation_in_layer"),
            models.Index(fields=["user", "layer", "state"], name="annotation_of_person"),
            # Not only the layer: SQLite would then read all rows of the layer in order to return the few of a unit
            # in order.
            models.Index(fields=["layer", "state"], name="annotation_layer"),
            # Doubts and comments, on the page about a person; as `dashboard/queries/people.py` asks for them.
            models.Index(
                fields=["project", "user", "id"],
                condition=Q(doubt=True) | Q(comment__gt=""),
                name="annotation_remarked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.unit}"
