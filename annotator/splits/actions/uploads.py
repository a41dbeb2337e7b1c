"""The files of published splits, kept in the storage until the job has read them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from django.utils import timezone

from annotator.core.files.storage import site_files
from annotator.formats.splits.published import Source
from annotator.imports.drafts.files import Upload, store_files
from annotator.models import Project, User
from annotator.models.split import splits_of

# What a failed or cancelled job leaves is of no use then.
KEPT_FOR = timedelta(days=7)
_NAMES = "names.json"


def store_upload(*, project: Project, uploads: Sequence[Upload], by: User | None) -> str:
    """Store the files of a published split; the key by which a job finds them. Archives are unpacked. What older jobs
    left is deleted. Raises UploadError and NoRoomError."""
    sweep_uploads(project.pk, now=timezone.now())
    key = str(uuid.uuid4())
    folder = _folder(project.pk, key)
    stored = store_files(folder, uploads, by=by)
    path = site_files().here(f"{folder}/{_NAMES}")
    path.write_text(json.dumps({one.stored: one.name for one in stored}), encoding="utf-8")
    site_files().publish(f"{folder}/{_NAMES}")
    return key


def uploaded(project: int, key: str) -> list[Source]:
    """The files of an upload. Raises FileNotFoundError where they are gone."""
    folder = _folder(project, key)
    [listed] = site_files().fetch(f"{folder}/{_NAMES}")
    names: dict[str, str] = json.loads(listed.read_text(encoding="utf-8"))
    paths = site_files().fetch(*(f"{folder}/{stored}" for stored in names))
    return [Source(name, path) for name, path in zip(names.values(), paths, strict=True)]


def drop_upload(project: int, key: str) -> None:
    """Delete the files of an upload."""
    site_files().delete_folder(_folder(project, key))


def sweep_uploads(project: int, *, now: datetime) -> None:
    """Delete the files of uploads that no job has read in time."""
    with suppress(FileNotFoundError):
        for file in list(site_files().files(splits_of(project))):
            if file.modified < now - KEPT_FOR:
                site_files().delete(file.name)


def _folder(project: int, key: str) -> str:
    return f"{splits_of(project)}/{key}"
