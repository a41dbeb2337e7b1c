"""Releases. Exports: a layer's labels in a format that another tool reads, written by a job and kept for a week."""

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
from annotator.models import JobKind, Release
from annotator.releases.queries.label_export import export_name, export_to_download
from annotator.releases.queries.releases import refused_downloads, why_not_downloaded
from api.pagination import PageQuery, page_of
from api.v1.answers import JobAnswer
from api.v1.export_shapes import ExportRequest, ReleaseDetailAnswer, ReleasesAnswer
from api.v1.schema import DOWNLOAD, FILE, ZIP, answers
from api.v1.sending import send
from api.v1.views.base import ProjectView


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
    """The project's releases, newest first. A job of the kind `release` makes one."""

    @extend_schema(operation_id="releases", parameters=[PageQuery], responses=answers(ReleasesAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        made = self.access.project.releases.select_related("created_by")
        rows, following = page_of(made, request)
        refused = refused_downloads(self.access, rows)
        found = [{"release": row, "refusal": refused[row.number]} for row in rows]
        return send(ReleasesAnswer, {"releases": found, "next": following})


class _ReleaseView(ProjectView):
    def release(self, number: int) -> tuple[Release, str]:
        """A release of the project, and why the user cannot download it."""
        found = self.access.project.releases.select_related("created_by").filter(number=number).first()
        if found is None:
            raise Http404(_("There is no such release in this project."))
        return found, why_not_downloaded(self.access, found)


class ReleaseView(_ReleaseView):
    """A release with its manifest, which counts what its files hold."""

    @extend_schema(operation_id="release", responses=answers(ReleaseDetailAnswer))
    def get(self, request: Request, slug: str, number: int) -> Response:
        found, refusal = self.release(number)
        if refusal:
            raise PermissionDenied(refusal)
        manifest = {name: value for name, value in found.manifest.items() if name != "left_out"}
        return send(ReleaseDetailAnswer, {"release": found, "refusal": refusal, "manifest": manifest})


class ReleaseFileView(_ReleaseView):
    """The file of a release."""

    @extend_schema(operation_id="release_file", responses=ZIP)
    def get(self, request: Request, slug: str, number: int) -> FileResponse:
        found, refusal = self.release(number)
        if refusal:
            raise PermissionDenied(refusal)
        return download(found.stored, called=found.file_name, sha256=found.sha256)
