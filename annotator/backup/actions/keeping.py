"""Archives that a project's managers keep: written by a job while people continue saving, downloaded, deleted.

A project's archives are no part of it: what is logged of them is logged outside, and no archive holds another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from django.db import transaction

from annotator.backup.actions.writing import Report, write_archive
from annotator.core.database.snapshot import beside
from annotator.core.events import log
from annotator.core.files.part_file import PartFile, written
from annotator.core.files.room import check_room
from annotator.domain.verbs import Verb
from annotator.models import Archive, Job, User
from annotator.models.archive import archives_of


@dataclass(frozen=True)
class PreparedArchive:
    """An archive that is not stored yet."""

    file: PartFile
    last_event: int


def prepare_archive(*, job: Job, pseudonyms: bool, report: Report) -> PreparedArchive:
    """Write the archive of a job's project: what one state of the database has. Call it outside of a transaction.

    `report` is called on a connection of its own, so it may write; what it raises ends the writing. Raises ActionError
    where a release's file is missing. Nothing is left then.
    """
    last_event = 0

    def write(file: IO[bytes]) -> None:
        nonlocal last_event
        with beside(report) as reported:
            last_event = write_archive(project=job.project, file=file, pseudonyms=pseudonyms, report=reported)

    file = written(archives_of(job.project_id), write)
    return PreparedArchive(file, last_event)


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
    prepared.file.name(archive.path)
    about = {"archive": archive.pk, "sha256": archive.sha256, "size": archive.size, "pseudonyms": archive.pseudonyms}
    log(project=None, actor=job.created_by, verb=Verb.ARCHIVE_WRITTEN, subject=job.project, after=about)
    return archive


@transaction.atomic
def delete_archive(*, archive: Archive, by: User | None) -> None:
    """Delete an archive and its file. The project stays as it is."""
    about = {"archive": archive.pk, "sha256": archive.sha256, "size": archive.size}
    path = archive.path
    archive.delete()
    log(project=None, actor=by, verb=Verb.ARCHIVE_DELETED, subject=archive.project, before=about)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
