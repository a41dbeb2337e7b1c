from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.imports.queries.imports import imports_of, published_by
from annotator.imports.terms import change_import_terms
from annotator.imports.undo.undo_import import undo_import
from annotator.models import Import
from api.pagination import PageQuery, page_of
from api.v1 import import_shapes as i
from api.v1.schema import IF_MATCH, answers
from api.v1.sending import send
from api.v1.views.base import NO_BODY, ProjectView, found


class ImportsView(ProjectView):
    """What came into the project, newest first."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="imports", parameters=[PageQuery], responses=answers(i.ImportsAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        rows, following = page_of(imports_of(self.access.project), request)
        return send(i.ImportsAnswer, {"imports": rows, "next": following})


class ImportView(ProjectView):
    """One of them, with how many sentences releases contain, or leave out, by what it says; and saying otherwise."""

    needs = Permission.MANAGE

    @extend_schema(operation_id="import", responses=answers(i.OneImportAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return self._answer(self._import(pk))

    @extend_schema(
        operation_id="change_import_terms",
        request=i.TermsRequest,
        parameters=[IF_MATCH],
        responses=answers(i.OneImportAnswer, 400, 412),
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        terms = self.checked(i.TermsRequest, request.data)
        return self._answer(change_import_terms(imported=self._import(pk), by=self.user, **terms))

    def guarded(self, **address: Any) -> QuerySet[Import]:
        return imports_of(self.access.project).filter(pk=address["pk"])

    def _import(self, pk: int) -> Import:
        return found(imports_of(self.access.project), pk, _("There is no such import in this project."))

    def _answer(self, imported: Import) -> Response:
        return send(i.OneImportAnswer, {"imported": imported, "sentences": published_by(imported)})


class UndoImportView(ProjectView):
    """Takes an import back, while nobody has worked on it."""

    needs = Permission.MANAGE

    bodyless = NO_BODY

    @extend_schema(operation_id="take_back_import", request=None, responses=answers(i.DroppedAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        imported = found(imports_of(self.access.project), pk, _("There is no such import in this project."))
        undo_import(imported=imported, by=self.user)
        return send(i.DroppedAnswer, {"id": pk})
