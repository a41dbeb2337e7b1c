"""Imports step by step: files, how they are read, what they would bring, and off they go."""

from __future__ import annotations

import csv
from itertools import islice

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.files.room import check_room
from annotator.core.files.uploaded import size_of
from annotator.core.permissions import Permission
from annotator.imports.drafts.drafts import (
    Upload,
    add_files,
    add_text,
    change_draft,
    correct_split,
    drop_draft,
    preview_draft,
    remove_file,
    start_check,
    start_draft,
    start_import,
)
from annotator.imports.drafts.sentences import sentence_page
from annotator.imports.queries.drafts import drafts_of
from annotator.imports.reading.problems import problems_csv
from annotator.jobs.queries import progress_of
from annotator.models import ImportDraft
from api.pagination import PageQuery, page_of
from api.parsers import LimitedJSONParser, LimitedMultiPartParser, LongJSONParser
from api.v1 import import_shapes as i
from api.v1.answers import JobAnswer
from api.v1.schema import answers
from api.v1.sending import send
from api.v1.strict import check_keys
from api.v1.views.base import NO_BODY, ProjectView, found


class ManagedView(ProjectView):
    """For managers: a draft of the project."""

    needs = Permission.MANAGE

    def draft(self, pk: int) -> ImportDraft:
        rows = self.access.project.import_drafts.select_related("project", "job")
        return found(rows, pk, _("There is no such import in this project."))


class DraftsView(ManagedView):
    """Imports that were begun and not finished, and new ones."""

    @extend_schema(operation_id="drafts", parameters=[PageQuery], responses=answers(i.DraftsAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        rows, following = page_of(drafts_of(self.access.project), request)
        return send(i.DraftsAnswer, {"drafts": rows, "next": following})

    @extend_schema(operation_id="start_draft", request=i.DraftRequest, responses=answers(i.DraftAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(i.DraftRequest, request.data)
        return send(i.DraftAnswer, start_draft(project=self.access.project, by=self.user, dataset=data["dataset"]))


class DraftView(ManagedView):
    """One import that was begun: looked at, changed, given up."""

    @extend_schema(operation_id="draft", responses=answers(i.DraftAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(i.DraftAnswer, self.draft(pk))

    @extend_schema(operation_id="change_draft", request=i.ChangeRequest, responses=answers(i.DraftAnswer, 400))
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        data = self.checked(i.ChangeRequest, request.data)
        return send(i.DraftAnswer, change_draft(draft=draft, changes=data, by=self.user))

    @extend_schema(operation_id="drop_draft", request=None, responses=answers(i.DroppedAnswer, 400))
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        drop_draft(draft=self.draft(pk), by=self.user)
        return send(i.DroppedAnswer, {"id": pk})


class FilesView(ManagedView):
    """Adds files, all of them or none; zips and gzip are unpacked."""

    parser_classes = [LimitedMultiPartParser, LimitedJSONParser]

    @extend_schema(
        operation_id="add_files",
        request={"multipart/form-data": i.FilesRequest},
        responses=answers(i.DraftAnswer, 400, 413),
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        check_room(by=self.user, more=size_of(request), instead_of=draft.size)
        check_keys(i.FilesRequest(), request.data)
        files = request.FILES.getlist("files")
        self.checked(i.FilesRequest, {"files": files})
        uploads = [Upload(file.name or "", file.chunks()) for file in files]
        return send(i.DraftAnswer, add_files(draft=draft, uploads=uploads, by=self.user))


class FileView(ManagedView):
    """Takes a file away again."""

    @extend_schema(operation_id="remove_file", request=None, responses=answers(i.DraftAnswer, 400))
    def delete(self, request: Request, slug: str, pk: int, file: str) -> Response:
        return send(i.DraftAnswer, remove_file(draft=self.draft(pk), file=file, by=self.user))


class TextView(ManagedView):
    """Adds text as a file."""

    parser_classes = [LongJSONParser]

    @extend_schema(operation_id="add_text", request=i.PastedTextRequest, responses=answers(i.DraftAnswer, 400, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        check_room(by=self.user, more=size_of(request), instead_of=draft.size)
        data = self.checked(i.PastedTextRequest, request.data)
        return send(i.DraftAnswer, add_text(draft=draft, name=data["name"], text=data["text"], by=self.user))


class PreviewView(ManagedView):
    """What it would bring; of very large files, their beginning: `check` reads all of them."""

    @extend_schema(operation_id="preview_draft", responses=answers(i.PreviewAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(i.PreviewAnswer, preview_draft(draft=self.draft(pk)))


class ProblemsView(ManagedView):
    """All that is wrong with the files, page by page, as the preview finds it."""

    @extend_schema(
        operation_id="draft_problems", parameters=[i.ProblemsQuery], responses=answers(i.ProblemsAnswer, 400)
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        asked = self.asked(i.ProblemsQuery)
        # Worked out once for the same files and choices.
        preview_draft(draft=draft)
        rows = csv.DictReader(problems_csv(draft))
        page = [
            {**row, "line": int(row["line"])} for row in islice(rows, asked["after"], asked["after"] + asked["limit"])
        ]
        total = draft.preview.get("errors", 0) + draft.preview.get("warnings", 0)
        return send(i.ProblemsAnswer, {"problems": page, "total": total})


class SentencesView(ManagedView):
    """All sentences of a draft, page by page; POST corrects where one begins."""

    @extend_schema(
        operation_id="draft_sentences", parameters=[i.SentencesQuery], responses=answers(i.SentencesAnswer, 400)
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        asked = self.asked(i.SentencesQuery)
        return send(
            i.SentencesAnswer,
            sentence_page(draft, cursor=asked["cursor"], file=asked["file"], line=asked["line"]),
        )

    @extend_schema(operation_id="correct_sentence", request=i.CorrectionRequest, responses=answers(i.DraftAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        data = self.checked(i.CorrectionRequest, request.data)
        return send(
            i.DraftAnswer,
            correct_split(
                draft=draft,
                of="splits",
                key=data["paragraph"],
                place=data["place"],
                what=data["correction"],
                by=self.user,
            ),
        )


class TokensView(ManagedView):
    """Corrects where a token begins."""

    @extend_schema(
        operation_id="correct_token", request=i.TokenCorrectionRequest, responses=answers(i.DraftAnswer, 400)
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        draft = self.draft(pk)
        data = self.checked(i.TokenCorrectionRequest, request.data)
        changed = correct_split(
            draft=draft,
            of="token_splits",
            key=data["key"],
            place=data["place"],
            what=data["correction"],
            by=self.user,
        )
        return send(i.DraftAnswer, changed)


class CheckView(ManagedView):
    """Reads all of the files as a job that writes nothing; the preview is whole then."""

    bodyless = NO_BODY

    @extend_schema(operation_id="check_draft", request=None, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        return send(JobAnswer, progress_of(start_check(draft=self.draft(pk), by=self.user)))


class StartView(ManagedView):
    """Imports what was previewed, as a job: all of it or none."""

    bodyless = NO_BODY

    @extend_schema(operation_id="start_import", request=None, responses=answers(JobAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        return send(JobAnswer, progress_of(start_import(draft=self.draft(pk), by=self.user)))
