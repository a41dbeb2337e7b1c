"""Archives: the whole project in one file. Written, listed, downloaded, deleted; uploaded, and restored."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import FileResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.backup.actions.keeping import delete_archive
from annotator.backup.actions.uploads import give_up, start_restoring, take_archive
from annotator.backup.queries.archives import archive_to_download, archives_of, last_archive, upload_for
from annotator.core.files.downloads import download
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind, User
from api.pagination import PageQuery, page_of
from api.parsers import ArchiveMultiPartParser
from api.v1 import archive_shapes as a
from api.v1.answers import JobAnswer
from api.v1.schema import ZIP, answers
from api.v1.sending import send
from api.v1.strict import checked
from api.v1.views.base import ApiView, ProjectView, check_empty, found, restorer


class ArchivesView(ProjectView):
    """The project's archives, and new ones."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="archives", parameters=[PageQuery], responses=answers(a.ArchivesAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        last = last_archive(self.access.project)
        rows, following = page_of(archives_of(self.access.project), request)
        changed = last.changed if last else None
        return send(a.ArchivesAnswer, {"archives": rows, "next": following, "changed": changed})

    @extend_schema(operation_id="start_archive", request=a.ArchiveRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts the job that writes one; also in a project that is read-only."""
        data = self.checked(a.ArchiveRequest, request.data)
        job = start_job(project=self.access.project, kind=JobKind.ARCHIVE, params=data, by=self.user)
        return send(JobAnswer, progress_of(job))


class ArchiveFileView(ProjectView):
    """An archive's file; deleting it."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="archive_file", responses=ZIP)
    def get(self, request: Request, slug: str, pk: int) -> FileResponse:
        archive = archive_to_download(self.access, pk)
        return download(archive.stored, called=archive.file_name)

    @extend_schema(operation_id="delete_archive", request=None, responses=answers(a.ArchiveGoneAnswer))
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        archive = found(archives_of(self.access.project), pk, _("This project backup does not exist."))
        delete_archive(archive=archive, by=self.user)
        return send(a.ArchiveGoneAnswer, {"id": pk})


class RestorerView(ApiView):
    """For those who may restore project backups."""

    user: User

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.user = restorer(request)
        if request.method == "DELETE":
            check_empty(request)

    def shown(self, key: UUID) -> Response:
        return send(a.UploadAnswer, upload_for(self.user, key))


class UploadsView(RestorerView):
    """Takes an archive, and says what it holds. Nothing of it is written to the database yet."""

    parser_classes = [ArchiveMultiPartParser]

    @extend_schema(
        operation_id="upload_archive",
        request={"multipart/form-data": a.UploadRequest},
        responses=answers(a.UploadAnswer, 400, 413),
    )
    def post(self, request: Request) -> Response:
        check_room(by=self.user, more=size_of(request))
        file = checked(a.UploadRequest, request.data)["file"]
        upload = take_archive(chunks=file.chunks(), name=file.name, by=self.user, now=timezone.now())
        return self.shown(upload.key)


class UploadView(RestorerView):
    """An archive that the user uploaded; giving it up, which deletes what was written of it."""

    @extend_schema(operation_id="uploaded_archive", responses=answers(a.UploadAnswer))
    def get(self, request: Request, key: UUID) -> Response:
        return self.shown(key)

    @extend_schema(operation_id="give_archive_up", request=None, responses=answers(a.UploadAnswer))
    def delete(self, request: Request, key: UUID) -> Response:
        give_up(upload=upload_for(self.user, key).upload, by=self.user)
        return self.shown(key)


class RestoreUploadView(RestorerView):
    """Starts the job that makes the project of an uploaded archive: all of it or nothing."""

    @extend_schema(operation_id="restore_archive", request=a.RestoreRequest, responses=answers(a.UploadAnswer, 400))
    def post(self, request: Request, key: UUID) -> Response:
        slug = checked(a.RestoreRequest, request.data)["slug"]
        upload = upload_for(self.user, key).upload
        start_restoring(upload=upload, slug=slug, by=self.user)
        return self.shown(key)
