from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy

from annotator.models.corpus_import import Import
from annotator.models.job import Job
from annotator.models.project import Project


class LabelsAs(models.TextChoices):
    """What becomes of the labels in files that are imported."""

    NONE = "none", pgettext_lazy("labels as", "Leave them out")
    GOLD = "gold", pgettext_lazy("labels as", "Gold")
    PERSON = "person", pgettext_lazy("labels as", "A person's annotations")
    MODEL = "model", pgettext_lazy("labels as", "A model's suggestions")
    FILE = "file", pgettext_lazy("labels as", "As the files say")


# The folder of their files in the storage.
DRAFTS = "uploads/drafts"


class ImportDraft(models.Model):
    """Files that somebody brought, and how they will be read: what an import is started from.

    Nothing of it is in the project yet. The files lie in `folder` until the import is done, the draft is dropped, or it
    expires (`imports/drafts/drafts.py`).
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="import_drafts")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    # Names the folder; nobody can guess it.
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    # In order: `{"id", "name", "stored", "size", "sha256", "lines", "used", "format", "encoding", "language", "role",
    # "edits"}`. `name` is what messages call it ("corpus.zip/es.txt"), `stored` its name in `folder`, `lines` their
    # number (None: not a text), `used` whether it is read, `format` its format, and `edits` the edits of its
    # lines: `{"what", "line", "by", "at"}` each (`formats/common/line_edits.py`).
    files = models.JSONField(default=list)
    # Of all files together.
    size = models.PositiveBigIntegerField(default=0)
    # The slug of a format (`formats/common/protocol.py`); empty while nothing was recognised.
    format = models.CharField(max_length=50, blank=True)
    # Those of `domain.formats.base.Options`, and of the import itself (`imports/drafts/choices.py`).
    options = models.JSONField(default=dict)
    # What a person chose (format, language of a file, …); the rest follows from what is recognised.
    chosen = models.JSONField(default=list)
    dataset = models.CharField(max_length=100)
    labels_as = models.CharField(max_length=10, choices=LabelsAs.choices, default=LabelsAs.NONE)
    # Whose: a member's username, or a model's name. With `LabelsAs.FILE`, by the name that files say: a username.
    labels_name = models.CharField(max_length=200, blank=True)
    labels_revision = models.CharField(max_length=100, blank=True)
    people = models.JSONField(default=dict)
    licence = models.CharField(max_length=200, blank=True)
    # A decision: nobody's text is given away because nobody said anything.
    publishable = models.BooleanField(default=False)
    # As `imports/drafts/preview.py` made it of files and choices whose fingerprint is `preview_of`.
    preview = models.JSONField(default=dict)
    preview_of = models.CharField(max_length=64, blank=True)
    job = models.ForeignKey(Job, null=True, on_delete=models.SET_NULL, related_name="+")
    # What came of it. Its files are gone then.
    imported = models.ForeignKey(Import, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=models.Q(labels_as__in=LabelsAs.values), name="import_draft_labels_known"),
        ]
        indexes = [models.Index(fields=["expires_at"])]

    def __str__(self) -> str:
        return f"{self.dataset} #{self.pk}"

    @property
    def folder(self) -> str:
        """The folder of its files in the storage."""
        return f"{DRAFTS}/{self.key.hex}"

    def file(self, stored: str) -> str:
        """The name in the storage of one of its files."""
        return f"{self.folder}/{stored}"
