from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

from annotator.domain.states import JOB_STATES, JobState
from annotator.models.project import Project
from annotator.models.stored_error import StoredError

# The broker's queues: work that loads no models, such that does, and such that wants a GPU. A worker without one may
# listen to all of them.
DEFAULT, ML, ML_GPU = QUEUES = ("default", "ml", "ml-gpu")
HOUR = 60 * 60


class JobKind(models.TextChoices):
    IMPORT = "import", pgettext_lazy("job", "Import")
    PREDICT = "predict", pgettext_lazy("job", "Pre-label")
    PROJECT = "project", pgettext_lazy("job", "Label projection")
    RELEASE = "release", pgettext_lazy("job", "Release")
    TRAIN = "train", pgettext_lazy("job", "Train a detector")
    REVISE = "revise", pgettext_lazy("job", "Edit a text")
    FILL = "fill", pgettext_lazy("job", "Fill a stage")
    RELABEL = "relabel", pgettext_lazy("job", "Change the labels")
    WORDS = "words", pgettext_lazy("job", "Mark content words")
    MAP = "map", pgettext_lazy("job", "Draw a map")
    DELETE = "delete", pgettext_lazy("job", "Delete the project")
    COPY = "copy", pgettext_lazy("job", "Copy the texts")
    ARCHIVE = "archive", pgettext_lazy("job", "Back up the project")
    RESTORE = "restore", pgettext_lazy("job", "Restore a project backup")
    COUNT = "count", pgettext_lazy("job", "Compute a table")
    EXPORT = "export", pgettext_lazy("job", "Export labels")
    AGREEMENT = "agreement", pgettext_lazy("job", "Compute agreement")
    SPLIT = "split", pgettext_lazy("job", "Split the corpus")
    STUDY = "study", pgettext_lazy("job", "Compare several people")
    COMPARE = "compare", pgettext_lazy("job", "Compare labels")
    ACCEPT = "accept", pgettext_lazy("job", "Gold by rule")

    @property
    def queue(self) -> str:
        """The broker's queue of this kind, where a job names no other."""
        ml = (JobKind.PREDICT, JobKind.PROJECT, JobKind.TRAIN, JobKind.REVISE, JobKind.MAP)
        return ML if self in ml else DEFAULT

    @property
    def seconds(self) -> int:
        """How long a step of it may take: what is cut into chunks gets an hour for each, what is one chunk twelve."""
        cut = (JobKind.PREDICT, JobKind.PROJECT, JobKind.REVISE, JobKind.FILL, JobKind.RELABEL, JobKind.WORDS)
        return HOUR if self in (*cut, JobKind.ACCEPT) else 12 * HOUR

    @property
    def apart(self) -> bool:
        """Whether it leaves the project as it is: such jobs run in read-only projects, too, and archives hold none."""
        kept = (JobKind.ARCHIVE, JobKind.RESTORE, JobKind.MAP, JobKind.COUNT, JobKind.EXPORT)
        return self in (*kept, JobKind.AGREEMENT, JobKind.STUDY, JobKind.COMPARE)


_STATES = {
    JobState.QUEUED: pgettext_lazy("job", "Waiting"),
    JobState.RUNNING: pgettext_lazy("job", "Running"),
    JobState.DONE: pgettext_lazy("job", "Done"),
    JobState.FAILED: pgettext_lazy("job", "Failed"),
    JobState.CANCELLED: pgettext_lazy("job", "Cancelled"),
}


class Job(StoredError):
    """Long work in the background. Celery distributes it; what of it is stored, and how it ended, the row says."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=20, choices=JobKind.choices)
    params = models.JSONField(default=dict)
    state = models.CharField(
        max_length=20, choices=[(state.value, words) for state, words in _STATES.items()], default=JobState.QUEUED
    )
    # Where it is sent, if not where jobs of its kind are.
    routed = models.CharField(max_length=20, blank=True)
    # Set once, by the worker that cut the work into chunks.
    planned = models.BooleanField(default=False)
    # The worker that plans or ends it, the message of this step, the number of attempts, and how often the message had
    # been sent again after a fault that passes.
    worker = models.CharField(max_length=200, blank=True)
    task = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    retries = models.PositiveIntegerField(default=0)
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
    def queue(self) -> str:
        """The broker's queue that it is sent to."""
        return self.routed or JobKind(self.kind).queue

    @property
    def shown_result(self) -> dict[str, Any]:
        """The result without figures: these are for tables, some of which not everybody may see."""
        return {name: value for name, value in self.result.items() if name != "figures"}

    @property
    def finished(self) -> bool:
        """Whether nobody works on it any more; what can still be cancelled is not finished."""
        return JobState.CANCELLED not in JOB_STATES[JobState(self.state)]

    @property
    def exported(self) -> str:
        """The name in the storage of what an export wrote, once it is finished."""
        ending = PurePosixPath(self.result.get("file", ".zip")).suffix or ".zip"
        return f"{exports_of(self.project_id)}/{self.pk}{ending}"


def exports_of(project: int) -> str:
    """The folder of a project's exports in the storage."""
    return f"exports/{project}"
