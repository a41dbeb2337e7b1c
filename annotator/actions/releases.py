"""Releases: gold as an immutable zip with its manifest."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from annotator.actions.errors import ActionError
from annotator.actions.events import log
from annotator.actions.locks import lock_project
from annotator.models import Job, Project, Release
from annotator.queries.corpus import MissingGoldError
from annotator.queries.exports import ExportError, release_files

# Zips know no time zone and begin in 1980; the same files always give the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)


@transaction.atomic
def create_release(*, job: Job, partial: bool) -> Release:
    """Write the project's gold as its next release; the one that `job` made before, if it was run again.

    Raises ActionError, naming the counts, when gold is missing and the release is not `partial`.
    """
    # Releases of a project are numbered one after the other.
    lock_project(job.project)
    project = Project.objects.get(pk=job.project_id)
    made = Release.objects.filter(job=job).first()
    if made is not None:
        return made
    number = (project.releases.aggregate(last=Max("number"))["last"] or 0) + 1
    about = {"number": number, "date": job.created_at.date().isoformat()}
    try:
        content = release_files(project, partial=partial, about=about)
    except (MissingGoldError, ExportError) as error:
        raise ActionError(str(error)) from error
    data = zipped(content.files)
    name = f"{project.slug}-{number}.zip"
    _write(release_path(project, name), data)
    release = Release.objects.create(
        project=project,
        number=number,
        job=job,
        file_name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        manifest=content.manifest,
        created_by=job.created_by,
    )
    log(
        project=project,
        actor=job.created_by,
        verb="release.create",
        subject=release,
        after={"number": number, "partial": partial, "sha256": release.sha256, "size": release.size},
    )
    return release


def release_path(project: Project, file_name: str) -> Path:
    """Where a release of the project lies."""
    return Path(settings.RELEASES_DIR) / project.slug / file_name


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of `files` (path: content), in the order of their paths; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, NO_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])
    return buffer.getvalue()


def _write(path: Path, data: bytes) -> None:
    """Write beside `path`, then rename: what lies there is whole, also when the power goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
