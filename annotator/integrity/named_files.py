"""The files that rows name, as the storage calls them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Model

from annotator.models import Archive, ArchiveUpload, ImportDraft, Release, TrainedDetector

CHUNK = 500


@dataclass(frozen=True)
class NamedFile:
    """A file that a row names, or with `is_folder` a folder of files. `size` and `sha256` where the row says them."""

    name: str
    row: Model
    says: str
    size: int | None = None
    sha256: str = ""
    is_folder: bool = False

    @property
    def is_still_named(self) -> bool:
        """Whether its row is there by now, and names it: files go after their rows, or with their project."""
        return any(one.name == self.name for one in _of_row(type(self.row), self.row.pk))


def named_files() -> Iterator[NamedFile]:
    """All of them."""
    for model in (Release, Archive, TrainedDetector, ImportDraft, ArchiveUpload):
        yield from _of_row(model, None)


def _of_row(model: type[Model], pk: int | None) -> Iterator[NamedFile]:
    rows = model._default_manager.order_by("pk") if pk is None else model._default_manager.filter(pk=pk)
    if model is Release or model is Archive or model is TrainedDetector:
        rows = rows.select_related("project")
        if pk is not None:
            rows = rows.filter(project__deleting_at=None)
    for row in rows.iterator(chunk_size=CHUNK):
        yield from _files(row)


def _files(row: Model) -> Iterator[NamedFile]:
    match row:
        case Release():
            says = f"release {row.number} of {row.project.slug}"
            yield NamedFile(f"releases/{row.project.slug}/{row.file_name}", row, says, row.size, row.sha256)
        case Archive():
            says = f"project backup {row.pk} of {row.project.slug}"
            yield NamedFile(f"archives/{row.project_id}/{row.job_id}.zip", row, says, row.size, row.sha256)
        case TrainedDetector(active=True):
            yield NamedFile(f"models/{row.folder}", row, f"detector {row.pk} of {row.project.slug}", is_folder=True)
        case ImportDraft(imported_id=None):
            for one in row.files:
                says = f'"{one["name"]}" of unfinished import {row.pk}'
                name = f"uploads/drafts/{row.key.hex}/{one['stored']}"
                yield NamedFile(name, row, says, one["size"], one["sha256"])
        case ArchiveUpload(ended_at=None):
            yield NamedFile(f"uploads/archives/{row.key.hex}.zip", row, f"uploaded backup {row.pk}", row.size)
