from django.conf import settings
from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project

# The folder of all archives in the storage.
ARCHIVES = "archives"


class Archive(models.Model):
    """A whole project in one file: a zip in the storage, kept until somebody deletes it.

    It is not part of the project: an archive does not hold the ones that were made before.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="archives")
    job = models.OneToOneField(Job, on_delete=models.PROTECT, related_name="archive")
    # Whether people are called person-1, person-2, … in it.
    pseudonyms = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    # The project's newest event that is in it.
    last_event = models.BigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.project.slug} archive {self.pk}"

    @property
    def file_name(self) -> str:
        """How it is called where it is downloaded."""
        return f"{self.project.slug}-archive-{self.created_at:%Y-%m-%d}.zip"

    @property
    def stored(self) -> str:
        """Its name in the storage."""
        return f"{archives_of(self.project_id)}/{self.job_id}.zip"


def archives_of(project: int) -> str:
    """The folder of a project's archives in the storage."""
    return f"{ARCHIVES}/{project}"
