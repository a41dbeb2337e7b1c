from django.conf import settings
from django.db import models

from annotator.models.job import Job
from annotator.models.project import Project


class Release(models.Model):
    """An immutable export: a zip in the storage, and its manifest."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    # Null after the project was restored: backups have no jobs.
    job = models.OneToOneField(Job, null=True, on_delete=models.PROTECT, related_name="release")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    manifest = models.JSONField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="releases"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"{self.project.slug} release {self.number}"

    @property
    def stored(self) -> str:
        """Its name in the storage."""
        return release_file(self.project, self.file_name)


def releases_of(project: Project) -> str:
    """The folder of a project's releases in the storage."""
    return f"releases/{project.slug}"


def release_file(project: Project, file_name: str) -> str:
    """The name in the storage of a release that is called so."""
    return f"{releases_of(project)}/{file_name}"
