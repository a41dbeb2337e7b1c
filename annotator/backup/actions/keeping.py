"""Archives that a project's managers keep: written by a job while people continue saving, downloaded, deleted.

A project's archives are no part of it: what is logged of them is logged outside, and no archive holds another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import IO

from django.db import transaction

from annotator.backup.actions.writing import Report, Written, write_archive
from annotator.core.database.snapshot import beside
from annotator.core.events import log
from annotator.core.files.part_file import STRAY_AFTER, PartFile, written
from annotator.core.files.room import check_room
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.models import Archive, Job, JobKind, User
from annotator.models.archive import ARCHIVES


@dataclass(frozen=True)
class PreparedArchive:
    """An archive that is not stored yet."""

    file: PartFile
    last_event: int
    missing_releases: list[int]


def prepare_archive(*, job: Job, pseudonyms: bool, report: Report) -> PreparedArchive:
    """Write the archive of a job's project: what one state of the database has. Call it outside of a transaction.

    `report` is called on a connection of its own, so it may write; what it raises ends the writing. Nothing is left
    then.
    """
    found = Written(0, [])

    def write(file: IO[bytes]) -> None:
        nonlocal found
        with beside(report) as reported:
            found = write_archive(project=job.project, file=file, pseudonyms=pseudonyms, report=reported)

    file = written(write)
    return PreparedArchive(file, found.last_event, found.missing_releases)


@transaction.atomic
def store_archive(*, job: Job, prepared: PreparedArchive) -> Archive:
    """Keep a prepared archive; the one that `job` made before, if it was run again.

    Raises NoRoomError where the account that asked for it can keep no more.
    """
    made = Archive.objects.filter(job=job).first()
    if made is not None:
        return made
    check_room(by=job.created_by, more=prepared.file.size)
    archive = Archive.objects.create(
        project=job.project,
        job=job,
        pseudonyms=job.params["pseudonyms"],
        sha256=prepared.file.sha256,
        size=prepared.file.size,
        last_event=prepared.last_event,
        created_by=job.created_by,
    )
    prepared.file.name(archive.stored)
    about = {"archive": archive.pk, "sha256": archive.sha256, "size": archive.size, "pseudonyms": archive.pseudonyms}
    if prepared.missing_releases:
        about["missing_releases"] = prepared.missing_releases
    log(project=None, actor=job.created_by, verb=Verb.ARCHIVE_WRITTEN, subject=job.project, after=about)
    return archive


@transaction.atomic
def delete_archive(*, archive: Archive, by: User | None) -> None:
    """Delete an archive and its file. The project stays as it is."""
    about = {"archive": archive.pk, "sha256": archive.sha256, "size": archive.size}
    stored = archive.stored
    archive.delete()
    log(project=None, actor=by, verb=Verb.ARCHIVE_DELETED, subject=archive.project, before=about)
    transaction.on_commit(lambda: site_files().delete(stored), robust=True)


def sweep_archives(*, now: datetime) -> int:
    """Delete files of archives that no row names, though the job that wrote them is over. Returns how many it was.

    Files that this database does not know may belong to another copy, and stay.
    """
    files = site_files()
    kept = {archive.stored for archive in Archive.objects.all()}
    old = [file.name for file in files.files(ARCHIVES) if file.modified < now - STRAY_AFTER]
    stray = [name for name in old if name not in kept and _is_over(PurePosixPath(name).stem)]
    for name in stray:
        files.delete(name)
    return len(stray)


def _is_over(number: str) -> bool:
    """Whether this is the number of a job that wrote an archive, or tried to."""
    job = Job.objects.filter(pk=int(number), kind=JobKind.ARCHIVE).first() if number.isdecimal() else None
    return job is not None and job.finished
