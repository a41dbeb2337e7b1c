"""Archives that people upload, and the projects that are made of them by a job: all of it or nothing.

The file is kept until the project is there, the restoring failed or was discarded. What was written by then is deleted
as a project is (`projects/actions/delete_project.py`), with the placeholders of its people.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.backup.actions.looking import look_into, opened
from annotator.backup.actions.restoring import clear_project, fill_project, hidden_project, publish_restored
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.files.room import check_projects, check_room, room_left
from annotator.core.files.storage import site_files
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.states import JobState
from annotator.domain.verbs import Verb
from annotator.jobs import handlers as jobs
from annotator.jobs.actions import ACTIVE, send_on_commit
from annotator.jobs.running import change_state
from annotator.models import ArchiveUpload, Job, JobKind, Membership, Project, Role, User
from annotator.models.archive_upload import ARCHIVE_UPLOADS
from annotator.models.stored_error import error_columns

# An upload that nobody started, and the note of how one ended.
KEPT_FOR = timedelta(days=1)


def take_archive(*, chunks: Iterable[bytes], name: str, by: User, now: datetime) -> ArchiveUpload:
    """Keep an uploaded archive, and find out what it holds. Nothing of it is written to the database but that.

    Raises ActionError for a file that is no archive of ours or larger than ARCHIVE_MAX_BYTES; nothing is kept then.
    """
    upload = ArchiveUpload(key=uuid.uuid4(), name=name[-200:], created_by=by, expires_at=now + KEPT_FOR)
    left = room_left(by=by)
    files = site_files()
    path = files.here(upload.stored)
    try:
        with path.open("xb") as file:
            for chunk in chunks:
                file.write(chunk)
                if left is not None and file.tell() > left:
                    check_room(by=by, more=file.tell())
                if file.tell() > settings.ARCHIVE_MAX_BYTES:
                    too_large = _(
                        "%(name)s is larger than %(most)d MB. Raise ARCHIVE_MAX_BYTES in the site's settings."
                    )
                    most = settings.ARCHIVE_MAX_BYTES // (1024 * 1024)
                    raise ActionError(message(too_large, name=upload.name, most=most))
            upload.size = file.tell()
        with path.open("rb") as kept, opened(kept) as archive:
            upload.about = dict(look_into(archive))
        files.publish(upload.stored)
        with transaction.atomic():
            check_room(by=by, more=upload.size)
            upload.save(force_insert=True)
    except BaseException:
        path.unlink(missing_ok=True)
        files.delete(upload.stored)
        raise
    return upload


def start_restoring(*, upload: ArchiveUpload, slug: str, by: User) -> Job:
    """Start the job that makes the project of an upload, under this short name, which is taken from now on.

    Raises ActionError for a short name that is taken or cannot be one, for an upload that was started before, and
    where the account can have no more projects.
    """
    try:
        with transaction.atomic():
            return _start(upload, slug, by)
    except IntegrityError as error:
        raise ActionError(message(_("The short name “%(slug)s” is taken. Choose another one."), slug=slug)) from error


def _start(upload: ArchiveUpload, slug: str, by: User) -> Job:
    row = _held(upload)
    if row.job_id is not None:
        raise ActionError(message(_("This backup is already being restored.")))
    with site_files().open(row.stored) as file, opened(file) as archive:
        project = hidden_project(archive=archive, slug=slug)
    check_projects(by=by)
    Project.objects.filter(pk=project.pk).update(created_by=by, size=row.size)
    job = Job.objects.create(project=project, kind=JobKind.RESTORE, params={"upload": row.key.hex}, created_by=by)
    row.project_id, row.job_id = project.pk, job.pk
    row.save(update_fields=["project_id", "job_id"])
    log(project=None, actor=by, verb=Verb.JOB_START, subject=job, after={"kind": job.kind, "params": job.params})
    send_on_commit(job)
    return job


def run_restoring(*, job: Job, report: jobs.Progress) -> None:
    """Write the project of the job's upload, hidden. What a worker that died had written is deleted first.

    Raises ArchiveError; then the restoring is discarded, and another job deletes what was written.
    """
    upload = upload_of(job)
    try:
        clear_project(project=job.project, keep=job)
        with site_files().open(upload.stored) as file, opened(file) as archive:
            fill_project(archive=archive, project=job.project, report=lambda written, _all: report(written))
    except jobs.Interrupted:
        raise
    except ActionError as error:
        give_up(upload=upload, error=error.message, by=None)
        raise


def finish_restoring(*, job: Job) -> None:
    """Publish the project that the job wrote; whoever started it is a manager there. In the job's last transaction."""
    upload = upload_of(job)
    publish_restored(project=job.project, left_out=upload.about["left_out"], by=job.created_by)
    if job.created_by is not None and not job.created_by.is_superuser:
        _let_in(job.project, job.created_by)
    _end(upload, "")


