"""Releases; and exports, a layer's labels in a format that another tool reads, kept for a week. Jobs write both."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.files.downloads import download
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.releases.queries.label_export import export_name, export_to_download
from annotator.releases.queries.releases import why_not_downloaded
from api.v1.answers import JobAnswer
from api.v1.export_shapes import ExportRequest, ReleaseRequest, ReleasesAnswer
from api.v1.schema import DOWNLOAD, FILE, ZIP, answers
from api.v1.sending import send
from api.v1.views.base import ProjectView

# Releases of a list.
MAX_LISTED = 1000


class ExportsView(ProjectView):
    """Exports of the project's labels."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="start_export", request=ExportRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts the job that writes one; also in a project that is read-only."""
        data = self.checked(ExportRequest, request.data)
        return send(
            JobAnswer,
            progress_of(start_job(project=self.access.project, kind=JobKind.EXPORT, params=data, by=self.user)),
        )


class ExportFileView(ProjectView):
    """The file of a finished export: a zip where it has several."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="export_file", responses=DOWNLOAD)
    def get(self, request: Request, slug: str, pk: int) -> FileResponse:
        job = export_to_download(self.access, pk)
        response = download(job.exported, called=export_name(job))
        # Its format may be any.
        response.headers["Content-Type"] = FILE
        return response


class ReleasesView(ProjectView):
    """The project's releases, newest first."""

    @extend_schema(operation_id="releases", responses=answers(ReleasesAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return send(ReleasesAnswer, {"releases": self.access.project.releases.all()[:MAX_LISTED]})

    @extend_schema(operation_id="start_release", request=ReleaseRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts the job that makes one. Its result has the number."""
        self.access.require(Permission.MANAGE)
        data = self.checked(ReleaseRequest, request.data)
        job = start_job(project=self.access.project, kind=JobKind.RELEASE, params=data, by=self.user)
        return send(JobAnswer, progress_of(job))


class ReleaseFileView(ProjectView):
    """The zip of a release. Refused to anyone who may not see all that it contains, such as people with blind items."""

    @extend_schema(operation_id="release_file", responses=ZIP)
    def get(self, request: Request, slug: str, number: int) -> FileResponse:
        release = self.access.project.releases.filter(number=number).first()
        if release is None:
            raise Http404(_("There is no such release in this project."))
        if reason := why_not_downloaded(self.access, release):
            raise PermissionDenied(reason)
        return download(release.stored, called=release.file_name)
