from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project

# The folder of all models in the storage.
MODELS_FOLDER = "models"


class TrainedDetector(models.Model):
    """A detector that learnt from a project's labels, measured on the held-out split against the one that was in use.

    Its files are in `stored_folder`; those of one that is not active are not kept.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="trained_detectors")
    language = models.CharField(max_length=20)
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="trained_detector")
    engine = models.CharField(max_length=300)
    label = models.CharField(max_length=100)
    revision = models.CharField(max_length=100)
    folder = models.CharField(max_length=200)
    # Of the sentences that it learnt from, and of those that it was measured on.
    sentences = models.PositiveIntegerField()
    labelled_tokens = models.PositiveIntegerField()
    held_out_sentences = models.PositiveIntegerField()
    held_out_labelled_tokens = models.PositiveIntegerField()
    # In % of the labelled class, over tokens.
    precision = models.FloatField()
    recall = models.FloatField()
    f1 = models.FloatField()
    # The detector in use when it was trained, as jobs name it; empty when there was none.
    baseline = models.CharField(max_length=300, blank=True)
    baseline_revision = models.CharField(max_length=100, blank=True)
    baseline_precision = models.FloatField(null=True)
    baseline_recall = models.FloatField(null=True)
    baseline_f1 = models.FloatField(null=True)
    # Whether it was the better one.
    active = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    baseline="",
                    baseline_revision="",
                    baseline_precision__isnull=True,
                    baseline_recall__isnull=True,
                    baseline_f1__isnull=True,
                )
                | (
                    ~models.Q(baseline="")
                    & models.Q(
                        baseline_precision__isnull=False, baseline_recall__isnull=False, baseline_f1__isnull=False
                    )
                ),
                name="trained_detector_baseline_measured",
            ),
        ]
        indexes = [models.Index(fields=["project", "language"])]

    def __str__(self) -> str:
        return f"{self.spec} {self.revision}"

    @property
    def stored_folder(self) -> str:
        """The folder of its files in the storage."""
        return model_folder(self.folder)

    @property
    def spec(self) -> str:
        """How jobs and commands name it."""
        return f"trained:{self.pk}"


def models_of(project: int) -> str:
    """The folder of all that a project's models have in the storage."""
    return model_folder(str(project))


def model_folder(folder: str) -> str:
    """The folder in the storage of a model that is called so."""
    return f"{MODELS_FOLDER}/{folder}"
