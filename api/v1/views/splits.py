"""Splits: made by a job, looked into, downloaded, deleted as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.errors import ActionError
from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission
from annotator.imports.drafts.files import Upload
from annotator.jobs.actions import start_job
from annotator.jobs.queries import progress_of
from annotator.models import JobKind
from annotator.splits.actions.splits import delete_split
from annotator.splits.actions.uploads import drop_upload, store_upload
from annotator.splits.queries.stored import split_seen, splits_in, table_lines
from api.pagination import PageQuery, page_of
from api.parsers import LimitedJSONParser, LimitedMultiPartParser
from api.v1.answers import JobAnswer
from api.v1.schema import TSV, answers
from api.v1.sending import send
from api.v1.split_shapes import (
    DeletedSplitAnswer,
    ImportSplitRequest,
    SplitDetailAnswer,
    SplitRequest,
    SplitsAnswer,
)
from api.v1.strict import check_keys
from api.v1.views.base import ProjectView, found


class SplitsView(ProjectView):
    """The project's splits, newest first."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="splits", parameters=[PageQuery], responses=answers(SplitsAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        rows, following = page_of(splits_in(self.access.project), request)
        return send(SplitsAnswer, {"splits": rows, "next": following})

    @extend_schema(operation_id="start_split", request=SplitRequest, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Starts the job that makes one."""
        self.access.require(Permission.MANAGE)
        data = self.checked(SplitRequest, request.data)
        params = {**data, "layer": self.layer(data["layer"]).pk}
        job = start_job(project=self.access.project, kind=JobKind.SPLIT, params=params, by=self.user)
        return send(JobAnswer, progress_of(job))


class ImportSplitView(ProjectView):
    """Published splits."""

    needs = Permission.MANAGE
    parser_classes = [LimitedMultiPartParser, LimitedJSONParser]

    @extend_schema(
        operation_id="import_split",
        request={"multipart/form-data": ImportSplitRequest},
        responses=answers(JobAnswer, 400, 413),
    )
    def post(self, request: Request, slug: str) -> Response:
        """Stores the files, and starts the job that ties them to the project's items."""
        project = self.access.project
        check_room(by=self.user, more=size_of(request))
        check_keys(ImportSplitRequest(), request.data)
        files = request.FILES.getlist("files")
        given: Mapping[str, Any] = request.data if isinstance(request.data, Mapping) else {}
        data = self.checked(ImportSplitRequest, {**dict(given.items()), "files": files})
        layer = self.layer(data["layer"])
        key = store_upload(
            project=project, uploads=[Upload(file.name or "", file.chunks()) for file in files], by=self.user
        )
        params = {"name": data["name"], "layer": layer.pk, "partial": data["partial"]}
        try:
            job = start_job(
                project=project,
                kind=JobKind.SPLIT,
                params={**params, "method": "imported", "upload": key},
                by=self.user,
            )
        except ActionError:
            drop_upload(project.pk, key)
            raise
        return send(JobAnswer, progress_of(job))


class SplitView(ProjectView):
    """One split. It is for nobody who works blind: what is in which part may follow from gold."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="split", responses=answers(SplitDetailAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(SplitDetailAnswer, split_seen(self.access, pk))

    @extend_schema(operation_id="delete_split", request=None, responses=answers(DeletedSplitAnswer, 400))
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Deletes it. Releases that have it keep their files."""
        self.access.require(Permission.MANAGE)
        split = found(splits_in(self.access.project), pk, _("There is no such split in this project."))
        delete_split(split=split, by=self.user)
        return send(DeletedSplitAnswer, {"id": pk})


class SplitFileView(ProjectView):
    """The split as a table: an item per line, with its ID and its part."""

    needs = Permission.ADJUDICATE

    @extend_schema(operation_id="split_file", responses=TSV)
    def get(self, request: Request, slug: str, pk: int) -> StreamingHttpResponse:
        split = split_seen(self.access, pk)
        response = StreamingHttpResponse(table_lines(split), content_type="text/tab-separated-values")
        response.headers["Content-Disposition"] = f'attachment; filename="{split.name}.tsv"'
        return response
