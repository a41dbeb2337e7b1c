"""Releases: gold as an immutable zip with its manifest.

A release is prepared from one snapshot, while people continue saving; what they decide meanwhile is in the next one.
Storing it is short: it gets its name in the storage and its row.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from django.db import transaction
from django.db.models import Max

from annotator.core.database.locks import lock_project
from annotator.core.database.snapshot import snapshot
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.part_file import PartFile, written
from annotator.core.files.room import check_room
from annotator.domain.labels.label_uses import LabelUseError
from annotator.domain.verbs import Verb
from annotator.models import Event, Job, Project, Release
from annotator.models.release import release_file
from annotator.releases.actions.pseudonyms import give_pseudonyms
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.exports import ReleaseFiles, release_files, renumbered
from annotator.releases.queries.published_layout import ExportError
from annotator.releases.queries.standoff import standoff_files
from annotator.work.gold.queries.left_out import MissingGoldError

# Zips know no time zone and begin in 1980; the same files always give the same bytes.
NO_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class PreparedRelease:
    """A release that is not stored yet."""

    number: int
    content: ReleaseFiles
    file: PartFile


def prepare_release(
    *,
    job: Job,
    partial: bool,
    mapping: str = "",
    sample_seed: int | None = None,
    sample_uses: Mapping[str, str] | None = None,
    comments: bool = False,
    splits: Sequence[int] = (),
    standoff: bool = False,
) -> PreparedRelease:
    """Read the project's gold in one snapshot and write it into a zip. Call it outside of a transaction. `standoff`:
    without a word of the texts, and so without what the other settings but `splits` ask for.

    Raises ActionError, naming the counts, when gold is missing and the release is not `partial`.
    """
    give_pseudonyms(job.project)
    with snapshot():
        project = Project.objects.get(pk=job.project_id)
        last_event = Event.objects.filter(project=project).aggregate(last=Max("pk"))["last"] or 0
        number = _next_number(project)
        about = {"number": number, "date": job.created_at.date().isoformat(), "last_event": last_event}
        try:
            if standoff:
                content = standoff_files(project, partial=partial, splits=splits, about=about)
            else:
                content = release_files(
                    project,
                    partial=partial,
                    mapping=mapping,
                    sample_seed=sample_seed,
                    sample_uses=sample_uses,
                    comments=comments,
                    splits=splits,
                    about=about,
                )
        except (MissingGoldError, ExportError, LabelUseError) as error:
            raise ActionError(error.message) from error
    return _written(project, number, content)


@transaction.atomic
def store_release(*, job: Job, prepared: PreparedRelease) -> Release:
    """Make a prepared release the project's next one; the one that `job` made before, if it was run again.

    Raises NoRoomError where the account that asked for it can keep no more.
    """
    project: Project = job.project
    # Releases of a project are numbered one after the other.
    lock_project(project)
    made = Release.objects.filter(job=job).first()
    if made is not None:
        return made
    number = _next_number(project)
    if number != prepared.number:
        # Another release was stored while this one was prepared; its manifest says the number.
        prepared = _written(project, number, renumbered(prepared.content, number))
    name = f"{project.slug}-{number}.zip"
    check_room(by=job.created_by, more=prepared.file.size)
    prepared.file.name(release_file(project, name))
    release = Release.objects.create(
        project=project,
        number=number,
        job=job,
        file_name=name,
        sha256=prepared.file.sha256,
        size=prepared.file.size,
        manifest=prepared.content.manifest,
        created_by=job.created_by,
    )
    log(
        project=project,
        actor=job.created_by,
        verb=Verb.RELEASE_CREATE,
        subject=release,
        after={
            "number": number,
            "partial": release.manifest["partial"],
            "sha256": release.sha256,
            "size": release.size,
        },
    )
    return release


def write_zip(file: IO[bytes], files: ReleaseFolder) -> None:
    """A zip of files, in the order of their paths; the same files give the same bytes."""
    with zipfile.ZipFile(file, "w") as archive:
        for name in files:
            info = zipfile.ZipInfo(name, NO_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.file_size = files.size(name)
            with files.open(name) as content, archive.open(info, "w") as member:
                shutil.copyfileobj(content, member)


def _next_number(project: Project) -> int:
    return (project.releases.aggregate(last=Max("number"))["last"] or 0) + 1


def _written(project: Project, number: int, content: ReleaseFiles) -> PreparedRelease:
    file = written(lambda file: write_zip(file, content.files))
    return PreparedRelease(number, content, file)
