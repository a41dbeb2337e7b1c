"""Exports: a layer's labels in a format that another tool reads, written by a job and kept for a week."""

from __future__ import annotations

from django.http import FileResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.files.downloads import download
from annotator.core.permissions import Permission
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.releases.queries.label_export import export_name, export_to_download
from api.v1.answers import JobAnswer
from api.v1.export_shapes import ExportRequest
from api.v1.schema import DOWNLOAD, FILE, answers
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
