"""A project's archives, and whether something was changed since one was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.files.storage import site_files
from annotator.jobs.queries import JobProgress, progress_of
from annotator.models import Archive, ArchiveUpload, Job, Project, User
from annotator.releases.queries.releases import why_not_while_blind
from annotator.work.blind.queries.blind import has_blind_work


@dataclass(frozen=True, slots=True)
class LastArchive:
    """The newest archive of a project; `changed`: something happened in the project that is not in it."""

    archive: Archive
    changed: bool


def archives_of(project: Project) -> QuerySet[Archive]:
    """The project's archives, newest first."""
    return project.archives.select_related("created_by", "job")


def last_archive(project: Project) -> LastArchive | None:
    """The newest one; None where there is none."""
    archive = archives_of(project).first()
    if archive is None:
        return None
    return LastArchive(archive, project.events.filter(pk__gt=archive.last_event).exists())


def archive_to_download(access: Access, pk: int) -> Archive:
    """One of the project's archives, for somebody who downloads it. Http404 where there is none, or its file is gone;
    PermissionDenied for the person who works blind in the project: an archive holds what others labelled."""
    found = archives_of(access.project).filter(pk=pk).first()
    if found is None or not site_files().exists(found.stored):
        raise Http404(_("This project backup does not exist."))
    if has_blind_work(access.user, access.project):
        raise PermissionDenied(why_not_while_blind(access.project))
    return found


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody in an archive."""

    username: str
    name: str


@dataclass(frozen=True, slots=True)
class Restoring:
    """An uploaded archive and what has become of it. `project`: once it is there; `progress`: while it is written."""

    upload: ArchiveUpload
    progress: JobProgress | None
    project: Project | None

    @property
    def about(self) -> dict[str, Any]:
        """As `actions.archive.looking.About`."""
        found: dict[str, Any] = self.upload.about
        return found

    @property
    def state(self) -> str:
        """ "waiting" to be started, "running", "done", or "over" where nothing came of it."""
        if self.project is not None:
            return "done"
        if self.upload.ended_at is not None:
            return "over"
        return "running" if self.progress is not None else "waiting"

    @property
    def people(self) -> list[Account]:
        """Who is in it."""
        return [
            Account(one["username"], f"{one['first_name']} {one['last_name']}".strip())
            for one in self.upload.about["people"]
        ]

    @property
    def error(self) -> str:
        """Why nothing came of it."""
        return self.upload.error_shown or (self.progress.job.error_shown if self.progress is not None else "")


def upload_for(user: User, key: UUID) -> Restoring:
    """An archive that this person uploaded; site admins see everybody's. Http404 for others."""
    uploads = ArchiveUpload.objects.all() if user.is_superuser else ArchiveUpload.objects.filter(created_by=user)
    upload = uploads.filter(key=key).first()
    if upload is None:
        raise Http404(_("This uploaded backup does not exist."))
    return _restoring(upload)


def uploads_of(user: User) -> list[Restoring]:
    """What this person uploaded and is not over yet, newest first."""
    return [_restoring(upload) for upload in ArchiveUpload.objects.filter(created_by=user, ended_at=None)]


def _restoring(upload: ArchiveUpload) -> Restoring:
    done = upload.ended_at is not None and not upload.error
    project = Project.objects.filter(pk=upload.project_id or 0, deleting_at=None).first() if done else None
    job = None if upload.ended_at else Job.objects.filter(pk=upload.job_id or 0).first()
    return Restoring(upload, progress_of(job) if job else None, project)
