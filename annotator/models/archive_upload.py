import uuid

from django.conf import settings
from django.db import models

from annotator.models.stored_error import StoredError

# The folder of their files in the storage.
ARCHIVE_UPLOADS = "uploads/archives"


class ArchiveUpload(StoredError):
    """An uploaded archive whose project will be restored here.

    Nothing of it is in the database before it is started. Its file is `stored` until the project is there, the
    restoring failed or was discarded, or the upload expires (`backup/actions/uploads.py`).
    """

    # Names the file; nobody can guess it.
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField()
    # As `backup/actions/looking.py` found it.
    about = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    # What is made of it. Not as keys: what failed is deleted, and this row tells why.
    project_id = models.BigIntegerField(null=True)
    job_id = models.BigIntegerField(null=True)
    # It is over: done, or failed, or discarded.
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["expires_at"])]

    def __str__(self) -> str:
        return self.name

    @property
    def stored(self) -> str:
        """The name of its file in the storage."""
        return f"{ARCHIVE_UPLOADS}/{self.key.hex}.zip"
