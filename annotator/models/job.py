from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

from annotator.domain.states import JOB_STATES, JobState
from annotator.models.project import Project
from annotator.models.stored_error import StoredError


class JobKind(models.TextChoices):
    IMPORT = "import", pgettext_lazy("job", "Import")
    PREDICT = "predict", pgettext_lazy("job", "Pre-label")
    PROJECT = "project", pgettext_lazy("job", "Project labels")
    RELEASE = "release", pgettext_lazy("job", "Release")
    TRAIN = "train", pgettext_lazy("job", "Train a detector")
    REVISE = "revise", pgettext_lazy("job", "Fixed text")
    FILL = "fill", pgettext_lazy("job", "Fill a stage")
    RELABEL = "relabel", pgettext_lazy("job", "Change the labels")
    WORDS = "words", pgettext_lazy("job", "Tell content words")
    MAP = "map", pgettext_lazy("job", "Draw a map")
    DELETE = "delete", pgettext_lazy("job", "Delete the project")
    COPY = "copy", pgettext_lazy("job", "Copy the texts")
    ARCHIVE = "archive", pgettext_lazy("job", "Write an archive")
    RESTORE = "restore", pgettext_lazy("job", "Restore from an archive")
    COUNT = "count", pgettext_lazy("job", "Count for a table")
    EXPORT = "export", pgettext_lazy("job", "Export labels")

    @property
    def queue(self) -> str:
        """The broker's queue of this kind: `ml` for work that loads models."""
        ml = (JobKind.PREDICT, JobKind.PROJECT, JobKind.TRAIN, JobKind.REVISE, JobKind.MAP)
        return "ml" if self in ml else "default"

    @property
    def apart(self) -> bool:
        """Whether it leaves the project as it is: such jobs run in read-only projects, too, and archives hold none."""
        return self in (JobKind.ARCHIVE, JobKind.RESTORE, JobKind.MAP, JobKind.COUNT, JobKind.EXPORT)


_STATES = {
    JobState.QUEUED: pgettext_lazy("job", "Waiting"),
    JobState.RUNNING: pgettext_lazy("job", "Running"),
    JobState.DONE: pgettext_lazy("job", "Done"),
    JobState.FAILED: pgettext_lazy("job", "Failed"),
    JobState.CANCELLED: pgettext_lazy("job", "Cancelled"),
}


class Job(StoredError):
    """Long work in the background. The row, not the broker's message, is the truth about it."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, choices=JobKind.choices)
    params = models.JSONField(default=dict)
    state = models.CharField(
        max_length=20, choices=[(state.value, words) for state, words in _STATES.items()], default=JobState.QUEUED
    )
    # Set once, by the worker that cut the work into chunks.
    planned = models.BooleanField(default=False)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="jobs")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=[state.value for state in JobState]), name="job_state_known"
            ),
        ]
        indexes = [models.Index(fields=["project", "state"])]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"

    @property
    def shown_result(self) -> dict[str, Any]:
        """The result without figures: these are for tables, some of which not everybody may see."""
        return {name: value for name, value in self.result.items() if name != "figures"}

    @property
    def finished(self) -> bool:
        """Whether nobody works on it any more; what can still be cancelled is not finished."""
        return JobState.CANCELLED not in JOB_STATES[JobState(self.state)]