def upload_of(job: Job) -> ArchiveUpload:
    """What a job restores. Raises ActionError when it is over, or its file is gone."""
    found = ArchiveUpload.objects.filter(job_id=job.pk, ended_at=None).first()
    if found is None or not site_files().exists(found.stored):
        raise _gone()
    return found


@transaction.atomic
def give_up(*, upload: ArchiveUpload, error: Sentence = "", by: User | None) -> None:
    """End what was uploaded: its job is cancelled, what was written goes, and its file too. `error`: why it failed.

    What has ended is left alone.
    """
    row = ArchiveUpload.objects.select_for_update().filter(pk=upload.pk, ended_at=None).first()
    if row is None:
        return
    job = None if row.job_id is None else Job.objects.select_for_update(of=("self",)).filter(pk=row.job_id).first()
    if job is not None:
        _take_away(row, job, cancelled=not error, by=by)
    _end(row, error or message(_("It was cancelled.")))


def _take_away(upload: ArchiveUpload, job: Job, *, cancelled: bool, by: User | None) -> None:
    """Start what deletes the hidden project, after the worker that may still be at it."""
    # A job that failed says so itself.
    if cancelled and change_state(job.pk, JobState.CANCELLED, finished_at=timezone.now()):
        after = {"state": JobState.CANCELLED.value}
        log(project=None, actor=by, verb=Verb.JOB_CANCEL, subject=job, before={"state": job.state}, after=after)
    delete = Job.objects.create(project_id=job.project_id, kind=JobKind.DELETE, created_by=by)
    send_on_commit(delete)


def sweep_uploads(*, now: datetime) -> int:
    """Give up uploads that nobody started in time or whose job ended without them, and forget what ended long ago.

    Returns how many were discarded.
    """
    over = 0
    for row in ArchiveUpload.objects.filter(ended_at=None):
        job = Job.objects.filter(pk=row.job_id).first() if row.job_id else None
        if (row.job_id is None and row.expires_at < now) or (job is not None and job.state not in ACTIVE):
            give_up(upload=row, error=job.error_kept if job else "", by=None)
            over += 1
    ArchiveUpload.objects.filter(ended_at__lt=now - KEPT_FOR).delete()
    kept = {row.stored for row in ArchiveUpload.objects.filter(ended_at=None)}
    for file in site_files().files(ARCHIVE_UPLOADS):
        if file.name not in kept and file.modified < now - KEPT_FOR:
            site_files().delete(file.name)
    return over


def _held(upload: ArchiveUpload) -> ArchiveUpload:
    row = ArchiveUpload.objects.select_for_update().filter(pk=upload.pk, ended_at=None).first()
    if row is None or not site_files().exists(row.stored):
        raise _gone()
    return row


def _gone() -> ActionError:
    return ActionError(message(_("The uploaded backup no longer exists. Upload it again.")))


def _let_in(project: Project, user: User) -> None:
    """Make a person a manager, also where the project is read-only."""
    row = Membership.objects.filter(project=project, user=user).first()
    if row is not None and row.role == Role.MANAGER:
        return
    before = {"user": user.pk, "role": row.role} if row else None
    row = row or Membership(project=project, user=user)
    row.role = Role.MANAGER
    row.save()
    after = {"user": user.pk, "role": row.role}
    verb = Verb.MEMBER_ROLE if before else Verb.MEMBER_ADD
    log(project=project.pk, actor=user, verb=verb, subject=row, before=before, after=after)


def _end(upload: ArchiveUpload, error: Sentence) -> None:
    ArchiveUpload.objects.filter(pk=upload.pk).update(ended_at=timezone.now(), **error_columns(error))
    stored = upload.stored
    transaction.on_commit(lambda: site_files().delete(stored), robust=True)
